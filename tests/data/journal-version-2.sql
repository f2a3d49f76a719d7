-- A journal of version 2, as cribpi wrote it before `desk` had a check value: with undo, and a menu left open.
-- Of its answers only the last is left.
PRAGMA application_id=1129466178;
PRAGMA user_version=2;
BEGIN TRANSACTION;
CREATE TABLE answers (
    place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, status INTEGER NOT NULL, body TEXT NOT NULL
);
INSERT INTO "answers" VALUES(13,'z-MENU-12',200,'{"seq": 14, "phase": "play", "rules": "standard", "house": {}, "target": 121, "entry": "cards", "seats": [{"name": "ANN", "side": 0, "cards_left": 3, "level": null}, {"name": "B\u00d6B", "side": 1, "cards_left": 3, "level": null}], "sides": [{"name": "ANN", "front": 0, "back": 0, "games": 0, "points": 0, "skunks": 0, "spread": 0}, {"name": "B\u00d6B", "front": 2, "back": 0, "games": 0, "points": 0, "skunks": 0, "spread": 0}], "match": {"kind": "open", "winners": []}, "dealer": 1, "turn": 0, "starter": "3", "count": 20, "pile": ["10", "10"], "last": {"side": 1, "points": 2, "call": "a pair for two", "scores": [{"kind": "pair", "points": 2, "cards": ["10", "10"], "why": {"rule": "pair", "text": "Two cards of one rank peg 2; in the play, when one is played right after the other.", "source": "board-set", "words": "A pair of cards of the same rank score 2 points. ... If you play a card of the same rank as the previous card (e.g. a king after a king) you peg 2 for a pair."}}], "claimed": null, "why": [{"rule": "pair", "text": "Two cards of one rank peg 2; in the play, when one is played right after the other.", "source": "board-set", "words": "A pair of cards of the same rank score 2 points. ... If you play a card of the same rank as the previous card (e.g. a king after a king) you peg 2 for a pair."}]}, "automatic": [], "prompt": "Menu, 1 of 7: correct ANN; OK takes it, P1 and P2 move, UNDO leaves", "question": null, "message": null, "winner": null, "can_undo": true, "can_redo": true}');
CREATE TABLE desk (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, data TEXT NOT NULL);
INSERT INTO "desk" VALUES(1,14,'{"setup": {"players": 2, "target": 121, "entry": "cards", "names": ["ANN", "B\u00d6B"], "rules": "standard", "options": [], "house_of": "", "house_options": [], "levels": ["", "solid"], "speed": "normal"}, "dialog": {"is": "Menu", "line": 0}, "typed": [], "kind": null, "claim": 0, "message": null, "open_seat": null, "chosen": [], "hint": null}');
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
INSERT INTO "steps" VALUES(1,'2026-11-20T19:04:02.000+00:00','event','game "ANN" "BÖB" rules=standard target=121 entry=cards',NULL,1,1,755477501);
INSERT INTO "steps" VALUES(2,'2026-11-20T19:04:03.000+00:00','event','dealer 1',1,2,2,4160883067);
INSERT INTO "steps" VALUES(3,'2026-11-20T19:04:04.000+00:00','event','starter 3',2,3,3,4231048314);
INSERT INTO "steps" VALUES(4,'2026-11-20T19:04:05.000+00:00','event','play 0:10',3,4,4,208109088);
INSERT INTO "steps" VALUES(5,'2026-11-20T19:04:06.000+00:00','event','play 1:10',4,5,5,2897432985);
INSERT INTO "steps" VALUES(6,'2026-11-20T19:04:07.000+00:00','event','play 0:9',5,6,6,185103766);
INSERT INTO "steps" VALUES(7,'2026-11-20T19:04:08.000+00:00','event','play 1:go',6,7,7,2767406324);
INSERT INTO "steps" VALUES(8,'2026-11-20T19:04:09.000+00:00','undo',NULL,NULL,6,6,678511792);
INSERT INTO "steps" VALUES(9,'2026-11-20T19:04:10.000+00:00','undo',NULL,NULL,5,5,3240619769);
INSERT INTO "steps" VALUES(10,'2026-11-20T19:04:11.000+00:00','event','play 0:8',5,6,10,1383634980);
INSERT INTO "steps" VALUES(11,'2026-11-20T19:04:12.000+00:00','undo',NULL,NULL,5,5,3793963214);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('answers',13);
INSERT INTO "sqlite_sequence" VALUES('steps',11);
COMMIT;
