#!/usr/bin/env python3
"""A second program for Kilwinning, from the specification alone: random replays, each answer computed here and compared."""
import json, random, subprocess, sys, unicodedata
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo
UTC = timezone.utc
ROME = ZoneInfo("Europe/Rome")
RANK = {"Maestro": 0, "Compagno": 1, "Apprendista": 2}
ADMINS = ["Paolo Giulio Gazzano", "Emiliano Menicucci"]

def iso(t): return t.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
def parse(s): return datetime.fromisoformat(s.replace("Z", "+00:00")).astimezone(UTC).replace(microsecond=0)
def rome(y, mo, d, h=0, mi=0, s=0): return datetime(y, mo, d, h, mi, s, tzinfo=ROME).astimezone(UTC)

class Lodge:
    def __init__(self, fratelli, tornate, presenze, conteggio="svolte"):
        self.f = {x["id"]: dict(x) for x in fratelli}
        self.t = {x["id"]: dict(x) for x in tornate}
        self.p = {}
        self.lastp = 0
        for x in presenze:
            self.lastp = max(self.lastp, x.get("id", 0))
        self.lastp = 0
        for x in presenze:
            i = x.get("id") or self.lastp + 1
            self.lastp = max(self.lastp, i)
            self.p[(x["fratello_id"], x["tornata_id"])] = dict(id=i, status=x["status"], at=x.get("confirmed_at"))
        self.lastt = max([0] + list(self.t))
        self.sessions = {}
        self.keys = {}
        self.conteggio = conteggio
    # 6
    def start(self, b):
        d = self.f[b]["data_iniziazione"]
        if d is None: return None
        day = parse(d).astimezone(ROME).date()
        return datetime(day.year, day.month, day.day, tzinfo=ROME).astimezone(UTC)
    def eligible(self, b, t):
        s = self.start(b)
        return s is None or parse(t["data"]) >= s
    def inyear(self, t, anno): return anno is None or parse(t["data"]).astimezone(ROME).year == anno
    def held(self, t, now):
        if self.conteggio == "tutte": return True
        return t["stato"] == "completata" or (t["stato"] == "programmata" and parse(t["data"]) <= now)
    def counted(self, b, anno, now):
        c = [t for t in self.t.values() if self.eligible(b, t) and self.inyear(t, anno) and self.held(t, now)]
        return sorted(c, key=lambda t: (parse(t["data"]), t["id"]))
    def present(self, b, t):
        r = self.p.get((b, t["id"]))
        return r is not None and r["status"] == "Presente"
    def stats(self, b, anno, now):
        c = [self.present(b, t) for t in self.counted(b, anno, now)]
        ever = [self.present(b, t) for t in self.counted(b, None, now)]
        total, pres = len(c), sum(c)
        streak = 0
        for x in reversed(c):
            if not x: break
            streak += 1
        rec = run = 0
        for x in ever:
            run = run + 1 if x else 0
            rec = max(rec, run)
        return dict(totali_tornate=total, total_tornate=total, presenze_count=pres, presences=pres, absences=total - pres,
                    percentuale=0 if total == 0 else (100 * pres) // total, presenze_consecutive=streak,
                    consecutive_presences=streak, personal_record=rec, attendance_rate=0 if total == 0 else pres / total)
    def order(self):
        return sorted(self.f, key=lambda i: (RANK[self.f[i]["grado"]], [ord(c) for c in unicodedata.normalize("NFC", self.f[i]["nome"])]))
    def rows(self, anno, now):
        out = []
        for i in self.order():
            s = self.stats(i, anno, now)
            out.append(dict(id=i, nome=self.f[i]["nome"], grado=self.f[i]["grado"], presenze=s["presences"],
                            tornate_disponibili=s["total_tornate"], percentuale=s["percentuale"]))
        return out
    def csv(self, anno, now):
        def q(x):
            return '"' + x.replace('"', '""') + '"' if any(c in x for c in ',"\r\n') else x
        lines = ["id,nome,grado,presenze,tornate_disponibili,percentuale"]
        for r in self.rows(anno, now):
            lines.append(",".join([str(r["id"]), q(r["nome"]), r["grado"], str(r["presenze"]), str(r["tornate_disponibili"]), str(r["percentuale"])]))
        return "".join(l + "\r\n" for l in lines)
    def newest(self, ts): return sorted(ts, key=lambda t: (parse(t["data"]), t["id"]), reverse=True)
    def presenze(self, b, anno):
        ts = self.newest([t for t in self.t.values() if self.eligible(b, t) and self.inyear(t, anno)])
        out = []
        for t in ts:
            r = self.p.get((b, t["id"]))
            if r:
                out.append(dict(id=r["id"], fratello_id=b, brother_id=b, tornata_id=t["id"], presente=r["status"] == "Presente",
                                status=r["status"], confirmed_at=r["at"]))
        return out
    def tornata(self, t):
        loc = t["location"]
        enum = "Nostra Loggia - Tolfa" if "tolfa" in loc.lower() or "tofa" in loc.lower() else "Loggia in Visita"
        return dict(id=t["id"], discussione=t["discussione"], title=t["discussione"], data=iso(parse(t["data"])), date=iso(parse(t["data"])),
                    tipo=t["tipo"], type=t["tipo"], location=loc, location_enum=enum, introduced_by=t.get("introduced_by", ""),
                    cena=t["cena"], has_dinner=t["cena"], stato=t["stato"], status=t["stato"], notes=t.get("notes"),
                    cover_image_url=t.get("cover_image_url"))

class Script:
    def __init__(self, rng, name):
        self.r, self.name = rng, name
        self.lines, self.expect = [], []
    def line(self, obj, status=None, body=None, text=None, header=None, pick=None):
        self.lines.append(obj)
        self.expect.append((status, body, text, header, pick))
        return len(self.lines)

SPECIAL = [rome(2025, 1, 1), rome(2025, 1, 1) - timedelta(seconds=1), rome(2025, 1, 1, 0, 30), rome(2024, 12, 31, 23, 30),
           rome(2026, 1, 1), rome(2025, 12, 31, 23, 59, 59), rome(2025, 3, 30, 1, 59, 59), rome(2025, 3, 30, 3, 0, 0),
           rome(2025, 10, 26, 2, 30), rome(2025, 10, 26, 2, 30) + timedelta(hours=1), rome(2025, 7, 1, 0, 0), rome(2025, 7, 1, 0, 30),
           rome(2025, 6, 30, 23, 59, 59), rome(2025, 1, 15, 0, 0), rome(2025, 1, 15, 0, 30), rome(2025, 1, 14, 23, 59, 59)]
NAMES = ["Ada, la prima", 'Bea "B" Neri', "Carlo\r\nRiga", "Èzio Alti", "ezio bassi", "Nicolò Zan", "Nicoluccio Zan", "Ugo D'Arco", "Zeno Àlfa", "Zeno Alfa"]

def build(seed):
    r = random.Random(seed)
    n = r.randint(3, 8)
    names = ADMINS[:r.choice([1, 2])] + r.sample(NAMES, n)
    specials = SPECIAL[:]
    fr = []
    for i, nome in enumerate(names):
        d = None
        x = r.random()
        if x < 0.4: d = iso(r.choice(specials))
        elif x < 0.8: d = iso(rome(r.choice([2023, 2024, 2025]), r.randint(1, 12), r.randint(1, 28), r.choice([0, 1, 12, 22, 23]), r.randint(0, 59)))
        fr.append(dict(id=i + 1, nome=nome, grado=r.choice(list(RANK)), data_iniziazione=d))
    ts = []
    for i in range(r.randint(0, 40)):
        if r.random() < 0.5: at = r.choice(specials)
        else: at = rome(r.choice([2024, 2025, 2025, 2026]), r.randint(1, 12), r.randint(1, 28), r.choice([0, 19, 23]), r.choice([0, 30]))
        ts.append(dict(id=i + 1, discussione=f"Tema {i}", data=iso(at), tipo=r.choice(["ordinaria", "straordinaria", "cerimonia"]),
                       location=r.choice(["Nostra Loggia - Tolfa", "TOFA", "Roma"]), cena=r.random() < 0.5,
                       stato=r.choice(["programmata", "completata", "completata", "annullata"])))
    r.shuffle(ts)
    ps, pid = [], 0
    p_present = r.choice([0.3, 0.6, 0.9, 1.0])
    for f in fr:
        for t in ts:
            if r.random() < 0.7:
                pid += 1
                st = "Presente" if r.random() < p_present else r.choice(["Assente", "Non Confermato"])
                ps.append(dict(id=pid, fratello_id=f["id"], tornata_id=t["id"], status=st,
                               confirmed_at=None if st == "Non Confermato" else "2024-01-01T10:00:00Z"))
    L = Lodge(fr, ts, ps, r.choice(["svolte"] * 4 + ["tutte"]))
    S = Script(r, f"seed {seed}")
    now = rome(2025, 12, 29, 20, 0) if seed % 3 == 0 else rome(2025, 7, 2, 12, 0) if seed % 3 == 1 else rome(2025, 3, 28, 21, 0)
    S.starts = iso(now)
    if L.conteggio == "tutte": S.line({"control": {"configure": {"conteggio": "tutte"}}})
    S.line({"control": {"load": {"fratelli": fr, "tornate": ts, "presenze": ps}}}, 200)
    clock = [now]
    live = {}   # name -> (line, last_verified, revoked)
    sess = []   # dict(owner, verified, revoked, line)
    def go(dt): clock[0] += dt
    def stamp(o):
        o["at"] = clock[0].strftime("%Y-%m-%dT%H:%M:%S") + "." + f"{clock[0].microsecond:06d}" + "Z"
        return o
    def state(s):
        if s["revoked"]: return "NON_AUTENTICATO"
        return "SESSIONE_SCADUTA" if clock[0] - s["verified"] > timedelta(seconds=28800) else None
    def req(method, path, s=None, send=None, headers=None, **expect):
        o = {"method": method, "path": "/api" + path, "headers": dict(headers or {})}
        if s is not None:
            tok = "{{%d.body.token}}" % s["line"]
            if r.random() < 0.8: o["headers"]["Authorization"] = r.choice(["Bearer ", "bearer "]) + tok
            else: o["headers"]["Cookie"] = "kilwinning_session=" + tok
        if send is not None:
            o["headers"]["Content-Type"] = "application/json"
            o["body"] = send
        return S.line(stamp(o), **expect)
    def login(i):
        nome = L.f[i]["nome"]
        line = req("POST", "/fratelli/login", send={"nome": " " + nome + "\t" if r.random() < 0.3 else nome}, status=200,
                   pick={"expires_at": iso(clock[0] + timedelta(seconds=28800)), "admin_access": nome in ADMINS, "user.nome": nome})
        s = dict(owner=i, verified=clock[0], revoked=False, line=line)
        sess.append(s)
        return s
    def code(c): return {"code": c}
    def guarded(s, admin=False):
        """None when the request may come, else (status, code)."""
        st = state(s)
        if st: return 401, st
        if admin and L.f[s["owner"]]["nome"] not in ADMINS: return 403, "ACCESSO_NEGATO"
        return None
    def anno():
        a = r.choice([None, "", "tutti", "TUTTI", "2024", "2025", "2025", "2026", "1999", " 2025", "25", "20250"])
        if a is None: return "", None, None
        from urllib.parse import quote
        if a in ("", "tutti", "TUTTI"): return "?anno=" + a, None, None
        if len(a) == 4 and a.isdigit(): return "?anno=" + a, int(a), None
        return "?anno=" + quote(a), None, "ANNO_NON_VALIDO"
    login(1)
    for _ in range(r.randint(40, 70)):
        go(r.choice([timedelta(0), timedelta(0), timedelta(seconds=1), timedelta(minutes=7), timedelta(hours=1), timedelta(hours=3),
                     timedelta(milliseconds=250), timedelta(hours=11)]) if r.random() < 0.9 else timedelta(days=2))
        if r.random() < 0.12:
            s = r.choice(sess)
            edge = s["verified"] + timedelta(seconds=28800) + r.choice([timedelta(0), timedelta(microseconds=1), timedelta(seconds=-1)])
            if edge > clock[0]: clock[0] = edge
        if r.random() < 0.08 and L.t:
            t = r.choice(list(L.t.values()))
            edge = parse(t["data"]) + r.choice([timedelta(0), timedelta(microseconds=-1), timedelta(seconds=-1)])
            if clock[0] < edge < clock[0] + timedelta(days=20): clock[0] = edge
        k = r.random()
        alive = [s for s in sess if state(s) is None]
        if k < 0.12 or (not alive and r.random() < 0.7):
            login(r.choice(list(L.f)))
            continue
        s = r.choice(alive) if alive and r.random() < 0.85 else r.choice(sess)
        g = guarded(s)
        if k < 0.32:
            b = r.choice(list(L.f) + [77])
            q, y, bad = anno()
            want = g or ((400, bad) if bad else (404, "FRATELLO_NON_TROVATO") if b == 77 else None)
            if want: req("GET", f"/presenze/fratello/{b}/statistiche{q}", s, status=want[0], pick=code(want[1]))
            else: req("GET", f"/presenze/fratello/{b}/statistiche{q}", s, status=200, body=L.stats(b, y, clock[0]))
        elif k < 0.42:
            b = r.choice(list(L.f))
            q, y, bad = anno()
            want = g or ((400, bad) if bad else None)
            if want: req("GET", f"/presenze/fratello/{b}{q}", s, status=want[0], pick=code(want[1]))
            else: req("GET", f"/presenze/fratello/{b}{q}", s, status=200, body=L.presenze(b, y))
        elif k < 0.50:
            q, y, bad = anno()
            want = g or ((400, bad) if bad else None)
            if want: req("GET", f"/presenze/riepilogo-fratelli{q}", s, status=want[0], pick=code(want[1]))
            else: req("GET", f"/presenze/riepilogo-fratelli{q}", s, status=200, body=L.rows(y, clock[0]))
        elif k < 0.56:
            q, y, bad = anno()
            want = guarded(s, True) or ((400, bad) if bad else None)
            if want: req("GET", f"/admin/presenze/riepilogo.csv{q}", s, status=want[0], pick=code(want[1]))
            else: req("GET", f"/admin/presenze/riepilogo.csv{q}", s, status=200, text=L.csv(y, clock[0]),
                      header=f"riepilogo-presenze-{y if y else 'tutti'}.csv")
        elif k < 0.62:
            q, y, bad = anno()
            stato = r.choice([None, "programmata", "completata", "annullata", "held"])
            qq = q + ("" if stato is None else ("&" if q else "?") + "stato=" + stato)
            if g: req("GET", "/tornate" + qq, s, status=g[0], pick=code(g[1]))
            elif bad or stato == "held": req("GET", "/tornate" + qq, s, status=400)
            else:
                ts2 = [t for t in L.t.values() if L.inyear(t, y) and (stato is None or t["stato"] == stato)]
                req("GET", "/tornate" + qq, s, status=200, body=[L.tornata(t) for t in L.newest(ts2)])
        elif k < 0.80:
            tid = r.choice(list(L.t) + [999]) if L.t else 999
            val = r.random() < 0.6
            body = {"tornata_id": tid, "presente": val}
            target = s["owner"]
            if r.random() < 0.3:
                target = r.choice(list(L.f) + [88])
                body["fratello_id"] = target
            headers = {}
            key = None
            if r.random() < 0.4:
                key = "k%d" % r.randint(1, 4)
                headers["Idempotency-Key"] = key
            def expected():
                if g: return g
                if target != s["owner"] and L.f[s["owner"]]["nome"] not in ADMINS: return 403, "ACCESSO_NEGATO"
                if target not in L.f: return 404, "FRATELLO_NON_TROVATO"
                kk = (s["owner"], key)
                if key and kk in L.keys and clock[0] - L.keys[kk][0] <= timedelta(hours=24):
                    if L.keys[kk][1] != body: return 409, "CHIAVE_RIUSATA"
                    return 200, L.keys[kk][2]
                if tid not in L.t: return 404, "TORNATA_NON_TROVATA"
                t = L.t[tid]
                if t["stato"] == "annullata": return 409, "TORNATA_ANNULLATA"
                if not L.eligible(target, t): return 422, "TORNATA_PRE_INIZIAZIONE"
                d = parse(t["data"])
                day = d.astimezone(ROME).date() - timedelta(days=5)
                nextday = day + timedelta(days=1)
                late = clock[0] < d and clock[0] >= datetime(nextday.year, nextday.month, nextday.day, tzinfo=ROME).astimezone(UTC)
                old = L.p.get((target, tid))
                if old is None:
                    L.lastp += 1
                    old = L.p[(target, tid)] = dict(id=L.lastp)
                old.update(status="Presente" if val else "Assente", at=iso(clock[0].replace(microsecond=0)))
                if key: L.keys[kk] = (clock[0], body, late)
                return 200, late
            st, what = expected()
            if st == 200: req("POST", "/presenze", s, body, headers, status=200, pick={"oltre_termine": what, "success": True})
            else: req("POST", "/presenze", s, body, headers, status=st, pick=code(what))
        elif k < 0.84:
            if g: req("GET", "/fratelli/me", s, status=g[0], pick=code(g[1]))
            else:
                req("GET", "/fratelli/me", s, status=200, pick={"id": s["owner"], "grado": L.f[s["owner"]]["grado"]})
                s["verified"] = clock[0]
        elif k < 0.86:
            if g: req("POST", "/fratelli/logout", s, {}, status=g[0], pick=code(g[1]))
            else:
                req("POST", "/fratelli/logout", s, {}, status=200)
                s["revoked"] = True
        elif k < 0.89:
            want = guarded(s, True)
            at = r.choice(SPECIAL + [clock[0].replace(microsecond=0)])
            body = dict(data=iso(at), discussione="  Nuova " if r.random() < 0.3 else "Nuova", location="Roma", cena=True, tipo="ordinaria", stato="completata")
            if want: req("POST", "/admin/tornate", s, body, status=want[0], pick=code(want[1]))
            else:
                L.lastt += 1
                t = dict(id=L.lastt, discussione="Nuova", data=iso(at), tipo="ordinaria", location="Roma", cena=True, stato="programmata")
                L.t[t["id"]] = t
                req("POST", "/admin/tornate", s, body, status=201, pick={"id": t["id"], "stato": "programmata"})
        elif k < 0.94:
            want = guarded(s, True)
            tid = r.choice(list(L.t) + [999]) if L.t else 999
            ch = {}
            if r.random() < 0.6: ch["stato"] = r.choice(["programmata", "completata", "annullata"])
            if r.random() < 0.4: ch["data"] = iso(r.choice(SPECIAL))
            if r.random() < 0.2: ch["notes"] = r.choice([None, "nota"])
            if want: req("PUT", f"/admin/tornate/{tid}", s, ch, status=want[0], pick=code(want[1]))
            elif tid not in L.t: req("PUT", f"/admin/tornate/{tid}", s, ch, status=404, pick=code("TORNATA_NON_TROVATA"))
            else:
                L.t[tid].update(ch)
                if r.random() < 0.9 or True: req("PUT", f"/admin/tornate/{tid}", s, ch, status=200, body=L.tornata(L.t[tid]))
        elif k < 0.965:
            want = guarded(s, True)
            tid = r.choice(list(L.t) + [999]) if L.t else 999
            if want: req("DELETE", f"/admin/tornate/{tid}", s, status=want[0], pick=code(want[1]))
            elif tid not in L.t: req("DELETE", f"/admin/tornate/{tid}", s, status=404, pick=code("TORNATA_NON_TROVATA"))
            else:
                req("DELETE", f"/admin/tornate/{tid}", s, status=200)
                del L.t[tid]
                L.p = {k2: v for k2, v in L.p.items() if k2[1] != tid}
        else:
            want = guarded(s, True)
            b = r.choice(list(L.f))
            ch = {"grado": r.choice(list(RANK))}
            x = r.random()
            if x < 0.6: ch["data_iniziazione"] = iso(r.choice(SPECIAL))
            elif x < 0.7: ch["data_iniziazione"] = None
            if want: req("PUT", f"/fratelli/{b}", s, ch, status=want[0], pick=code(want[1]))
            else:
                L.f[b]["grado"] = ch["grado"]
                if "data_iniziazione" in ch: L.f[b]["data_iniziazione"] = ch["data_iniziazione"]
                req("PUT", f"/fratelli/{b}", s, ch, status=200, pick={"grado": ch["grado"], "data_iniziazione": L.f[b]["data_iniziazione"]})
    return S

def check(S, binary):
    text = "".join(json.dumps(l, ensure_ascii=False) + "\n" for l in S.lines)
    out = subprocess.run([binary, "replay", "kilwinning", "-", "--starts", S.starts], input=text, capture_output=True, text=True)
    answers = [json.loads(l) for l in out.stdout.splitlines()]
    bad = 0
    if len(answers) != len(S.lines):
        print(S.name, "answers", len(answers), "of", len(S.lines), out.stderr[:400]); return 1
    for i, (line, want, got) in enumerate(zip(S.lines, S.expect, answers)):
        status, body, text, header, pick = want
        why = None
        if status is not None and got["status"] != status: why = f"status {got['status']} not {status}"
        elif body is not None and got["body"] != body: why = f"body\n   {json.dumps(got['body'], ensure_ascii=False)[:1500]}\n   not\n   {json.dumps(body, ensure_ascii=False)[:1500]}"
        elif text is not None and got["body"] != text: why = f"text {got['body']!r} not {text!r}"
        elif header is not None and header not in json.dumps(got["headers"]): why = f"header {got['headers']}"
        elif pick is not None:
            for k, v in pick.items():
                x = got["body"]
                for part in k.split("."): x = x.get(part) if isinstance(x, dict) else None
                if x != v: why = f"{k} is {x!r} not {v!r}: {json.dumps(got['body'])[:300]}"
        if why:
            bad += 1
            print(S.name, "line", i + 1, json.dumps(line, ensure_ascii=False)[:300], "\n  ", why)
            if bad > 2: break
    return bad

def write(S, path):
    """As the tests read it: each line with what has to come of it."""
    with open(path, "w") as f:
        f.write(json.dumps({"starts": S.starts}) + "\n")
        for line, (status, body, text, header, pick) in zip(S.lines, S.expect):
            due = {"line": line, "status": status}
            if body is not None: due["body"] = body
            if text is not None: due["body"] = text
            if pick is not None: due["members"] = pick
            f.write(json.dumps(due, ensure_ascii=False, separators=(",", ":")) + "\n")

if __name__ == "__main__":
    if sys.argv[1] == "--write":
        for seed in map(int, sys.argv[3:]): write(build(seed), f"{sys.argv[2]}/lodge-{seed}.jsonl")
    else:
        binary, a, b = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
        scripts = [build(seed) for seed in range(a, b)]
        wrong = sum(check(S, binary) > 0 for S in scripts)
        print(f"{b - a} sequences, {sum(len(S.lines) for S in scripts)} lines, {wrong} wrong")
