-- Standings: what each finished race counts for, the boards that follow from it, and what the dailies hand in.
-- All of it but "aged" can be derived anew from races, entrants and attempts. Ratings are a function of the results
-- in the order of (at, race). A result whose ratings are still to be computed, since something before it has
-- changed, is marked stale, and so the computation goes on after a crash where it stood.

ALTER TABLE player ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;         -- 1: asked to stand on the world's boards
ALTER TABLE player ADD COLUMN barred INTEGER NOT NULL DEFAULT 0;         -- 1: the operator keeps the player off them
ALTER TABLE race ADD COLUMN voided INTEGER NOT NULL DEFAULT 0;           -- 1: a moderator has taken it out of all counts
ALTER TABLE race ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;          -- 1: its results have been entered below
ALTER TABLE entrant ADD COLUMN disqualified INTEGER NOT NULL DEFAULT 0;  -- 1: has no place in the race any more
ALTER TABLE race ADD COLUMN result_message BIGINT;                       -- the message with its result, once it is known

CREATE INDEX race_uncounted ON race (id) WHERE phase = 'finished' AND counted = 0;
CREATE INDEX race_finished ON race (guild, id) WHERE phase = 'finished';
CREATE INDEX race_message ON race (message);
CREATE INDEX race_result_message ON race (result_message);

CREATE TABLE result (               -- an entrant of a finished race
    race       BIGINT  NOT NULL REFERENCES race (id),
    player     BIGINT  NOT NULL,
    attempt    BIGINT  NOT NULL,
    guild      BIGINT  NOT NULL,
    board      TEXT    NOT NULL,   -- the game and the version of its rules, as in 'links/1'
    at         BIGINT  NOT NULL,   -- when the race ended
    aged       INTEGER NOT NULL,   -- 1: the account was old enough for ratings when the race began
    place      INTEGER,            -- NULL: disqualified
    counted    INTEGER NOT NULL,   -- 1: it counts for races, wins and times
    won        INTEGER NOT NULL,   -- 1: it counts as a win
    best       BIGINT,             -- the time, where the deal was won and it counts
    rated      INTEGER NOT NULL,   -- 1: it counts for ratings
    stale      INTEGER NOT NULL,   -- 1: what follows is still to be computed
    version    INTEGER NOT NULL,   -- counts the changes of it; a writer names the one it has read
    mu         DOUBLE PRECISION,   -- the rating on the board of the game after this race
    sigma      DOUBLE PRECISION,
    rating     INTEGER,            -- the same as shown
    gain       INTEGER,            -- by how much this race changed it, NULL for the first one
    all_mu     DOUBLE PRECISION,   -- the same over all games
    all_sigma  DOUBLE PRECISION,
    all_rating INTEGER,
    PRIMARY KEY (race, player)
);

CREATE INDEX result_player ON result (player, at, race, guild);
CREATE INDEX result_rated ON result (player, board, at, race) WHERE rated = 1;
CREATE INDEX result_stale ON result (at, race) WHERE stale = 1;

CREATE TABLE member (               -- who has played on which server
    player     BIGINT  NOT NULL,
    guild      BIGINT  NOT NULL,
    PRIMARY KEY (player, guild)
);

CREATE TABLE daily_result (         -- a daily attempt once its day is over: written by the daily challenge
    day        INTEGER NOT NULL,   -- days since 1970 (UTC)
    game       TEXT    NOT NULL,
    player     BIGINT  NOT NULL,
    board      TEXT    NOT NULL,   -- the game and the version of its rules, as in 'links/1'
    attempt    BIGINT  NOT NULL,
    place      INTEGER,            -- NULL: disqualified, or the day was voided for this player
    field      INTEGER NOT NULL,   -- how many had a place
    points     BIGINT,             -- match points in millionths of a per cent, NULL for a field of one
    PRIMARY KEY (day, game, player)
);

CREATE INDEX daily_result_player ON daily_result (player, day);

CREATE TABLE streak (               -- days in a row with a daily played to its end: written by the daily challenge
    player     BIGINT  PRIMARY KEY,
    days       INTEGER NOT NULL,   -- the one that goes on, 0 once it has ended
    longest    INTEGER NOT NULL,
    last_day   INTEGER NOT NULL,   -- the last day that was played, in days since 1970 (UTC)
    frozen     INTEGER             -- the day on which the freeze of a month was used last
);

CREATE TABLE tally (                -- a player's line on the boards: what they are ordered by
    player     BIGINT  NOT NULL,
    board      TEXT    NOT NULL,   -- as above, or 'all' for all games together
    period     INTEGER NOT NULL,   -- 0: all time; else 1000000 for a day, 2000000 for a week, 3000000 for a month,
                                   -- 4000000 for a season, plus its first day in days since 1970 (UTC)
    guild      BIGINT  NOT NULL,   -- 0: everywhere
    listed     INTEGER NOT NULL,   -- 1: others may see it; always 1 on the boards of a server
    races      INTEGER NOT NULL,
    wins       INTEGER NOT NULL,
    best       BIGINT,             -- the least time of a deal that was won, in milliseconds
    rating     INTEGER,            -- the newest one as shown, whatever the period
    deals      INTEGER NOT NULL,   -- dailies with match points
    points     BIGINT  NOT NULL,   -- their sum, in millionths of a per cent
    mean       BIGINT,             -- their mean drawn towards 50, in the same unit, NULL where there are too few
    streak     INTEGER,            -- on the board 'all' of all time alone; NULL where there is none
    longest    INTEGER,
    PRIMARY KEY (player, board, period, guild)
);

-- "listed" is 1 in all lines of these; with it lines are counted in the index alone, a quarter faster.
CREATE INDEX tally_rating ON tally (board, period, guild, rating DESC, player, listed) WHERE listed = 1 AND rating IS NOT NULL;
CREATE INDEX tally_wins ON tally (board, period, guild, wins DESC, player, listed) WHERE listed = 1;
CREATE INDEX tally_best ON tally (board, period, guild, best, player, listed) WHERE listed = 1 AND best IS NOT NULL;
CREATE INDEX tally_mean ON tally (board, period, guild, mean DESC, player, listed) WHERE listed = 1 AND mean IS NOT NULL;
CREATE INDEX tally_streak ON tally (board, period, guild, streak DESC, player, listed) WHERE listed = 1 AND streak IS NOT NULL;
CREATE INDEX tally_longest ON tally (board, period, guild, longest DESC, player, listed) WHERE listed = 1 AND longest IS NOT NULL;
CREATE INDEX tally_passing ON tally (period) WHERE period > 0;
