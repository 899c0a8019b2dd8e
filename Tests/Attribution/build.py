#!/usr/bin/env python3
"""What a build costs, by module: runs a command and looks twice a second at the compilers that it starts.

usage: python3 Tests/Attribution/build.py [--rows N] COMMAND...

The command keeps its exit code and what it prints. Where Tests/Tidy/budgets.json has a figure for the command, which then builds from nothing, it is
named beside: of another machine, so that only figures of one session can be compared. The table shows processor seconds of the compilers of each module, of the linker and of
the rest (the package's plan, C sources, what was missed between the last look and a process's end). Reads /proc; elsewhere there is no table.
"""
import json, os, pathlib, resource, subprocess, sys, time

TICKS = os.sysconf("SC_CLK_TCK")


def living():
    """Each process that lives: its name, the fields of its stat from the parent on, and its folder below /proc."""
    for process in pathlib.Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                stat = (process / "stat").read_text()
            except OSError:
                continue
            yield int(process.name), stat[stat.index("(") + 1:stat.rindex(")")], stat[stat.rindex(")") + 2:].split(), process


def looked(build, seen):
    """Keeps the processor seconds so far of each compiler and linker below the build."""
    processes = list(living())
    parents = {number: int(fields[1]) for number, _, fields, _ in processes}
    for number, name, fields, process in processes:
        if not name.startswith(("swift-frontend", "clang", "ld", "lld", "gold")):
            continue
        above = number
        while above > 1 and above != build:
            above = parents.get(above, 0)
        if above != build:
            continue
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        part = "all else" if name.startswith(("swift", "clang")) else "linking"
        if b"-module-name" in words:
            part = words[words.index(b"-module-name") + 1].decode()
        # A process's number and its start tell it from a later one with the same number.
        seen[number, fields[19]] = part, (int(fields[11]) + int(fields[12])) / TICKS


def main():
    words = sys.argv[1:]
    rows = 25
    if words[:1] == ["--rows"]:
        rows, words = int(words[1]), words[2:]
    if not words:
        sys.exit(__doc__)
    seen, began = {}, time.monotonic()
    build = subprocess.Popen(words)
    while build.poll() is None:
        if os.path.isdir("/proc/self"):
            looked(build.pid, seen)
        time.sleep(0.5)
    wall = time.monotonic() - began
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    whole = usage.ru_utime + usage.ru_stime
    by_part = {}
    for part, seconds in seen.values():
        by_part[part] = by_part.get(part, 0) + seconds
    by_part["all else"] = by_part.pop("all else", 0) + max(0, whole - sum(seconds for _, seconds in seen.values()))
    ranked = sorted(by_part.items(), key=lambda each: (-each[1], each[0]))
    shown = [each for each in ranked if each[0] != "all else"][:rows]
    print(f"\n{whole:.0f} s of processor in {wall:.0f} s, by module:", file=sys.stderr)
    for part, seconds in shown + [("all else", whole - sum(seconds for _, seconds in shown))]:
        print(f"{seconds:7.0f}  {part}", file=sys.stderr)
    budgets = json.loads((pathlib.Path(__file__).parent.parent / "Tidy/budgets.json").read_text())["seconds"]
    if budget := budgets.get(" ".join(words)):
        print(f"{budget:7.0f}  committed for a build from nothing", file=sys.stderr)
    # As a shell has it for what a signal ended.
    sys.exit(build.returncode if build.returncode >= 0 else 128 - build.returncode)


main()
