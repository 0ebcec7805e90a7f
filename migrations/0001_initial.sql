-- The tables of a race: who plays which deal, and every event of every player's play.
-- Times are milliseconds since 1970 (UTC); ids are Discord's snowflakes; a race is named by the interaction that
-- asked for it, an attempt by the one that began it. SQL in the common subset of SQLite and PostgreSQL.

CREATE TABLE player (
    id         BIGINT PRIMARY KEY,
    name       TEXT   NOT NULL,
    locale     TEXT   NOT NULL,
    seen       BIGINT NOT NULL,
    style      TEXT    NOT NULL DEFAULT 'emoji',  -- how boards are drawn: emoji, image or text
    four_colours INTEGER NOT NULL DEFAULT 0       -- 1: each suit has its own colour
);

CREATE TABLE race (
    id         BIGINT  PRIMARY KEY,
    guild      BIGINT  NOT NULL,
    channel    BIGINT  NOT NULL,
    message    BIGINT,             -- the public message, once it is known
    posted     BIGINT  NOT NULL,   -- when that message was posted
    game       TEXT    NOT NULL,
    ruleset    INTEGER NOT NULL,   -- the version of the game's rules
    seed       TEXT    NOT NULL,
    salt       TEXT    NOT NULL,
    typed      INTEGER NOT NULL,   -- 1: somebody typed the seed
    ranked     INTEGER NOT NULL,
    host       BIGINT  NOT NULL,
    phase      TEXT    NOT NULL,
    time_limit BIGINT  NOT NULL,
    outage     BIGINT  NOT NULL,   -- how much of the limit made up for the bot's own absence
    made_up    BIGINT  NOT NULL DEFAULT 0,  -- until when absences are made up for, so that none counts twice
    touched    BIGINT  NOT NULL,
    host_seen  BIGINT  NOT NULL,
    start_at   BIGINT,
    ended_at   BIGINT,
    announced  INTEGER NOT NULL,   -- 1: the result message has been sent
    rematch_of BIGINT  REFERENCES race (id),
    revision   INTEGER NOT NULL    -- counts the changes of this row; a writer names the one it has read
);

CREATE INDEX race_live ON race (phase) WHERE phase IN ('open', 'countdown', 'running');
CREATE UNIQUE INDEX race_rematch ON race (rematch_of) WHERE phase = 'open';  -- one rematch gathers at a time
CREATE INDEX race_unannounced ON race (announced) WHERE announced = 0;
CREATE INDEX race_guild ON race (guild, id);

CREATE TABLE entrant (
    race       BIGINT  NOT NULL REFERENCES race (id),
    player     BIGINT  NOT NULL,
    attempt    BIGINT  NOT NULL UNIQUE,
    position   INTEGER NOT NULL,   -- the order of joining
    ready      INTEGER NOT NULL,
    removed    INTEGER NOT NULL,   -- 1: sent away by the host
    place      INTEGER,
    token      TEXT,               -- of the newest interaction on the private message, while it lives
    token_at   BIGINT,
    token_message BIGINT,          -- that message; NULL: the "@original" of the token
    PRIMARY KEY (race, player)
);

CREATE INDEX entrant_token ON entrant (token_at) WHERE token_at IS NOT NULL;
CREATE INDEX entrant_player ON entrant (player, race);

CREATE TABLE seat (                -- a player is in one live race of a server at most
    guild      BIGINT  NOT NULL,
    player     BIGINT  NOT NULL,
    race       BIGINT  NOT NULL REFERENCES race (id),
    PRIMARY KEY (guild, player)
);

CREATE INDEX seat_race ON seat (race);

CREATE TABLE attempt (
    id         BIGINT  PRIMARY KEY,
    player     BIGINT  NOT NULL,
    purpose    TEXT    NOT NULL,   -- race, daily, archive or practice
    ranked     INTEGER NOT NULL,   -- 1: it counts for ratings, so there are no hints
    race       BIGINT  REFERENCES race (id),
    day        INTEGER,            -- the day of the daily, in days since 1970 (UTC)
    game       TEXT    NOT NULL,
    ruleset    INTEGER NOT NULL,
    seed       TEXT    NOT NULL,
    start_at   BIGINT  NOT NULL,
    time_limit BIGINT,
    ended_at   BIGINT,
    reason     TEXT,
    time_taken BIGINT,
    cards_left INTEGER,
    moves      INTEGER,
    mistakes   INTEGER,
    undos      INTEGER,
    hints      INTEGER
);

CREATE INDEX attempt_race ON attempt (race);
CREATE INDEX attempt_timed ON attempt (start_at) WHERE ended_at IS NULL AND time_limit IS NOT NULL;
CREATE INDEX attempt_player ON attempt (player, id);

CREATE TABLE event (
    attempt    BIGINT  NOT NULL REFERENCES attempt (id),
    seq        INTEGER NOT NULL,
    kind       TEXT    NOT NULL,
    detail     TEXT    NOT NULL,   -- a move in its notation, or why the attempt ended
    at         BIGINT  NOT NULL,
    PRIMARY KEY (attempt, seq)
);

CREATE TABLE press (
    interaction BIGINT PRIMARY KEY,  -- handled once, however often it is delivered
    at          BIGINT NOT NULL
);

CREATE INDEX press_at ON press (at);

CREATE TABLE heartbeat (
    shard      INTEGER PRIMARY KEY,  -- 0 where one process serves all
    shards     INTEGER NOT NULL,     -- how many there were
    at         BIGINT  NOT NULL      -- the last moment at which it was served
);
