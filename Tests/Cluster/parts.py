#!/usr/bin/env python3
"""Whole runs in parts, with the built program.

  parts.py equal PROGRAM [--seed N] [--replications N] [SCENARIO...]
      Every scenario in 1, 2, 5 and 16 parts, merged in random order: the result is that of one run to the byte, outside 'machine'.
  parts.py kill PROGRAM [--seed N] [--times N]
      A part is killed with -9 at random moments: it is then there whole or not at all, nothing else is left, and the others stay.
  parts.py bench PROGRAM
      What parts cost beside one run, and what merging many costs.
"""
import argparse, os, pathlib, random, resource, shutil, subprocess, sys, tempfile, time, zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*arguments, cwd=ROOT, okay=(0, 96, 97, 98, 99)):
    """The exit code, and the processor seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run([str(a) for a in arguments], cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ended.returncode not in okay:
        sys.exit(f"{' '.join(map(str, arguments))}: exit code {ended.returncode}\n{ended.stderr.decode()}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return ended.returncode, seconds


def outside_machine(folder):
    text = (folder / "result.json").read_text()
    start = text.index('\n  "machine": {')
    return text[:start] + text[text.index("\n  }", start) + 4:]


def make(program, scenario, parts, folder, *more):
    seconds = 0
    for number in range(1, parts + 1):
        seconds += run(program, "run", scenario, "--part", f"{number}/{parts}", "--output", folder, "--quiet", *more)[1]
    return sorted(folder.glob("*.part")), seconds


def equal(program, seed, replications, scenarios):
    print(f"seed {seed}")
    chance = random.Random(seed)
    for scenario in scenarios:
        more = ["--seed", str(chance.randrange(1000)), "--workers", "2"]
        if replications:
            more += ["--replications", str(replications)]
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            code, _ = run(program, "run", scenario, "--output", folder / "whole", "--quiet", *more)
            whole = outside_machine(folder / "whole")
            for parts in (1, 2, 5, 16):
                files, _ = make(program, scenario, parts, folder / str(parts), *more)
                chance.shuffle(files)
                merged, _ = run(program, "merge", *files, "--output", folder / f"merged-{parts}", "--quiet")
                if merged != code or outside_machine(folder / f"merged-{parts}") != whole:
                    sys.exit(f"{scenario}: {parts} parts differ from one run ({' '.join(more)}; exit codes {merged}, {code})")
        print(f"{scenario}: equal in 1, 2, 5 and 16 parts", flush=True)


def kill(program, seed, times):
    """Half of the moments lie near the end, where the file is written."""
    print(f"seed {seed}")
    chance = random.Random(seed)
    scenario = ROOT / "Tests/Cluster/divided.yaml"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        begin = time.monotonic()
        make(program, scenario, 3, folder)
        took = (time.monotonic() - begin) / 3
        kept, part = (folder / "1-of-3.part").read_bytes(), folder / "2-of-3.part"
        whole = 0
        for _ in range(times):
            part.unlink(missing_ok=True)
            task = subprocess.Popen([program, "run", scenario, "--part", "2/3", "--output", folder, "--quiet"], cwd=ROOT)
            time.sleep(took * (chance.uniform(0.8, 1.2) if chance.random() < 0.5 else chance.random()))
            task.kill()
            task.wait()
            left = sorted(path.name for path in folder.iterdir())
            whole += part.exists()
            if left != ["1-of-3.part"] + ["2-of-3.part"] * part.exists() + ["3-of-3.part"] or (folder / "1-of-3.part").read_bytes() != kept:
                sys.exit(f"after kill -9 there is {left}")
            if part.exists():
                run(program, "merge", folder, "--output", folder / "out", "--quiet")
                shutil.rmtree(folder / "out")
        run(program, "run", scenario, "--part", "2/3", "--output", folder, "--quiet")
        run(program, "merge", folder, "--output", folder / "out", "--quiet")
        print(f"{times} times killed: {whole} times the part was there, whole, else it was not; nothing was left of it")


def bench(program):
    scenario = ROOT / "scenarios/season-saturday.yaml"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        # Parts are for what takes long: a replication of saturday takes seconds. Of one of four clubs, half a second, the start is a tenth.
        for small, name in ((ROOT / "scenarios/saturday.yaml", "saturday"), (ROOT / "Tests/Cluster/divided.yaml", "divided")):
            more = ["--replications", "16", "--workers", "1"]
            whole = [run(program, "run", small, "--output", folder / f"{name}-{turn}", "--quiet", *more)[1] for turn in range(2)]
            files, made = make(program, small, 16, folder / name, *more)
            merged = run(program, "merge", *files, "--output", folder / f"{name}-merged", "--quiet")[1]
            share = (made + merged) / min(whole)
            told = " and ".join(f"{seconds:.1f}" for seconds in whole)
            print(f"{name}.yaml, 16 replications: one run {told} s; 16 parts {made:.1f} s and merging {merged:.2f} s of processor: {share:.3f} times (goal 1.05)", flush=True)
        # Of a thousand parts of one replication each a few are made; they stand for the others under other numbers.
        seeds = 4
        made = [make_one(program, scenario, number, folder / "many") for number in range(1, seeds + 1)]
        print(f"a part of season-saturday: {max(file.stat().st_size for file in made) / 1000:.0f} kB (goal 200 kB)")
        for number in range(seeds + 1, 1001):
            (folder / "many" / f"{number:04}-of-1000.part").write_bytes(renumbered(made[number % seeds].read_bytes(), number))
        began = time.monotonic()
        merging = subprocess.Popen([program, "merge", folder / "many", "--output", folder / "all", "--quiet"], stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(merging.pid, 0)
        print(f"merging 1,000 parts of season-saturday: {time.monotonic() - began:.1f} s (goal 10 s), {usage.ru_maxrss / 1000:.0f} MB (goal 500 MB)")


def make_one(program, scenario, number, folder):
    run(program, "run", scenario, "--replications", "1000", "--part", f"{number}/1000", "--output", folder, "--quiet")
    return folder / f"{number:04}-of-1000.part"


MASK = (1 << 64) - 1


def avalanche(word):
    word = word + 0x9e3779b97f4a7c15 & MASK
    word = ((word ^ word >> 30) * 0xbf58476d1ce4e5b9) & MASK
    word = ((word ^ word >> 27) * 0x94d049bb133111eb) & MASK
    return word ^ word >> 31


def digest(words):
    """As Contracts/Digest has it."""
    high, low = 0x9e3779b97f4a7c15, 0xd1b54a32d192ed03
    for word in words:
        a = (high ^ word) * 0xa0761d6478bd642f
        b = (low + ((word << 23 | word >> 41) & MASK) & MASK) * 0xe7037ed1a0b428db
        high, low = (a >> 64) ^ (a & MASK) ^ low, ((b >> 64) ^ (b & MASK)) + 0x8ebc6af09c88c6e3 & MASK
    return high, low


def varint(number):
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7f | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


def renumbered(file, number):
    """The part of another replication of seed 1, from one that holds a single one: `number`, from 1 on."""
    content, place = zlib.decompress(file[40:]), 0

    def number_at():
        nonlocal place
        found, shift = 0, 0
        while True:
            byte = content[place]
            place += 1
            found |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return found

    def skip():
        nonlocal place
        length = number_at()
        place += length

    for _ in range(3):  # kind, version, commit
        skip()
    head = content[:place]
    number_at()  # its number
    rest = place
    number_at()  # of how many
    number_at()  # round
    skip()  # work
    skip()  # processor
    number_at()  # workers
    number_at()  # seconds
    if number_at():  # is the clock known?
        number_at()
    middle = content[rest:place]
    number_at()  # bytes of the outcome
    number_at()  # one replication
    number_at()  # its index
    number_at()  # its seed
    index = number - 1
    seed = avalanche(1 ^ avalanche(index + 0x5265686561727361 & MASK))
    outcome = varint(1) + varint(index) + varint(seed) + content[place:]
    content = head + varint(number) + middle + varint(len(outcome)) + outcome
    packed = zlib.compress(content, 1)
    words = [1, len(content), len(packed)]
    words += [int.from_bytes(packed[at:at + 8], "little") for at in range(0, len(packed), 8)]
    return file[:16] + b"".join(word.to_bytes(8, "little") for word in (len(content), *digest(words))) + packed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["equal", "kill", "bench"])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("scenarios", nargs="*")
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--replications", type=int)
    parser.add_argument("--times", type=int, default=100)
    # Scenarios may stand behind options.
    given = parser.parse_intermixed_args()
    program = given.program.resolve()
    if given.what == "bench":
        return bench(program)
    if given.what == "kill":
        return kill(program, given.seed, given.times)
    scenarios = (ROOT / "scenarios").rglob("*.yaml")
    stock = sorted(str(path.relative_to(ROOT)) for path in scenarios if "\ntimeline: wall" not in path.read_text())
    equal(program, given.seed, given.replications, given.scenarios or stock)


if __name__ == "__main__":
    main()
