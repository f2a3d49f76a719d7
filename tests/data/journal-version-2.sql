-- A journal of version 2, as cribpi wrote it: two games in 21 steps, with undo and redo, and a message on the desk.
-- Of its answers only the last two are left.
PRAGMA application_id=1129466178;
PRAGMA user_version=2;
BEGIN TRANSACTION;
CREATE TABLE answers (
    place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, status INTEGER NOT NULL, body TEXT NOT NULL
);
INSERT INTO "answers" VALUES(25,'y-UNDO-25',200,'{"seq": 25, "phase": "play", "rules": "standard", "house": {}, "target": 121, "entry": "cards", "seats": [{"name": "ANN", "side": 0, "cards_left": 4, "level": null}, {"name": "B\u00d6B", "side": 1, "cards_left": 4, "level": null}], "sides": [{"name": "ANN", "front": 0, "back": 0, "games": 0, "points": 0, "skunks": 0, "spread": 0}, {"name": "B\u00d6B", "front": 0, "back": 0, "games": 0, "points": 0, "skunks": 0, "spread": 0}], "match": {"kind": "open", "winners": []}, "dealer": 0, "turn": 1, "starter": "5", "count": 0, "pile": [], "last": null, "automatic": [], "prompt": "OK goes on, UNDO takes back more", "question": null, "message": "taken back: B\u00d6B 7: seven; 8 more", "winner": null, "can_undo": true, "can_redo": true}');
INSERT INTO "answers" VALUES(26,'y-hold:UNDO-26',200,'{"seq": 26, "phase": "play", "rules": "standard", "house": {}, "target": 121, "entry": "cards", "seats": [{"name": "ANN", "side": 0, "cards_left": 4, "level": null}, {"name": "B\u00d6B", "side": 1, "cards_left": 3, "level": null}], "sides": [{"name": "ANN", "front": 0, "back": 0, "games": 0, "points": 0, "skunks": 0, "spread": 0}, {"name": "B\u00d6B", "front": 0, "back": 0, "games": 0, "points": 0, "skunks": 0, "spread": 0}], "match": {"kind": "open", "winners": []}, "dealer": 0, "turn": 0, "starter": "5", "count": 7, "pile": ["7"], "last": {"side": 1, "points": 0, "call": "seven", "scores": [], "claimed": null, "why": []}, "automatic": [], "prompt": "ANN to play", "question": null, "message": "brought back: B\u00d6B 7: seven", "winner": null, "can_undo": true, "can_redo": true}');
CREATE TABLE desk (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, data TEXT NOT NULL);
INSERT INTO "desk" VALUES(1,26,'{"setup": {"players": 2, "target": 121, "entry": "cards", "names": ["ANN", "B\u00d6B"], "rules": "standard", "options": [], "house_of": "", "house_options": [], "levels": ["", "solid"], "speed": "normal"}, "dialog": null, "typed": [], "kind": null, "claim": 0, "message": "brought back: B\u00d6B 7: seven", "open_seat": null, "chosen": [], "hint": null}');
CREATE TABLE steps (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,                                             -- time, ISO 8601, UTC
    act TEXT NOT NULL CHECK (act IN ('event', 'undo', 'redo')),
    event TEXT,                                                   -- a line of the game record
    parent INTEGER,                                               -- the row on which an event stood
    depth INTEGER NOT NULL,                                       -- events up to the head, after this row
    head INTEGER,                                                 -- where the table stands, after this row
    crc INTEGER                                                   -- check value of the row, none in version 1
);
INSERT INTO "steps" VALUES(1,'2026-06-14T20:00:07.000+00:00','event','game "ANN" "BÖB" rules=standard target=121 entry=cards',NULL,1,1,1457976440);
INSERT INTO "steps" VALUES(2,'2026-06-14T20:00:14.000+00:00','event','dealer 1',1,2,2,2371804666);
INSERT INTO "steps" VALUES(3,'2026-06-14T20:00:21.000+00:00','event','starter 3',2,3,3,224480585);
INSERT INTO "steps" VALUES(4,'2026-06-14T20:00:28.000+00:00','event','play 0:10',3,4,4,1996905026);
INSERT INTO "steps" VALUES(5,'2026-06-14T20:00:35.000+00:00','event','play 1:10',4,5,5,42207658);
INSERT INTO "steps" VALUES(6,'2026-06-14T20:00:42.000+00:00','event','play 0:9',5,6,6,1929090315);
INSERT INTO "steps" VALUES(7,'2026-06-14T20:00:49.000+00:00','undo',NULL,NULL,5,5,2113964780);
INSERT INTO "steps" VALUES(8,'2026-06-14T20:00:56.000+00:00','event','play 0:8',5,6,8,4062212421);
INSERT INTO "steps" VALUES(9,'2026-06-14T20:01:03.000+00:00','undo',NULL,NULL,5,5,69714109);
INSERT INTO "steps" VALUES(10,'2026-06-14T20:01:10.000+00:00','undo',NULL,NULL,4,4,2673388202);
INSERT INTO "steps" VALUES(11,'2026-06-14T20:01:17.000+00:00','redo',NULL,NULL,5,5,3009709590);
INSERT INTO "steps" VALUES(12,'2026-06-14T20:01:52.000+00:00','event','game "ANN" "BÖB" rules=standard target=121 entry=cards',5,6,12,3713046780);
INSERT INTO "steps" VALUES(13,'2026-06-14T20:01:59.000+00:00','event','dealer 0',12,7,13,1235207025);
INSERT INTO "steps" VALUES(14,'2026-06-14T20:02:06.000+00:00','event','starter 5',13,8,14,802746560);
INSERT INTO "steps" VALUES(15,'2026-06-14T20:02:13.000+00:00','event','play 1:7',14,9,15,2928359165);
INSERT INTO "steps" VALUES(16,'2026-06-14T20:02:20.000+00:00','event','play 0:8',15,10,16,1202714115);
INSERT INTO "steps" VALUES(17,'2026-06-14T20:02:27.000+00:00','undo',NULL,NULL,9,15,2194936360);
INSERT INTO "steps" VALUES(18,'2026-06-14T20:02:34.000+00:00','event','play 0:K',15,10,18,2580648751);
INSERT INTO "steps" VALUES(19,'2026-06-14T20:02:41.000+00:00','undo',NULL,NULL,9,15,2021476312);
INSERT INTO "steps" VALUES(20,'2026-06-14T20:02:48.000+00:00','undo',NULL,NULL,8,14,2286680535);
INSERT INTO "steps" VALUES(21,'2026-06-14T20:02:55.000+00:00','redo',NULL,NULL,9,15,1173705403);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('answers',26);
INSERT INTO "sqlite_sequence" VALUES('steps',21);
COMMIT;
