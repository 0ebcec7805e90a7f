-- Moderation, settings and languages: who judged what and why, what servers have chosen, who has been welcomed,
-- and which judgements the people concerned are still to be told of. Ids of players who had everything about them
-- deleted are negative; whose they were is stored nowhere.

CREATE TABLE audit (                -- what moderators and the operator did
    id         BIGINT  PRIMARY KEY, -- the interaction that did it, or a number of the operator's command line
    guild      BIGINT  NOT NULL,    -- 0: the operator, for all servers
    moderator  BIGINT  NOT NULL,    -- 0: the operator
    action     TEXT    NOT NULL,
    race       BIGINT,
    day        INTEGER,             -- of a daily, in days since 1970 (UTC)
    game       TEXT,                -- of that daily
    player     BIGINT,              -- whom it concerns, where it is one alone
    reason     TEXT    NOT NULL,
    at         BIGINT  NOT NULL
);

CREATE INDEX audit_guild ON audit (guild, id);
CREATE INDEX audit_race ON audit (race, id);
CREATE INDEX audit_player ON audit (player);
CREATE INDEX audit_moderator ON audit (moderator);

CREATE TABLE server (               -- what a server has chosen for its races
    guild      BIGINT  PRIMARY KEY,
    channels   TEXT    NOT NULL,   -- the ids of those in which races may be opened, with spaces; empty: all
    games      TEXT    NOT NULL,   -- the keys of those that may be raced, with spaces; empty: all
    minutes    INTEGER,            -- the time limit of a race that names none; NULL: the bot's own
    role       BIGINT,             -- who may open races; NULL: everybody
    language   TEXT                -- of its public messages, as Discord names it; NULL: the server's own
);

CREATE TABLE welcome (              -- a row is written before the one welcome to a server is sent
    guild      BIGINT  PRIMARY KEY,
    at         BIGINT  NOT NULL
);

CREATE TABLE spent (                -- dailies that are still open, begun by players who are deleted since
    player     BIGINT  NOT NULL,
    day        INTEGER NOT NULL,
    game       TEXT    NOT NULL,
    PRIMARY KEY (player, day, game)
);

ALTER TABLE race ADD COLUMN locale TEXT NOT NULL DEFAULT 'en-US';   -- what its public messages are written in
ALTER TABLE race ADD COLUMN retell INTEGER NOT NULL DEFAULT 0;      -- judgements that its result does not tell yet
ALTER TABLE attempt ADD COLUMN guild BIGINT;                        -- where a daily was begun; NULL: in no server
ALTER TABLE player ADD COLUMN tell INTEGER NOT NULL DEFAULT 0;      -- 1: wants a message when a race has ended

CREATE INDEX race_retell ON race (id) WHERE retell > 0;
CREATE INDEX race_host ON race (host);
CREATE INDEX attempt_guild ON attempt (guild, day) WHERE guild IS NOT NULL;
