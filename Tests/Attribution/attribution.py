"""Who causes counting, allocation, copies, hashing and look-ups of types: samples of a program with their callers, by what the processor
was at and by the part of the program nearest above it.

usage: perf record -e cpu-clock -F 1500 --call-graph fp -o samples .build/release/workshop-bench once workshop 100
       perf script -i samples | swift demangle --simplified --compact | python3 Tests/Attribution/attribution.py

prints a table of percentages; parts below 0.4 % are left out
"""

import collections
import re
import sys

KINDS = [
    ("counting", r"^(_?swift_(retain|release|bridgeObject|isUnique)|(bool )?swift::RefCounts)"),
    ("allocation", r"^(malloc|_?_?int_(malloc|free)|c?free|realloc|tcache|unlink_chunk|swift_(slow)?[Aa]lloc|swift_(slow)?[Dd]ealloc|_swift_dealloc|swift_arrayDestroy|.*_allocateBuffer|.*ArrayStorage\.__dealloc|.*ArrayBuffer\.init\(_uninit)"),
    ("types", r"^(_?_?swift_(get|conforms|checkMetadata|instantiate|dynamicCast)|std::pair<swift|swift::Metadata|getCache|.*metadata accessor|.*ConcurrentReadableHashMap|tryCast)"),
    ("hashing", r"(Hasher|hash\(into|SipHash|RawDictionaryStorage\.find|NativeSet|NativeDictionary)"),
    ("copies", r"^(outlined |initializeWith|assignWith|destroy for|__swift_memcpy|_*mem(cpy|move)|swift_arrayInit|swift_cvw)"),
    ("strings", r"(String|Unicode|Character|Substring|Grapheme)"),
    ("thunks", r"(thunk for|partial apply|Chain\.)"),
]

# The first that a frame fits, from the innermost frame outwards.
PARTS = [
    ("nextDue", r"Twin\.nextDue"),
    ("facts", r"([A-Z][A-Za-z]+Facts|Roll|Keepings|Reminders|ExpectedAnswer|Inspected|NamesOfADienst)\.|[ .]Shelf\.(asked|set|holder|count|held|may|learn|is)"),
    ("histories", r"(Lines|Repeats|Attempts|NothingCarriedOver|BoardFreshness|RepairedOrphans|ReplacedPhones|Unrepaired|MailWishes|OfferedDiensten|SignedTokens|TimelyPushes)\."),
    ("checks", r"([A-Z][A-Za-z]+Checks|Promises|BoardShapes|AnswersAboutDiensten)\.|KKCall|in static Check"),
    ("routing to checks", r"(Library|Sight|Histories|Shelf|Chain|Seat|Locator|Roster|CheckRouter|CellCheckRuntime)"),
    ("business latencies", r"Business|MilestoneWatch|Flow\."),
    ("twin", r"([A-Z][A-Za-z]+Twin|Board|Club)\."),
    ("tally, digest", r"WorldTally|FunnelRecorder|ContractTable\.mixer|fingerprint|SharedList"),
    ("journeys", r"(Member|Adversary|Phone|Person|Manager)\."),
    ("network model", r"ModelledTransport|Mishaps|ServiceQueue"),
    ("recorder", r"Recorder"),
    ("event queue", r"EventQueue|EventLoop"),
    ("population", r"populate|PopulationPlan|PersonPlan"),
    ("region", r"Region|Transport"),
    ("Swift's tasks", r"swift_task|swift_job|AsyncTask|runJob"),
]
OWN = "own work"


def stacks(lines):
    """Lists of functions, innermost first."""
    stack = []
    for line in lines:
        if not line.strip():
            if stack:
                yield stack
            stack = []
        elif line[0] in " \t":
            frame = re.match(r"\s+[0-9a-f]+ (.*?)(\+0x[0-9a-f]+)? \([^()]*\)\s*$", line)
            if frame:
                stack.append(frame.group(1))
    if stack:
        yield stack


def main():
    kinds = [(name, re.compile(pattern)) for name, pattern in KINDS]
    parts = [(name, re.compile(pattern)) for name, pattern in PARTS]
    table = collections.defaultdict(collections.Counter)
    for stack in stacks(sys.stdin):
        kind = next((name for name, pattern in kinds if pattern.search(stack[0])), OWN)
        found = (name for frame in stack for name, pattern in parts if pattern.search(frame))
        table[next(found, "other")][kind] += 1
    whole = sum(row.total() for row in table.values())
    columns = [name for name, _ in KINDS] + [OWN]
    show = lambda count: f"{100 * count / whole:.1f}" if count else ""
    print("| part | all |", " | ".join(columns), "|")
    print("| --- |" + " --: |" * (len(columns) + 1))
    rows = sorted(table.items(), key=lambda row: -row[1].total())
    rows = [row for row in rows if row[1].total() >= 0.004 * whole]
    for name, row in rows + [("all", sum(table.values(), collections.Counter()))]:
        print("|", name, "|", show(row.total()), "|", " | ".join(show(row[c]) for c in columns), "|")


if __name__ == "__main__":
    main()
