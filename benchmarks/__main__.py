"""``python -m benchmarks [name …]``: runs the benchmarks and holds their figures against the bars."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable, Iterator, Mapping

from benchmarks import (
    boards,
    cluster,
    engine,
    faults,
    load,
    memory,
    pool,
    presses,
    render,
    restart,
    solver,
    standings,
    starts,
    store,
)
from benchmarks.figures import Figure

BENCHMARKS: Mapping[str, Callable[[], Iterator[Figure]]] = {
    "boards": boards.measure,
    "cluster": cluster.measure,
    "engine": engine.measure,
    "faults": faults.measure,
    "load": load.measure,
    "memory": memory.measure,
    "pool": pool.measure,
    "presses": presses.measure,
    "render": render.measure,
    "restart": restart.measure,
    "solver": solver.measure,
    "starts": starts.measure,
    "standings": standings.measure,
    "store": store.measure,
}


def main() -> int:
    """Runs the benchmarks named on the command line, or all, and returns 1 if one misses a bar."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measures Same Deal.")
    parser.add_argument("name", nargs="*", help=f"which to run: {', '.join(BENCHMARKS)} (default: all)")
    names: list[str] = parser.parse_args().name
    if unknown := [name for name in names if name not in BENCHMARKS]:
        parser.error(f"there is no benchmark {unknown[0]!r}")
    print(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}")
    missed = 0
    for name in names or BENCHMARKS:
        print(f"\n{name}")
        for figure in BENCHMARKS[name]():
            print(figure, flush=True)
            missed += not figure.is_met
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
