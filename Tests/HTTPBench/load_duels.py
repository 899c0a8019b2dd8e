#!/usr/bin/env python3
"""Measures how often 'rehearse duel' errs about servers under load, and prints a table.

    load_duels.py .build/release/rehearse .build/release/faulty-server --unchanged 60 --slower 20

Unchanged: both sides are one server, which must not be told from itself. Slower: it takes 20 % more time for each answer of the second side. Servers are
nginx, where that is installed (unchanged only), and the faulty server with a service time; loads are open and closed. Ends with 1 where more
than 2 of 60 unchanged pairs are called changed, or fewer than 18 of 20 slower ones found.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from bench_http import Nginx

# Path of an unchanged server, the same with 20 % more service time, and the load; nginx has a service time of its own.
OPEN = {"rate": "200/s"}
CLOSED = {"users": "4"}
KINDS = [
    ("nginx, 500/s", "nginx", None, {"rate": "500/s"}),
    ("always 5 ms, 200/s", "fixed/5", "fixed/6", OPEN),
    ("exponential, mean 5 ms, 200/s", "exponential/5", "exponential/6", OPEN),
    ("4 ms, every fifth 20 ms, 200/s", "bimodal/4/20", "bimodal/4.8/24", OPEN),
    ("always 5 ms, 4 users", "fixed/5", "fixed/6", CLOSED),
    ("exponential, mean 5 ms, 4 users", "exponential/5", "exponential/6", CLOSED),
]


class Faulty:
    """The tests' server, which holds each answer as long as its path says."""

    def __init__(self, program):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.url = f"http://127.0.0.1:{self.process.stdout.readline().split()[0]}/"

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def duel(arguments, folder, kind, is_slower):
    """One duel; its exit code and its document."""
    name, path, slower, load = kind
    # One process: two of the same program can differ for as long as they live.
    if path == "nginx":
        own = tempfile.mkdtemp(dir=folder)
        os.chmod(own, 0o755)
        server = Nginx(own)
        urls = [server.url] * 2
    else:
        server = Faulty(arguments.server)
        urls = [server.url + path, server.url + (slower if is_slower else path)]
    output = tempfile.mkdtemp(dir=folder)
    file = os.path.join(output, "load.yaml")
    lines = ["rehearsal: 1", "timeline: wall", "load:", f'  urls: ["{urls[0]}"]']
    lines += [f'  {key}: "{value}"' for key, value in load.items()]
    lines += [f'  for: "{arguments.milliseconds}ms"']
    lines += [f'  {key}: "{arguments.lateness}"' for key in ("max-lateness", "max-stall") if arguments.lateness]
    with open(file, "w") as out:
        out.write("\n".join(lines) + "\n")
    run = subprocess.run(
        [
            arguments.rehearse, "duel", file, "--baseline-url", urls[0], "--url", urls[1],
            "--pairs", str(arguments.pairs), "--output", output, "--quiet",
        ],
        capture_output=True,
        text=True,
    )
    server.end()
    if run.returncode not in (0, 97):
        sys.exit(f"{name}: ended with {run.returncode}\n{run.stdout}{run.stderr}")
    with open(os.path.join(output, "duel.json")) as text:
        return run.returncode, json.load(text)


def measure(arguments, folder, count, is_slower):
    """So many duels over all kinds in turn; by kind how many there were, and what they were called."""
    kinds = [kind for kind in KINDS if not is_slower or kind[2]]
    found = {kind[0]: [] for kind in kinds}
    for number in range(count):
        kind = kinds[number % len(kinds)]
        began = time.time()
        code, document = duel(arguments, folder, kind, is_slower)
        verdicts = {metric["verdict"] for metric in document["metrics"]}
        called = [v for v in ("regression", "improved", "inconclusive") if v in verdicts]
        found[kind[0]].append(called[0] if called else "equivalent")
        print(
            f"{'slower' if is_slower else 'unchanged'} {number + 1} of {count}: {kind[0]}: "
            f"{found[kind[0]][-1]}, exit code {code}, {time.time() - began:.0f} s",
            file=sys.stderr, flush=True,
        )
    return {name: calls for name, calls in found.items() if calls}


def table(found):
    rows = ["| load | duels | regression | improved | inconclusive | equivalent |", "|---|---:|---:|---:|---:|---:|"]
    columns = ["regression", "improved", "inconclusive", "equivalent"]
    for name, calls in found.items():
        rows.append(f"| {name} | {len(calls)} | " + " | ".join(str(calls.count(c)) for c in columns) + " |")
    return "\n".join(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rehearse")
    parser.add_argument("server", help="the tests' faulty-server")
    parser.add_argument("--unchanged", type=int, default=60)
    parser.add_argument("--slower", type=int, default=20)
    parser.add_argument("--pairs", type=int, default=16)
    parser.add_argument("--milliseconds", type=int, default=1000, help="of one run")
    parser.add_argument("--lateness", help="of the generator that is allowed, on a machine that does other things, too: 1s")
    arguments = parser.parse_args()
    if not any(os.access(os.path.join(p, "nginx"), os.X_OK) for p in os.environ["PATH"].split(":")):
        KINDS.pop(0)
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        unchanged = measure(arguments, folder, arguments.unchanged, False)
        slower = measure(arguments, folder, arguments.slower, True)
    alarms = sum(c in ("regression", "improved") for calls in unchanged.values() for c in calls)
    finds = sum(c == "regression" for calls in slower.values() for c in calls)
    most, least = math.ceil(arguments.unchanged * 2 / 60), math.floor(arguments.slower * 18 / 20)
    load = os.getloadavg()[0]
    print(
        f"""# Duels of two servers under load

Measured by `make load-duels` on {os.cpu_count()} cores, load average {load:.1f} at the end: {arguments.pairs} runs a side of {arguments.milliseconds} ms, by turns, margin 5 %{f', the generator late by up to {arguments.lateness}' if arguments.lateness else ''}. Each row counts
what duels called any figure of theirs (mean, p50, p95, p99, share without an answer).

One server against itself: {alarms} of {arguments.unchanged} called changed (at most {most} may be).

{table(unchanged)}

20 % more service time on the second side: {finds} of {arguments.slower} found (at least {least} have to be).

{table(slower)}"""
    )
    sys.exit(0 if alarms <= most and finds >= least else 1)


if __name__ == "__main__":
    main()
