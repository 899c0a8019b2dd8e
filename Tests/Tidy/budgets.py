"""Counts the instructions of a request by callgrind, and holds them against budgets.json.

    budgets.py BENCH [WORK…] [--write]

BENCH is rehearse-bench, or workshop-bench for the workshop, which lives a kind of work when asked `once WORK REPLICATIONS`, and prints how many requests were made. What two
replications take beyond one is divided by the requests that they have beyond it, so that starting the program does not count. More
than a twentieth beyond a budget is an error; --write makes the counts the budgets. Without WORK all that have one are counted.

For works below "lookups" it also lists what of Swift's run time may occur in the path of a request: functions that look up generic types
and conformances, cast, open existentials, or are Foundation's, and take more than five instructions a request; what making a region
looks up is less. Another one is an error.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LOOKUPS = re.compile(
    r"^_*swift_(getGenericMetadata|getAssociated|getWitnessTable|conforms|dynamicCast|getTypeByMangled|allocateGeneric|getForeign"
    r"|getOpaqueType|project_boxed_opaque|checkMetadataState|instantiate)|^_*(CF|NS|\$s10Foundation)"
)
FILE = Path(__file__).with_name("budgets.json")


def main():
    budgets = json.loads(FILE.read_text())
    works = budgets["instructions"]
    wanted = [word for word in sys.argv[2:] if word != "--write"] or list(works)
    if len(sys.argv) < 2 or not set(wanted) <= set(works):
        print(__doc__, file=sys.stderr)
        return 64
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {
            (work, replications): pool.submit(live, sys.argv[1], work, replications)
            for work in wanted for replications in (1, 2)
        }
    heavy = False
    for work in wanted:
        budget = works[work]
        (few, fewer, _), (many, more, _) = runs[work, 1].result(), runs[work, 2].result()
        each = round((many - few) / (more - fewer))
        is_heavy = each * 20 > budget * 21
        heavy = heavy or is_heavy
        verdict = "too many: make it lighter, or set the budget and give the reason in the same commit"
        print(f"{work}: {each:,} instructions a request, budget {budget:,}" + (f"; {verdict}" if is_heavy else ""))
        works[work] = each
    for work in [work for work in wanted if work in budgets["lookups"]]:
        allowed = budgets["lookups"][work]
        (_, fewer, few), (_, more, many) = runs[work, 1].result(), runs[work, 2].result()
        found = sorted(name for name in many if many[name] - few.get(name, 0) > 5 * (more - fewer))
        others = [name for name in found if name not in allowed]
        heavy = heavy or bool(others)
        print(f"{work}: looks up in a request: {', '.join(found) or 'nothing'}" + (f"; not allowed: {', '.join(others)}" if others else ""))
        budgets["lookups"][work] = found
    if "--write" in sys.argv:
        # As Foundation writes it, which writes the lines of each module.
        FILE.write_text(json.dumps(budgets, indent=2, sort_keys=True, separators=(",", " : ")) + "\n")
        return 0
    return 1 if heavy else 0


def live(bench, work, replications):
    with tempfile.NamedTemporaryFile() as counts:
        done = count(bench, work, replications, counts.name)
        return int(re.search(r"Collected : (\d+)", done.stderr)[1]), int(done.stdout), lookups(Path(counts.name))


def lookups(counts):
    """The instructions of each function of the run time that looks something up, by itself."""
    names, found, function, skips = {}, {}, "", False
    for line in counts.read_text().splitlines():
        if named := re.match(r"(c?)fn=\((\d+)\)(?: (.+))?", line):
            # A name is written where its number comes first, be it that of a function that is called.
            name = names.setdefault(named[2], named[3])
            function = function if named[1] else name.split("(")[0]
        elif line.startswith("calls="):
            # The line after it is what the called function took.
            skips = True
        elif cost := re.match(r"[+*-]?\d* ?(\d+)$", line):
            if not skips and LOOKUPS.match(function):
                found[function] = found.get(function, 0) + int(cost[1])
            skips = False
    return found


def count(bench, work, replications, file):
    return subprocess.run(
        [
            "valgrind", "--tool=callgrind", f"--callgrind-out-file={file}", bench, "once", work, str(replications),
        ],
        # Hashes are seeded anew in every process, and so the number of collisions would differ.
        env=os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1"}, capture_output=True, text=True, check=True,
    )


if __name__ == "__main__":
    sys.exit(main())
