"""Counts the instructions of a request by callgrind, and holds them against budgets.json.

    budgets.py BENCH [--write]

BENCH is rehearse-bench, which lives a kind of work when asked `once WORK REPLICATIONS`, and prints how many requests were made. What two
replications take beyond one is divided by the requests that they have beyond it, so that starting the program does not count. More
than a twentieth beyond a budget is an error; --write makes the counts the budgets.
"""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FILE = Path(__file__).with_name("budgets.json")


def main():
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["--write"]):
        print(__doc__, file=sys.stderr)
        return 64
    budgets = json.loads(FILE.read_text())
    works = budgets["instructions"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {
            (work, replications): pool.submit(live, sys.argv[1], work, replications)
            for work in works for replications in (1, 2)
        }
    heavy = False
    for work, budget in works.items():
        (few, fewer), (many, more) = runs[work, 1].result(), runs[work, 2].result()
        each = round((many - few) / (more - fewer))
        is_heavy = each * 20 > budget * 21
        heavy = heavy or is_heavy
        verdict = "too many: make it lighter, or set the budget and give the reason in the same commit"
        print(f"{work}: {each:,} instructions a request, budget {budget:,}" + (f"; {verdict}" if is_heavy else ""))
        works[work] = each
    if sys.argv[2:]:
        # As Foundation writes it, which writes the lines of each module.
        FILE.write_text(json.dumps(budgets, indent=2, sort_keys=True, separators=(",", " : ")) + "\n")
        return 0
    return 1 if heavy else 0


def live(bench, work, replications):
    done = subprocess.run(
        [
            "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", bench, "once", work, str(replications),
        ],
        # Hashes are seeded anew in every process, and so the number of collisions would differ.
        env=os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1"}, capture_output=True, text=True, check=True,
    )
    return int(re.search(r"Collected : (\d+)", done.stderr)[1]), int(done.stdout)


if __name__ == "__main__":
    sys.exit(main())
