"""How fast the workshop of scenarios/toy.yaml is here and as a SimPy program, in processor time on this machine.

    compare.py BINARY

BINARY is rehearse. Both live half a day of many workshops, by turns, with other seeds: Rehearsal with every check, digest, histogram and its
report, on one worker and counted from its start; SimPy with nothing but counts, and without the start of Python. Without SimPy it
says so, and nothing is wrong.
"""

import json
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

REPETITIONS, WORKSHOPS = 5, 100
HERE = Path(__file__).resolve().parent


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    try:
        import simpy
    except ImportError:
        print("The workshop beside SimPy: not measured, simpy is missing (make peers)")
        return 0
    ours, peers = [], []
    for seed in range(1, REPETITIONS + 1):
        ours.append(here(sys.argv[1], seed))
        peers.append(peer(seed))
    ratios = [peer / our for our, peer in zip(ours, peers)]
    print(
        f"The workshop of toy.yaml beside SimPy {simpy.__version__}, medians of {REPETITIONS}\n"
        f"  Rehearsal, with checks     {1e-3 / statistics.median(ours):.1f} k requests a processor second\n"
        f"  SimPy, without             {1e-3 / statistics.median(peers):.1f} k requests a processor second\n"
        f"  ratio                      {statistics.median(ratios):.2f} ({min(ratios):.2f}…{max(ratios):.2f})   goal 4"
    )
    return 0


def here(binary, seed):
    """Processor seconds a request."""
    text = (HERE.parent.parent / "scenarios/toy.yaml").read_text()
    for old, new in [("replications: 20", "replications: 1"), ("workshops: 2,", f"workshops: {WORKSHOPS},")]:
        assert text.count(old) == 1, f"scenarios/toy.yaml has no '{old}'"
        text = text.replace(old, new)
    with tempfile.TemporaryDirectory() as folder:
        scenario, report = Path(folder, "toy.yaml"), Path(folder, "run")
        scenario.write_text(text)
        before = processor_seconds()
        subprocess.run(
            [
                binary, "run", scenario, "--seed", str(seed), "--workers", "1", "--quiet", "--output", report,
            ],
            # One replication is too few for objectives: 'cannot tell' is the right verdict.
            check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        spent = processor_seconds() - before
        return spent / json.loads(Path(report, "result.json").read_text())["requests"]


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def peer(seed):
    """Processor seconds a request."""
    said = json.loads(subprocess.run(
        [sys.executable, HERE / "workshop.py", "--workshops", str(WORKSHOPS), "--seed", str(seed)],
        capture_output=True, text=True, check=True,
    ).stdout)
    return said["seconds"] / said["requests"]


if __name__ == "__main__":
    sys.exit(main())
