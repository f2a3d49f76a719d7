-- A journal as cribpi 0.1.0 wrote it, two games in 27 steps, with undo and redo.
-- Of its answers only the last two are left.
PRAGMA application_id=1129466178;
PRAGMA user_version=1;
BEGIN TRANSACTION;
CREATE TABLE answers (
    place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, status INTEGER NOT NULL, body TEXT NOT NULL
);
INSERT INTO "answers" VALUES(31,'z-UNDO-38',200,'{"seq": 39, "phase": "play", "rules": "standard", "target": 121, "entry": "cards", "seats": [{"name": "ANN", "side": 0, "cards_left": 3}, {"name": "B\u00d6B", "side": 1, "cards_left": 3}], "sides": [{"name": "ANN", "front": 2, "back": 0, "games": 0}, {"name": "B\u00d6B", "front": 0, "back": 0, "games": 0}], "dealer": 0, "turn": 1, "starter": "5", "count": 15, "pile": ["7", "8"], "last": {"side": 0, "points": 2, "call": "fifteen for two", "scores": [{"kind": "fifteen", "points": 2, "cards": ["7", "8"]}]}, "prompt": "B\u00d6B to play", "question": null, "message": "taken back: B\u00d6B 4: nineteen; 10 more", "winner": null, "can_undo": true, "can_redo": true}');
INSERT INTO "answers" VALUES(32,'z-UNDO-39',200,'{"seq": 40, "phase": "play", "rules": "standard", "target": 121, "entry": "cards", "seats": [{"name": "ANN", "side": 0, "cards_left": 4}, {"name": "B\u00d6B", "side": 1, "cards_left": 3}], "sides": [{"name": "ANN", "front": 0, "back": 0, "games": 0}, {"name": "B\u00d6B", "front": 0, "back": 0, "games": 0}], "dealer": 0, "turn": 0, "starter": "5", "count": 7, "pile": ["7"], "last": {"side": 1, "points": 0, "call": "seven", "scores": []}, "prompt": "ANN to play", "question": null, "message": "taken back: ANN 8: fifteen for two; 9 more", "winner": null, "can_undo": true, "can_redo": true}');
CREATE TABLE desk (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, data TEXT NOT NULL);
INSERT INTO "desk" VALUES(1,40,'{"setup": {"players": 2, "target": 121, "entry": "cards", "names": ["ANN", "B\u00d6B"]}, "dialog": {"is": "Undone", "what": "ANN 8: fifteen for two", "left": 9}, "typed": [], "kind": null, "claim": 0, "message": null}');
CREATE TABLE steps (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,                                             -- time, ISO 8601, UTC
    act TEXT NOT NULL CHECK (act IN ('event', 'undo', 'redo')),
    event TEXT,                                                   -- a line of the game record
    parent INTEGER,                                               -- the row on which an event stood
    depth INTEGER NOT NULL,                                       -- events up to the head, after this row
    head INTEGER                                                  -- where the table stands, after this row
);
INSERT INTO "steps" VALUES(1,'2026-05-03T19:04:14.000+00:00','event','game "ANN" "BÖB" rules=standard target=121 entry=cards',NULL,1,1);
INSERT INTO "steps" VALUES(2,'2026-05-03T19:04:21.000+00:00','event','dealer 1',1,2,2);
INSERT INTO "steps" VALUES(3,'2026-05-03T19:04:28.000+00:00','event','starter 3',2,3,3);
INSERT INTO "steps" VALUES(4,'2026-05-03T19:04:35.000+00:00','event','play 0:10',3,4,4);
INSERT INTO "steps" VALUES(5,'2026-05-03T19:04:42.000+00:00','event','play 1:10',4,5,5);
INSERT INTO "steps" VALUES(6,'2026-05-03T19:04:49.000+00:00','event','play 0:9',5,6,6);
INSERT INTO "steps" VALUES(7,'2026-05-03T19:04:56.000+00:00','undo',NULL,NULL,5,5);
INSERT INTO "steps" VALUES(8,'2026-05-03T19:05:03.000+00:00','event','play 0:8',5,6,8);
INSERT INTO "steps" VALUES(9,'2026-05-03T19:05:10.000+00:00','event','play 1:go',8,7,9);
INSERT INTO "steps" VALUES(10,'2026-05-03T19:05:17.000+00:00','undo',NULL,NULL,6,8);
INSERT INTO "steps" VALUES(11,'2026-05-03T19:05:24.000+00:00','undo',NULL,NULL,5,5);
INSERT INTO "steps" VALUES(12,'2026-05-03T19:05:31.000+00:00','redo',NULL,NULL,6,8);
INSERT INTO "steps" VALUES(13,'2026-05-03T19:06:13.000+00:00','undo',NULL,NULL,5,5);
INSERT INTO "steps" VALUES(14,'2026-05-03T19:06:20.000+00:00','undo',NULL,NULL,4,4);
INSERT INTO "steps" VALUES(15,'2026-05-03T19:06:41.000+00:00','redo',NULL,NULL,5,5);
INSERT INTO "steps" VALUES(16,'2026-05-03T19:07:16.000+00:00','event','game "ANN" "BÖB" rules=standard target=121 entry=cards',5,6,16);
INSERT INTO "steps" VALUES(17,'2026-05-03T19:07:23.000+00:00','event','dealer 0',16,7,17);
INSERT INTO "steps" VALUES(18,'2026-05-03T19:07:30.000+00:00','event','starter 5',17,8,18);
INSERT INTO "steps" VALUES(19,'2026-05-03T19:07:37.000+00:00','event','play 1:7',18,9,19);
INSERT INTO "steps" VALUES(20,'2026-05-03T19:07:44.000+00:00','event','play 0:8',19,10,20);
INSERT INTO "steps" VALUES(21,'2026-05-03T19:07:51.000+00:00','undo',NULL,NULL,9,19);
INSERT INTO "steps" VALUES(22,'2026-05-03T19:07:58.000+00:00','event','play 0:K',19,10,22);
INSERT INTO "steps" VALUES(23,'2026-05-03T19:08:05.000+00:00','undo',NULL,NULL,9,19);
INSERT INTO "steps" VALUES(24,'2026-05-03T19:08:12.000+00:00','event','play 0:8',19,10,24);
INSERT INTO "steps" VALUES(25,'2026-05-03T19:08:19.000+00:00','event','play 1:4',24,11,25);
INSERT INTO "steps" VALUES(26,'2026-05-03T19:08:26.000+00:00','undo',NULL,NULL,10,24);
INSERT INTO "steps" VALUES(27,'2026-05-03T19:08:33.000+00:00','undo',NULL,NULL,9,19);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('answers',32);
INSERT INTO "sqlite_sequence" VALUES('steps',27);
COMMIT;
