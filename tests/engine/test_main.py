"""The engine on the command line."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import DECK, GAMES, commitment
from engine.__main__ import main

FOLDER = Path(__file__).parents[2]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """A function that runs a command and returns its exit code, output and errors; *typed* is its input."""

    def run(*arguments: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = main(arguments)
        output = capsys.readouterr()
        return code, output.out, output.err

    return run


def test_replay_json(run: Run) -> None:
    code, out, err = run("replay", "--game", "links", "--seed", "Friday ", "--moves", "sw T1fc wt1", "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert [line["ply"] for line in lines] == [0, 1, 2, 3]
    assert [line["move"] for line in lines] == [None, "sw", "t1fc", "wt1"]
    assert list(lines[0]) == ["ply", "move", "piles", "observed", "legal", "won", "over", "cards_left"]
    assert lines[0]["observed"]["s"] == ["??"] * 44
    assert lines[1]["piles"]["w"] == [lines[0]["piles"]["s"][-1]]
    assert lines[2]["piles"]["fc"] == ["AC"]
    assert [line["cards_left"] for line in lines] == [52, 52, 51, 51]
    assert all(line["legal"] == sorted(line["legal"]) for line in lines)
    assert not any(line["won"] or line["over"] for line in lines)


def test_replay_deck(run: Run) -> None:
    deck = " ".join(map(str, DECK)).lower()
    code, out, _ = run("replay", "--game", "striptease", "--deck", deck, "--json")
    assert code == 0
    assert json.loads(out)["piles"]["t1"][:2] == ["QC", "AC"]
    assert json.loads(out)["observed"]["t1"][:2] == ["QC", "??"]


def test_replay_stops_at_an_illegal_move(run: Run) -> None:
    code, out, err = run("replay", "links", "--seed", "friday", "--moves", "sw hdx2 sw", "--json")
    assert (code, err) == (2, "")
    assert len(out.splitlines()) == 3
    assert json.loads(out.splitlines()[-1]) == {"error": "illegal move", "ply": 2, "move": "hdx2"}


def test_replay_text(run: Run) -> None:
    code, out, err = run("replay", "links", "--seed", "friday", "--moves", "sw")
    assert (code, err) == (0, "")
    assert "1. sw\ns   (43)\nw   (1) 5C\n" in out
    assert out.endswith("\nCards left: 52.\n")
    code, out, err = run("replay", "links", "--seed", "friday", "--moves", "sw hh")
    assert (code, err) == (2, "python -m engine: 'hh' is not legal here\n")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("replay", "--game", "bridge", "--seed", "a"), "there is no game 'bridge'"),
        (("replay", "--seed", "a"), "which game?"),
        (("replay", "links", "--deck", "7H KS"), "is missing from the deck"),
        (("replay", "links", "--deck", "7H XX"), "'XX' is not a card"),
        (("replay", "links", "--deck", " ".join(map(str, DECK)) + " AC"), "52 cards, not 53"),
        (("replay", "links", "--seed", " "), "at least one character"),
        (("replay", "links", "--seed", "\udcff"), "half a character"),
        (("replay", "links", "--seed", "a", "--moves", "sw t1"), "'t1' is not a move"),
        (("deal", "links", "--seed", "x" * 65), "at most 64 characters"),
        (("perft", "links", "--depth", "0"), "at least 1"),
    ],
)
def test_refusals_are_one_line(run: Run, arguments: tuple[str, ...], reason: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert reason in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["deal", "replay", "verify", "play", "solve", "perft"])
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    assert "--game KEY" in capsys.readouterr().out


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([])
    assert "COMMAND" in capsys.readouterr().err


@pytest.mark.parametrize("key", [rules.key for rules in GAMES])
def test_deal(run: Run, key: str) -> None:
    code, out, _ = run("deal", "--game", key, "--seed", "Friday")
    assert code == 0
    assert out.startswith(f"{key}:friday\n")
    code, out, _ = run("deal", "--game", key, "--json")
    shown = json.loads(out)
    assert shown["ply"] == 0
    assert json.loads(run("deal", key, "--json", "--seed", shown["deal"].split(":")[1])[1]) == shown


def test_verify(run: Run) -> None:
    shown = commitment("links", "friday", "00ff")
    deal = ("verify", "--game", "links", "--salt", "00ff", "--commitment", f" {shown.upper()}")
    assert run(*deal, "--seed", "FRIDAY") == (0, "The deal is the one that was committed to.\n", "")
    assert run(*deal, "--seed", "monday") == (1, "The deal is NOT the one committed to.\n", "")


def test_perft(run: Run) -> None:
    code, out, _ = run("perft", "links", "--seed", "friday", "--depth", "3")
    assert code == 0
    deal, *lines = out.splitlines()
    assert deal == "links:friday"
    assert [int(line.split()[1].replace(",", "")) for line in lines] == [4, 14, 59]


def test_solve(run: Run) -> None:
    code, out, err = run("solve", "links", "--seed", "Friday ")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("links:friday: won; ")
    assert lines[1].endswith(" moves, easy:")
    moves = [move for line in lines[2:] for move in line.split()[1:]]
    assert lines[1].startswith(f"{len(moves)} moves")
    code, out, _ = run("replay", "links", "--seed", "friday", "--moves", " ".join(moves), "--json")
    assert json.loads(out.splitlines()[-1])["won"]


def test_solve_json(run: Run) -> None:
    code, out, _ = run("solve", "--game", "take-away", "--seed", "a", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["deal"] == "take-away:a"
    assert found["verdict"] == "won"
    assert len(found["moves"]) == 52
    assert found["difficulty"] in ("easy", "medium", "hard")
    _, out, _ = run("solve", "one-handed", "--seed", "a", "--json")
    found = json.loads(out)
    assert found["verdict"] == "lost"
    assert (found["moves"], found["difficulty"]) == ([], None)


def test_solve_from_the_middle(run: Run) -> None:
    code, out, _ = run("solve", "links", "--seed", "friday", "--moves", "sw t1fc", "--budget", "20")
    assert code == 0
    assert out.startswith("links:friday sw t1fc: unknown; ")


def test_long_work_shows_its_progress(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(10**6))
    monkeypatch.setattr("engine.__main__.perf_counter", lambda: next(seconds))
    code, _, err = run("solve", "links", "--seed", "friday")
    assert code == 0
    assert "1 positions …\r" in err


def test_play(run: Run) -> None:
    typed = "help\nrules\nmoves\nhint\nsw\nt1\nw\nundo\nundo\nundo\nT1T1\nfoo\nQUIT\n"
    code, out, err = run("play", "links", "--seed", "friday", typed=typed)
    assert (code, err) == (0, "")
    assert "Links, links:friday." in out
    assert "Of several at once" in out
    assert "> t1fc\n" in out
    assert "> sw t1t2 t1fc t8t4\n" in out
    assert "that move turned up a card, so it stands." in out
    assert "'t1t1' is not legal here." in out
    assert "'foo' is not a move" in out
    assert out.endswith("> links:friday sw\n")


def test_play_until_stuck(run: Run) -> None:
    code, out, _ = run(
        "play", "--game", "one-handed", "--seed", "friday", typed="s\nundo\n" + "s\nhdx2\nhdx4\n" * 80
    )
    assert code == 0
    assert "is not legal here." in out
    assert "No move is left; cards left: " in out
    assert out.splitlines()[-1].startswith("one-handed:friday sh")


def test_play_ends_with_its_input(run: Run) -> None:
    code, out, _ = run("play", "links", "--seed", "friday", typed="undo\n")
    assert code == 0
    assert "there is no move to take back." in out
    assert out.endswith("\nlinks:friday\n")


def test_interrupt(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    code, _, err = run("play", "links")
    assert (code, err) == (130, "\n")


def test_as_a_process() -> None:
    command = [sys.executable, "-m", "engine", "replay", "--game", "take-away", "--json"]
    done = subprocess.run([*command, "--seed", "猫"], cwd=FOLDER, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["cards_left"] == 52
    refused = subprocess.run(
        [*command, "--deck", "AC"], cwd=FOLDER, capture_output=True, text=True, check=False
    )
    assert refused.returncode == 2
    assert refused.stderr == "python -m engine: 2C is missing from the deck\n"


def test_a_closed_pipe_is_no_error() -> None:
    moves = " ".join(["sw"] * 44)
    command = [sys.executable, "-m", "engine", "replay", "links", "--seed", "a", "--json", "--moves", moves]
    with subprocess.Popen(command, cwd=FOLDER, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
