"""Tests served twins against the OpenAPI that they serve, with schemathesis.

    contract_test.py BINARY [DOMAIN…]

For each domain, or each that has a module in domains: starts BINARY serve on 127.0.0.1, lets schemathesis ask it
(hooks.py, schemathesis.toml), and sees to it that every operation has succeeded at least once. The exit code is 0
when all is well, 1 when something is wrong.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PATIENCE = 30


class Wrong(Exception):
    """What is wrong, for the reader."""


def main():
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 64
    every = sorted(file.stem.replace("_", "-") for file in Path(HERE, "domains").glob("*.py"))
    binary, domains = sys.argv[1], sys.argv[2:] or every
    failed = False
    for domain in domains:
        begun = time.monotonic()
        try:
            said = test(binary, domain)
        except Wrong as wrong:
            failed, said = True, f"FAILED\n{wrong}"
        print(f"{domain}: {said} ({time.monotonic() - begun:.0f} s)", flush=True)
    return 1 if failed else 0


def test(binary, domain):
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [binary, "serve", "--domain", domain, "--port", "0", "--control", "--clock", "manual"],
            stdout=subprocess.PIPE, text=True,
        )
        try:
            return ask(domain, addresses(server, domain), folder)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(PATIENCE)


def addresses(server, domain):
    """Where the server says that its services listen, by their names; it says so when they do. A domain of one service does not name it."""
    services = {}
    while len(services) < (1 if "" in services else 2):
        line = server.stdout.readline().split()
        if len(line) < 2 or line[0] != domain:
            raise Wrong(f"the server did not start: {' '.join(line) or 'it said nothing'}")
        services[" ".join(line[1:-1])] = line[-1]
    return services


def ask(domain, services, folder):
    answers, server = Path(folder, "answers.json"), next(iter(services.values()))
    environment = os.environ | {
        "REHEARSAL_SERVICES": json.dumps(services), "REHEARSAL_DOMAIN": domain, "REHEARSAL_ANSWERS": str(answers),
        "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1", "SCHEMATHESIS_HOOKS": "hooks",
    }
    schemathesis = Path(sys.executable).with_name("schemathesis")
    run = subprocess.run(
        [
            schemathesis, "--config-file", HERE / "schemathesis.toml", "run", "--no-color",
            f"{server}/_rehearsal/{domain}/openapi.json",
        ],
        cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    if run.returncode != 0 or not answers.exists():
        raise Wrong(run.stdout)
    found = json.loads(answers.read_text())
    missed = [
        f"  {operation} never succeeded: {statuses}"
        for operation, statuses in found["operations"].items()
        if not found["successes"].get(operation)
    ]
    if missed:
        raise Wrong("\n".join(missed))
    cases = sum(sum(statuses.values()) for statuses in found["operations"].values())
    return f"{len(found['operations'])} operations succeeded, {cases:,} cases conform"


if __name__ == "__main__":
    sys.exit(main())
