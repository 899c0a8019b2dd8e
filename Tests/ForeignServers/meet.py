#!/usr/bin/env python3
"""Meets agency_server.py with the stock scenario for servers of one's own, several times at once: runs mostly wait.

  meet.py REHEARSE MEETINGS     a JSON list of {"faults": […], "options": […], "hasOwnIDs": true, "isPrepared": true}, each left out or not

Prints for each meeting which limits were broken, how many were exercised, how the run ended, and what was said.
"""
import concurrent.futures, json, pathlib, signal, subprocess, sys, tempfile, time

HERE = pathlib.Path(__file__).resolve().parent
STOCK = HERE.parents[1] / "scenarios/load/agency-on-your-server.yaml"
QUICK = {"lasts: 1min": "lasts: 18s", "haste: 200": "haste: 1000", "mischiefEvery: 200ms": "mischiefEvery: 20ms", "people: 7": "people: 1"}


def scenario(meeting):
    more = "".join(f"    {line}\n" for name, line in (("hasOwnIDs", "ids: ids.csv"), ("isPrepared", "population: prepared")) if meeting.get(name))
    text = STOCK.read_text()
    for old, new in {**QUICK, "    services:": more + "    services:"}.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


def meet(rehearse, meeting):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "scenario.yaml").write_text(scenario(meeting))
        said = subprocess.run([rehearse, "persons", folder / "scenario.yaml", "--population"], capture_output=True, text=True, check=True).stdout
        records = json.loads(said.splitlines()[-1])["control"]["load"]
        if meeting.get("hasOwnIDs"):
            others = {record["id"]: "s-" + record["id"].removeprefix("staff_") for record in records["staff"]}
            (folder / "ids.csv").write_text("\n".join(f"{a},{b}" for a, b in [("name", "id"), *others.items()]))
            records["staff"] = [{**record, "id": others[record["id"]]} for record in records["staff"]]
        (folder / "records.json").write_text(json.dumps(records))
        faults = [word for fault in meeting.get("faults", []) for word in ("--fault", fault)]
        server = subprocess.Popen(
            [sys.executable, HERE / "agency_server.py", "--port", "0", "--fixture", folder / "records.json", *faults],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            run = subprocess.run(
                [rehearse, "run", folder / "scenario.yaml", "--quiet", "--no-store", "--output", folder / "run", *meeting.get("options", [])],
                env={"AGENCY": server.stdout.readline().split()[-1], "STARTS": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())},
                capture_output=True, text=True)
        finally:
            server.terminate()
            complaint = server.communicate()[1]
        limits = json.loads((folder / "run/result.json").read_text())["limits"]
    broken = [limit for limit in limits if limit["violations"]]
    return {
        "rules": [limit["id"] for limit in broken], "exercised": sum(limit["exercised"] > 0 for limit in limits), "status": run.returncode,
        "words": json.dumps([[limit["id"], [e["what"] for e in limit.get("evidence", [])[:3]]] for limit in broken]) + complaint}


def main():
    # Whoever starts this may keep signals back, and the servers end by one.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    rehearse, meetings = sys.argv[1], json.loads(sys.argv[2])
    with concurrent.futures.ThreadPoolExecutor(len(meetings)) as pool:
        print(json.dumps(list(pool.map(lambda meeting: meet(rehearse, meeting), meetings))))


if __name__ == "__main__":
    main()
