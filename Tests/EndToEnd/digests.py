"""Holds the digests of all stock scenarios in virtual time against digests.json.

    digests.py REHEARSE [--write] [SCENARIO...]

Each, or each of those named, lives once with seed 1, on one worker and on seven, which must agree. A digest that changed, or is missing, is an error; --write makes
what was found the table. Digests are frozen: whoever changes one says in the same commit why.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

FILE = Path(__file__).with_name("digests.json")
ROOT = FILE.parents[2]


def main():
    asked = [argument for argument in sys.argv[2:] if argument != "--write"]
    if len(sys.argv) < 2 or any(argument.startswith("-") for argument in asked):
        print(__doc__, file=sys.stderr)
        return 64
    known = json.loads(FILE.read_text()) if FILE.exists() else {}
    found = {}
    for path in sorted((ROOT / "scenarios").rglob("*.yaml")):
        if "\ntimeline: wall" in path.read_text():
            continue
        name = str(path.relative_to(ROOT))
        if asked and name not in asked:
            if name in known:
                found[name] = known[name]
            continue
        alone, together = live(sys.argv[1], path, 1), live(sys.argv[1], path, 7)
        found[name] = alone
        verdict = "other on seven workers" if alone != together else "as ever" if alone == known.get(name) else "changed"
        print(f"{name}: {alone['digest']}, {alone['requests']:,} requests, {verdict}", flush=True)
        if alone != together:
            found[name] = {"digest": f"{alone['digest']} or {together['digest']}"}
    if "--write" in sys.argv:
        FILE.write_text(json.dumps(found, indent=2) + "\n")
        return 0
    for name in known.keys() - found.keys():
        print(f"{name}: gone")
    return 0 if found == known else 1


def live(rehearse, scenario, workers):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [
                rehearse, "run", scenario, "--seed", "1", "--replications", "1", "--workers", str(workers), "--no-store", "--quiet",
                "--output", f"{folder}/run",
            ],
            capture_output=True,
        )
        result = json.loads(Path(folder, "run", "result.json").read_text())
    return {"requests": result["requests"], "digest": result["digest"]}


if __name__ == "__main__":
    sys.exit(main())
