-- The daily challenge and the pool of deals that are ready to be drawn: what is played on a day, when that day is
-- over for good, and which servers have been told of it. Days are days since 1970 (UTC). A deal of a day is made
-- once and never changes; a day that was closed never opens again, whatever the clock says.

CREATE TABLE deal (                 -- deals that have been proved winnable and that nobody has seen
    game       TEXT    NOT NULL,
    ruleset    INTEGER NOT NULL,
    seed       TEXT    NOT NULL,
    band       INTEGER NOT NULL,   -- how hard it is: 1 easy, 2 medium, 3 hard
    made_at    BIGINT  NOT NULL,
    PRIMARY KEY (game, ruleset, seed)
);

CREATE TABLE daily (
    day        INTEGER NOT NULL,
    game       TEXT    NOT NULL,
    ruleset    INTEGER NOT NULL,
    seed       TEXT    NOT NULL,
    band       INTEGER,            -- how hard it is, NULL: not certified
    made_at    BIGINT  NOT NULL,
    opened_at  BIGINT,             -- when the bot first saw that day; NULL: it was away, and nobody could play
    closed_at  BIGINT,             -- when places and points were fixed; from then on the seed is no secret
    handed     INTEGER NOT NULL,   -- 1: the boards and streaks have what follows from that
    voided     INTEGER NOT NULL,   -- 1: the operator has taken it out of all counts
    revision   INTEGER NOT NULL,   -- counts the judgements; a writer names the one it has read
    PRIMARY KEY (day, game)
);

CREATE INDEX daily_open ON daily (day) WHERE handed = 0;

ALTER TABLE attempt ADD COLUMN disqualified INTEGER NOT NULL DEFAULT 0;  -- 1: has no place in its daily any more
ALTER TABLE race ADD COLUMN band INTEGER;                                -- how hard its deal is, NULL: not certified

CREATE UNIQUE INDEX attempt_daily ON attempt (day, game, player) WHERE purpose = 'daily';
CREATE INDEX attempt_daily_player ON attempt (player, day) WHERE purpose = 'daily';

CREATE TABLE daily_setup (          -- which servers want to be told, and where
    guild      BIGINT  PRIMARY KEY,
    channel    BIGINT  NOT NULL,
    hour       INTEGER NOT NULL,   -- of the day in the zone
    zone       TEXT    NOT NULL,   -- as the IANA names it
    role       BIGINT,             -- who is pinged
    since      BIGINT  NOT NULL,   -- when this was chosen: what was due before is not sent
    trouble    TEXT,               -- why the last post could not be sent
    switched   INTEGER NOT NULL    -- 1: on
);

CREATE TABLE daily_post (           -- a row is written before its post is sent
    guild      BIGINT  NOT NULL,
    day        INTEGER NOT NULL,
    channel    BIGINT  NOT NULL,
    begun_at   BIGINT  NOT NULL,   -- when it was about to be sent for the first time
    tried_at   BIGINT  NOT NULL,   -- and for the last time
    tries      INTEGER NOT NULL,   -- counts the tries; who sends it names the one that it makes
    message    BIGINT,             -- the post, once it is known
    state      TEXT    NOT NULL,   -- sending, sent, or refused
    podium     INTEGER NOT NULL,   -- 1: it tells how the day before has ended
    PRIMARY KEY (guild, day)
);

CREATE INDEX daily_post_due ON daily_post (day) WHERE state = 'sending' OR podium = 0;
