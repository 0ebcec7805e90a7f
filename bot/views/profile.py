"""A player's profile: ratings, races and best times in words, and two pictures."""

from __future__ import annotations

from bot.render.games import MOST, draw_games, games_alt
from bot.render.trends import draw_rating, rating_alt
from bot.services.history import Profile
from bot.store.standings import Record, board_of
from bot.text import count, duration, say, translate
from bot.text import leaderboard as board_text
from bot.text import profile as profile_text
from bot.text.games import game_name
from bot.text.names import name_of
from bot.views.board import ACCENT
from bot.views.ids import HISTORY, make_id
from bot.views.leaderboard import per_cent
from bot.views.payload import File, Inner, Message, button, container, gallery, row
from bot.views.payload import text as words
from engine import GAMES, Rules
from engine.scoring import LEAST_DEALS


def profile(shown: Profile, *, on_server: bool) -> Message:
    """Returns the profile with its pictures; *on_server* tells that there is a server whose races can be listed."""
    games = _games(shown)
    parts: list[Inner] = [words("\n".join(_head(shown)))]
    if games:
        lines = [_game(number, rules, record) for number, (rules, record) in enumerate(games, start=1)]
        parts.append(words("\n".join(lines)))
    files = _pictures(shown, games)
    parts += [gallery(f"attachment://{file.name}", file.description) for file in files]
    if on_server and shown.finished:
        parts.append(
            row(
                button(say(profile_text.BUTTON_RACES), make_id(HISTORY, "list", shown.player, 0)),
                button(say(profile_text.BUTTON_REPLAY), make_id(HISTORY, "newest", shown.player, 0)),
            )
        )
    return Message.of(container(parts, ACCENT), files=files)


def has_pictures(shown: Profile) -> bool:
    """Tells whether there is anything to draw."""
    return bool(shown.history or _games(shown))


def _games(shown: Profile) -> list[tuple[Rules, Record]]:
    """Returns the games that were raced under the rules in force, the ones raced most first."""
    by_board = {record.board: record for record in shown.games}
    played = [(rules, by_board[board]) for rules in GAMES if (board := board_of(rules)) in by_board]
    raced = [(rules, record) for rules, record in played if record.races]
    return sorted(raced, key=lambda each: -each[1].races)[:MOST]


def _head(shown: Profile) -> list[str]:
    names = {} if shown.name is None else {shown.player: shown.name}
    lines = [say(profile_text.TITLE, name=name_of(shown.player, names))]
    overall = shown.overall
    if overall is None or not overall.races:
        lines.append(say(profile_text.NOTHING))
    else:
        rating = overall.rating
        lines.append(
            say(profile_text.UNRATED) if rating is None else say(profile_text.OVERALL, rating=rating)
        )
        lines.append(
            say(
                profile_text.RACES,
                races=count(profile_text.COUNTED_ONE, profile_text.COUNTED, overall.races),
                wins=overall.wins,
                rate=round(100 * overall.wins / overall.races),
                finished=shown.finished,
            )
        )
    if shown.streak is not None:
        lines.append(
            say(
                profile_text.STREAK,
                days=count(profile_text.DAYS_ONE, profile_text.DAYS, shown.streak.days),
                longest=count(profile_text.DAYS_ONE, profile_text.DAYS, shown.streak.longest),
            )
        )
    if overall is not None and overall.deals:
        dailies = count(board_text.DAILIES_ONE, board_text.DAILIES, overall.deals)
        if overall.mean is None:
            lines.append(say(profile_text.POINTS_FEW, dailies=dailies, least=LEAST_DEALS))
        else:
            lines.append(say(profile_text.POINTS, points=per_cent(overall.mean), dailies=dailies))
    return lines


def _game(number: int, rules: Rules, record: Record) -> str:
    parts = [say(profile_text.GAME_WINS, wins=record.wins, races=record.races)]
    if record.rating is not None:
        parts.insert(0, say(profile_text.GAME_RATING, rating=record.rating))
    if record.best is not None:
        parts.append(say(profile_text.GAME_BEST, time=duration(record.best)))
    return say(profile_text.GAME, number=number, game=game_name(rules), parts=" · ".join(parts))


def _pictures(shown: Profile, games: list[tuple[Rules, Record]]) -> list[File]:
    files = []
    if shown.history:
        curve = draw_rating(shown.history, say=translate)
        files.append(File("rating.png", curve, rating_alt(shown.history, say=translate)))
    if games:
        counts = [(record.races, record.wins) for _, record in games]
        alt = games_alt([game_name(rules) for rules, _ in games], counts, say=translate)
        files.append(File("games.png", draw_games(counts, say=translate), alt))
    return files
