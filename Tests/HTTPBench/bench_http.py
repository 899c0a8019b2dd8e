#!/usr/bin/env python3
"""Measures load over HTTP where that needs a quiet machine, and prints a table.

    bench_http.py .build/release/rehearse

Takes nginx as the server, and wrk beside it where that is installed. Ratios within one run travel between machines; absolute figures do not.
"""

import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time


class Nginx:
    """One worker that answers three bytes from memory."""

    def __init__(self, folder):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        path = os.path.join(folder, "nginx.conf")
        with open(path, "w") as file:
            file.write(
                f"""worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{ access_log off; keepalive_requests 1000000000;
  server {{ listen 127.0.0.1:{self.port}; location / {{ return 200 "ok\\n"; }} }} }}
"""
            )
        self.process = subprocess.Popen(["nginx", "-c", path, "-e", f"{folder}/error.log"])
        self.url = f"http://127.0.0.1:{self.port}/"
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        sys.exit("nginx does not start")

    def workers(self):
        found = subprocess.run(
            ["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True, check=True
        )
        return [int(line) for line in found.stdout.split()]

    def signal(self, number):
        for worker in self.workers():
            os.kill(worker, number)

    def end(self):
        self.process.terminate()
        self.process.wait()


def processor_time(command):
    """Runs a command; its output and the processor time that it took, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return result, took


class Load:
    """One run of 'rehearse load', and what it wrote."""

    def __init__(self, rehearse, folder, url, *options):
        output = tempfile.mkdtemp(dir=folder)
        command = [rehearse, "load", url, "--quiet", "--output", output, *options]
        self.run, self.took = processor_time(command)
        self.read(output)

    def read(self, output):
        with open(os.path.join(output, "result.json")) as file:
            self.result = json.load(file)
        self.requests = self.result["requests"]
        self.generator = self.result["generator"]

    def longest(self):
        return self.result["latencies"][0]["curve"][-1][1]

    def quantile(self, q):
        latencies = self.result["latencies"][0]["quantiles"]
        return next(each["seconds"] for each in latencies if abs(each["q"] - q) < 1e-9)


def beside_wrk(rehearse, folder, server):
    print("\nProcessor time a request, over connections that are always busy; medians of three by turns\n")
    print("| connections | rehearse load | requests/s | wrk | requests/s | ratio |\n|---:|---:|---:|---:|---:|---:|")
    has_wrk = shutil.which("wrk") is not None
    for connections in (32, 900):
        ours, theirs = [], []
        for _ in range(3):
            load = Load(rehearse, folder, server.url, "--users", str(connections), "--for", "4s")
            ours.append((load.took / load.requests, load.generator["reachedPerSecond"]))
            if has_wrk:
                result, took = processor_time(["wrk", "-t1", f"-c{connections}", "-d4s", server.url])
                requests = int(re.search(r"(\d+) requests in", result.stdout)[1])
                theirs.append((took / requests, requests / 4))
        (cost, rate) = sorted(ours)[1]
        line = f"| {connections} | {cost * 1e6:.1f} µs | {rate:,.0f} "
        if theirs:
            (other, other_rate) = sorted(theirs)[1]
            print(line + f"| {other * 1e6:.1f} µs | {other_rate:,.0f} | {cost / other:.2f} |")
        else:
            print(line + "| not installed | | |")


def lateness(rehearse, folder, server):
    print("\nAn open workload\n\n| wanted | answered | lateness p50 | p99 | p99.9 |\n|---:|---:|---:|---:|---:|")
    for rate in (1_000, 10_000):
        load = Load(rehearse, folder, server.url, "--rate", f"{rate}/s", "--for", "5s")
        late = [f"{each['seconds'] * 1e6:.0f} µs" for each in load.generator["lateness"] if each["q"] != 0.9]
        print(f"| {rate:,}/s | {load.generator['reachedPerSecond']:,.0f}/s | " + " | ".join(late) + " |")


def stopped_server(rehearse, folder, server):
    """The server stands still for two of three seconds.

    Calls that were due in the stop wait until its end, and then for those that were due before them: the backlog drains at the most
    that the server takes. So a share of (stop / whole) * (1 / (1 - load)) waits evenly between nothing and the stop, where load is
    what comes over what drains.
    """
    (lasts, stop, rate) = (3, 2, 1000)
    fastest = Load(rehearse, folder, server.url, "--users", "64", "--for", "2s")
    drains = fastest.generator["reachedPerSecond"]
    print(f"\nThe server stands still for {stop} s of {lasts} s, {rate:,} calls a second; it takes {drains:,.0f}/s at most\n")
    print("| | closed form | without the backlog | open workload | off by | closed workload |\n|---|---:|---:|---:|---:|---:|")
    seen = {}
    for kind in (["--rate", f"{rate}/s"], ["--users", "8"]):
        output = tempfile.mkdtemp(dir=folder)
        process = subprocess.Popen(
            [rehearse, "load", server.url, "--quiet", "--for", f"{lasts}s", "--output", output, *kind]
        )
        time.sleep(0.5)
        server.signal(signal.SIGSTOP)
        began = time.monotonic()
        time.sleep(stop)
        server.signal(signal.SIGCONT)
        stopped = time.monotonic() - began
        process.wait()
        load = Load.__new__(Load)
        load.read(output)
        seen[kind[0]] = load
        if kind[0] == "--rate":
            measured = stopped
    worst = 0
    for q in (0.5, 0.9, 0.99, 0.999, 1):
        simple = measured - (1 - q) * lasts
        expected = measured - (1 - q) * lasts * (1 - rate / drains)
        (ours, closed) = (seen[kind].longest() if q == 1 else seen[kind].quantile(q) for kind in ("--rate", "--users"))
        off = abs(ours - expected) / expected
        worst = max(worst, off)
        name = "max" if q == 1 else f"p{q * 100:g}"
        print(f"| {name} | {expected:.3f} s | {simple:.3f} s | {ours:.3f} s | {off:.1%} | {closed:.4f} s |")
    print(f"\nWithin 5 %: {'yes' if worst <= 0.05 else 'NO'}")


def stopped_generator(rehearse, folder, server, times=100):
    flagged = 0
    for _ in range(times):
        output = tempfile.mkdtemp(dir=folder)
        process = subprocess.Popen(
            [rehearse, "load", server.url, "--quiet", "--rate", "200/s", "--for", "1s", "--output", output],
            stderr=subprocess.DEVNULL,
        )
        time.sleep(0.5)
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.2)
        process.send_signal(signal.SIGCONT)
        flagged += process.wait() == 96
    print(f"\nThe generator stands still for 200 ms: flagged invalid {flagged} times of {times}")


def main():
    rehearse = os.path.abspath(sys.argv[1])
    if shutil.which("nginx") is None:
        sys.exit("nginx is needed: apt-get install nginx (and wrk, to measure beside it)")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        server = Nginx(folder)
        try:
            print(f"Load over HTTP on {os.cpu_count()} cores, load average {os.getloadavg()[0]:.2f} at the beginning")
            beside_wrk(rehearse, folder, server)
            lateness(rehearse, folder, server)
            stopped_server(rehearse, folder, server)
            stopped_generator(rehearse, folder, server)
        finally:
            server.end()


if __name__ == "__main__":
    main()
