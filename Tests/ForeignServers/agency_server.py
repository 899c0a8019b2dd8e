#!/usr/bin/env python3
"""A small server for the booking agency's API (operations OP-01 to OP-18) that test tools can be pointed at.

Callers are told apart by the headers X-User (preferred_username), X-Roles (comma-separated), X-Subject (sub; default:
X-User) and X-Email. No X-User: no token; an empty one: a token without preferred_username. With --trust-tokens an
Authorization header, where one is sent, is read instead. The fixture is a JSON file of records with the members of
section 2; lists, nullable members and "activities" may be missing; the order in the file is the insertion order:
  {"staff": [...], "tours": [...], "customers": [...], "invoices": [...],
   "bookings": [{"id": "booking_1", "customer_id": "cust_1", "stage": "NEW", ..., "activities": [...]}],
   "bootstrap": {"min_supported_version": "1.0.0", "latest_version": "1.0.0", "force_update": false}}
"""
import argparse, base64, contextlib, json, math, os, re, signal, sys, threading, time, traceback, unicodedata, uuid
from collections import namedtuple
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote

FAULTS = {  # name: (source, what happens); the first eight have a switch in 8.3 and make up the profile as-built
    "accountant-edits": ("DIF-01", "an accountant may create activities and write invoices"),
    "accountant-assigns": ("DIF-02", "an accountant may assign staff"),
    "accountant-lists-staff": ("DIF-03", "an accountant may list the staff directory"),
    "unassign-ignored": ("DIF-04", "unassigning answers 200 and is logged, but the assignment stays"),
    "lost-updates": ("DIF-05", "parallel writes overwrite each other although all were confirmed"),
    "torn-reads": ("DIF-06", "requests get 500 while a write is in progress"),
    "no-me": ("DIF-07", "/api/v1/me is missing"),
    "null-body-500": ("DIF-08", "the body null gives 500 with an internal text"),
    "fractional-pages": ("DIF-09", "fractional page and page_size are used as they are (not in as-built)"),
    "invoice-500": ("DIF-10", "invoice creation and content change give 500 (not in as-built)"),
    "no-cross-origin": ("ATP-95", "only answers to OPTIONS carry the cross-origin headers (not in as-built)")}
PAUSE = 0.005  # seconds that a write takes with the faults lost-updates and torn-reads
STAGES = {"NEW": 2, "QUALIFIED": 8, "PROPOSAL_SENT": 24, "NEGOTIATION": 48, "INVOICE_SENT": 24,
          "PAYMENT_RECEIVED": None, "WON": 24, "LOST": None, "POST_TRIP": None}  # hours until due
ADMIN, MANAGER, ACCOUNTANT, STAFF = ROLES = "atp_admin", "atp_manager", "atp_accountant", "atp_staff"
may = {"enter": set(ROLES), "read": {ADMIN, MANAGER, ACCOUNTANT}, "edit": {ADMIN, MANAGER}, "assign": {ADMIN, MANAGER},
       "list staff": {ADMIN, MANAGER}, "create staff": {ADMIN, MANAGER}, "read tours": {ADMIN, ACCOUNTANT},
       "edit tours": {ADMIN}}
CORS = {"Access-Control-Allow-Credentials": "true", "Access-Control-Allow-Methods": "GET,POST,PATCH,OPTIONS",
        "Access-Control-Allow-Headers": "Content-Type, Idempotency-Key, Authorization, X-Requested-With"}
SOURCE = "page_url", "utm_source", "utm_medium", "utm_campaign", "referrer"
CONTACT = "name", "email", "phone", "language"
User = namedtuple("User", "sub name email roles")
on, options, settings, writing, lock = set(), None, {}, [], threading.Lock()  # on: the faults
store = {name: {} for name in ("staff", "tours", "customers", "bookings", "timelines", "invoices")}

class Refusal(Exception):
    """Status and content of an answer."""

def need(condition, status, error, **more):
    if not condition:
        raise Refusal(status, {"error": error, **more})

def now():
    return datetime.utcnow().isoformat(timespec="milliseconds") + "Z"
def due(when, stage):
    hours = timedelta(hours=STAGES[stage] or 0)
    return STAGES[stage] and (datetime.fromisoformat(when) + hours).isoformat(timespec="milliseconds")[:23] + "Z"
def new_id(prefix):
    return f"{prefix}_{uuid.uuid4()}"
def text(value):  # O-24 leaves objects and arrays open: their text form, too
    value = int(value) if isinstance(value, float) and value.is_integer() else value
    return "" if value is None else value.strip() if isinstance(value, str) else json.dumps(value)
def texts(value):
    return [t for t in map(text, value if isinstance(value, list) else text(value).split(",")) if t]
def whole(value):
    return int(text(value)[:20]) if re.fullmatch("[+-]?[0-9]+", text(value)) else None
def locale_order(name):
    plain = unicodedata.normalize("NFKD", name.casefold().replace("đ", "d\U0010ffff"))
    return "".join(c for c in plain if not unicodedata.combining(c)), plain, name.swapcase()

def staff_record(given, key):
    names = dict.fromkeys(name.lower() for name in texts(given.get("usernames")))
    return {"id": key, "name": text(given.get("name")), "active": given.get("active") not in (False, "false"),
            "usernames": list(names), **{n: texts(given.get(n)) for n in ("destinations", "languages")}}

def assigned(staff, name):
    return {"staff": staff, "staff_name": name, "owner_id": staff, "owner_name": name}

def load(fixture):
    given = {"min_supported_version": "1.0.0", **fixture.get("bootstrap", {})}
    settings.update({"latest_version": given["min_supported_version"], **given})
    settings["force_update"] = text(given.get("force_update")).lower() == "true"
    store["staff"].update((s["id"], staff_record(s, s["id"])) for s in fixture.get("staff", []))
    for name in ("tours", "customers"):
        store[name].update((record["id"], record) for record in fixture.get(name, []))
    for invoice in fixture.get("invoices", []):
        store["invoices"].setdefault(invoice["booking_id"], {})[invoice["id"]] = invoice
    for booking in fixture.get("bookings", []):
        key, timeline = booking["id"], booking.pop("activities", [])
        store["timelines"][key] = sorted(timeline, key=lambda entry: entry["created_at"])
        store["bookings"][key] = {"sla_due_at": None, **booking, **assigned(booking.get("staff"), booking.get("staff_name"))}

def header_user(headers):
    names = options.user_header, options.subject_header, options.email_header, options.roles_header
    name, sub, email, roles = (headers.get(n, "").encode("latin-1").decode("utf-8", "replace").strip() for n in names)
    roles = {role.strip() for role in roles.split(",")}
    return User(sub or name, name or None, email or None, roles) if options.user_header in headers else None

def token_user(authorization):
    """The signature is not checked, but a token without one is refused (ATP-24)."""
    try:
        scheme, token = authorization.split(" ", 1)
        *parts, signature = token.split(".")
        head, claims = (json.loads(base64.urlsafe_b64decode(part + "==")) for part in parts)
        client, groups = claims.get("resource_access", {}).get("asiatravelplan-backend", {}), claims.get("groups", [])
        lists = (claims.get("realm_access", {}).get("roles"), client.get("roles"), claims.get("roles"), groups,
                 [group.rsplit("/", 1)[-1] for group in groups])
        roles = {role for found in lists if isinstance(found, list) for role in found}
        valid = (scheme == "Bearer" and signature and head["alg"] != "none" and options.issuer in (None, claims.get("iss"))
                 and claims.get("nbf", 0) <= time.time() < claims.get("exp", math.inf))
        return User(*(text(claims.get(n)) or None for n in ("sub", "preferred_username", "email")), roles) if valid else None
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        return None

class Call:
    def __init__(self, user, query, headers, raw, tables):
        vars(self).update(tables, user=user, headers=headers, raw=raw)
        self.query = dict(reversed(parse_qsl(query, keep_blank_values=True)))  # the first of a repeated name counts
    def body(self, right="enter"):
        self.allow(right)
        need(not options.body_limit or len(self.raw) <= options.body_limit, 413, "Payload too large")
        try:
            value = json.loads(self.raw.decode("utf-8"), parse_constant=int) if self.raw else {}  # int refuses NaN
        except (ValueError, RecursionError):
            raise Refusal(400, {"error": "Invalid JSON payload"}) from None
        need(value is not None or "null-body-500" not in on, 500, "Internal server error", detail="Cannot read null")
        return value if isinstance(value, dict) else {}  # O-24; a lone text or number acts as {}, too
    def record(self):  # the caller's staff record, section 6
        name = (self.user.name or "").strip().lower()
        records = self.staff.values() if name and STAFF in self.user.roles else ()
        return next((record for record in records if name in record["usernames"]), None)
    def allow(self, right):
        need(not self.user or self.user.roles & may[right], 403, "Forbidden")
    def get(self, kind, key, right="enter"):
        self.allow(right)
        need(key in vars(self)[kind + "s"], 404, f"{kind.capitalize()} not found")
        return vars(self)[kind + "s"][key]
    def booking(self, key, right):  # own bookings give every right but that to assign
        booking, record = self.get("booking", key), self.record()
        if right == "assign" or not record or booking["staff"] != record["id"]:
            self.allow(right)
        return booking
    def add(self, booking_id, kind, actor, detail, when):
        entry = dict(id=new_id("act"), booking_id=booking_id, type=kind, actor=actor, detail=detail, created_at=when)
        self.timelines[booking_id] = self.timelines.get(booking_id, []) + [entry]
        return entry
    def change(self, booking, kind, detail, **fields):
        """Stores an activity and the booking's new fields; returns both."""
        key, last = booking["id"], self.timelines[booking["id"]][-1:]
        when = max([now(), booking["updated_at"]] + [entry["created_at"] for entry in last])
        if "stage" in fields:
            fields["sla_due_at"] = due(when, fields["stage"])
        self.bookings[key] = {**booking, **fields, "updated_at": when}
        entry = self.add(key, kind, self.user.name or self.user.email or self.user.sub, detail, when)
        return {"booking": self.bookings[key]}, {"activity": entry}
    def filter(self, name):
        return self.query.get(name, "").strip() or None
    def search(self, items, fields):
        wanted = (self.filter("search") or "").lower()  # 3.2: an empty field keeps its place in the join
        return wanted or None, [i for i in items if not wanted or wanted in " ".join(f or "" for f in fields(i)).lower()]
    def page(self, items, sort, **filters):
        def number(name, default, largest):
            given = self.query.get(name, "")
            fraction = "fractional-pages" in on and re.fullmatch(r"[0-9]+\.[0-9]+", given)
            value = float(given) if fraction else whole(given) or 0
            return min(max(value, 1), largest) if value else default
        page, size = number("page", 1, 100_000), number("page_size", 25, 100)
        start = (page - 1) * size
        return {"items": items[int(start):int(start + size)], "total": len(items), "page": page, "page_size": size,
                "total_pages": max(1, math.ceil(len(items) / size)), "filters": filters, "sort": sort}

def booking_list(call):
    record, stage, owner = call.record(), (call.filter("stage") or "").upper(), call.filter("owner_id")
    call.allow("enter" if record else "read")
    visible, stage = None if call.user.roles & may["read"] else record["id"], stage if stage in STAGES else None
    search, items = call.search((b for b in call.bookings.values() if visible in (None, b["staff"])
                                 and stage in (None, b["stage"]) and owner in (None, b["staff"])), lambda b: (
        [b.get(n) for n in ("id", "destination", "style", "staff_name", "notes")]
        + [call.customers.get(b["customer_id"], {}).get(n) for n in ("name", "email")]))
    sort = call.query.get("sort") or "created_at_desc"
    known = sort in ("created_at_asc", "updated_at_desc", "sla_due_at_asc", "sla_due_at_desc")
    key, direction = sort.rsplit("_", 1) if known else ("created_at", "desc")
    dated = sorted((b for b in items if b[key]), key=lambda b: b[key], reverse=direction == "desc")  # both stable
    return call.page(dated + [b for b in items if not b[key]], sort, stage=stage, owner_id=owner, search=search)

def new_invoice(call, booking):
    key, when = new_id("inv"), now()
    numbers = (i.get("invoice_number") or "" for invoices in call.invoices.values() for i in invoices.values())
    highest = max([int(n[4:]) for n in numbers if re.fullmatch("ATP-[0-9]{6,15}", n)], default=0)
    return {"id": key, "booking_id": booking["id"], "customer_id": booking["customer_id"], "version": 0, "status": "DRAFT",
            "invoice_number": f"ATP-{highest + 1:06}", "currency": "USD", "issue_date": when[:10], "due_date": None,
            "title": None, "notes": None, "sent_to_customer": False, "sent_to_customer_at": None, "total_amount_cents": 0,
            "due_amount_cents": 0, "pdf_url": f"/api/v1/invoices/{key}/pdf", "created_at": when, "items": []}

INVOICE = {"currency": lambda new, old: new if re.fullmatch("[A-Z]{3}", new) else "USD",
           "due_amount_cents": lambda new, old: max(whole(new) or 0, 0) or old,
           **dict.fromkeys(("invoice_number", "issue_date"), lambda new, old: new or old),
           **dict.fromkeys(("due_date", "title", "notes"), lambda new, old: new or None)}

def write_invoice(call, booking, body, old):
    """Section 2.4; it does not say what becomes of items without a positive amount: they are left out."""
    content, sent, new = {"items", *INVOICE} & set(body), body.get("sent_to_customer"), dict(old)
    if "items" in body or not old["version"]:
        lines = [i for i in body["items"] if isinstance(i, dict)] if isinstance(body.get("items"), list) else []
        priced = [(i, max(whole(i.get("quantity")) or 1, 1), whole(i.get("unit_amount_cents")) or 0) for i in lines]
        new["items"] = [{"id": new_id("inv_item"), "description": text(line.get("description")), "quantity": quantity,
                         "unit_amount_cents": amount, "total_amount_cents": quantity * amount}
                        for line, quantity, amount in priced if amount > 0]
        need(new["items"], 422, "At least one invoice item is required")
        new["total_amount_cents"] = new["due_amount_cents"] = sum(i["total_amount_cents"] for i in new["items"])
    need(booking["customer_id"] in call.customers, 422, "Booking customer not found")
    need("invoice-500" not in on or not content, 500, "Internal server error", detail="Unknown image format")
    new.update((n, convert(text(body[n]), new.get(n))) for n, convert in INVOICE.items() if n in body)
    if isinstance(sent, bool) and old["version"]:
        first = (old.get("sent_to_customer_at") or now()) if sent else None
        new.update(sent_to_customer=sent, sent_to_customer_at=first, status="INVOICE_SENT" if sent else "DRAFT")
    if content or isinstance(sent, bool):
        new.update(version=old["version"] + bool(content), updated_at=max(now(), old.get("updated_at") or ""))
    call.invoices[booking["id"]] = {**call.invoices.get(booking["id"], {}), new["id"]: new}
    return {"invoice": new}

TOUR = {"title": text, "shortDescription": text, "destinationCountries": texts, "styles": texts, "priority": whole,
        "durationDays": whole, "priceFrom": whole, "seasonality": text, "highlights": texts, "image": text,
        "rating": lambda value: min(max(value, 0), 5) if isinstance(value, (int, float)) else None}

def write_tour(call, old, body):
    tour = {**old, **{n: convert(body[n]) for n, convert in TOUR.items() if n in body}, "updated_at": now()}
    for name in ("title", "destinationCountries", "styles"):
        need(tour[name], 422, f"{name} is required")
    call.tours[tour["id"]] = tour
    return {"tour": tour}

def tour_values(call):
    return {f"available_{name}": sorted({v for tour in call.tours.values() for v in tour[member]}, key=locale_order)
            for name, member in (("destinations", "destinationCountries"), ("styles", "styles"))}

def tour_list(call):  # OP-13 leaves open which members are searched and how destination and style are compared
    call.allow("read tours")
    search, items = call.search(call.tours.values(), lambda t: (
        t["id"], t["title"], t.get("shortDescription"), *t["destinationCountries"], *t["styles"]))
    destination, style, sort = call.filter("destination"), call.filter("style"), call.query.get("sort") or "updated_at_desc"
    items = [t for t in items if destination in (None, *t["destinationCountries"]) and style in (None, *t["styles"])]
    items.sort(key=lambda t: t.get("updated_at") or "", reverse=True)
    if sort == "title_asc":
        items.sort(key=lambda t: locale_order(t["title"]))
    return {**call.page(items, sort, destination=destination, style=style, search=search), **tour_values(call)}

def within(a, b, edits):  # whether the edit distance of two texts is at most so many edits
    same = len(os.path.commonprefix((a, b)))
    a, b = a[same:], b[same:]
    if not a or not b:
        return len(a) + len(b) <= edits
    return edits > 0 and any(within(x, y, edits - 1) for x, y in ((a[1:], b[1:]), (a[1:], b), (a, b[1:])))

def same_customer(customers, new):
    """ATP-90: the same e-mail before the same phone digits before a similar name."""
    def keys(c):
        return (c.get("email") or "").lower(), re.sub("[^0-9]", "", c.get("phone") or ""), (c.get("name") or "").lower(), c
    (email, phone, name, _), known = keys(new), [keys(customer) for customer in customers]
    found = ([k for k in known if k[0] == email] or [k for k in known if phone and k[1] == phone]
             or [k for k in known if len(name) >= 4 and len(k[2]) >= 4 and within(name, k[2], 2)])
    return found[0][3] if found else None

def trip_request(call, body):
    required = "name", "email", "destination", "style", "travelMonth", "travelers", "duration"
    form = {name: text(body.get(name)) for name in (*required, *CONTACT, "budget", "notes", "pageUrl", *SOURCE)}
    travelers, when, key = whole(body.get("travelers")), now(), call.headers.get("Idempotency-Key", "").strip() or None
    missing = [name for name in required if not form[name] or name == "travelers" and travelers == 0]
    need(not missing, 422, f"Missing required fields: {', '.join(missing)}")
    need(re.fullmatch(r"[^\s@]+@[^\s@]+\.[^\s@]+", form["email"]), 422, "Invalid email")
    need(travelers and 1 <= travelers <= 30, 422, "Travelers must be between 1 and 30")
    first = next((b for b in call.bookings.values() if key and b.get("idempotency_key") == key), None)
    if first:
        answer = {"booking_id": first["id"], "customer_id": first["customer_id"], "status": "accepted"}
        return 200, {**answer, "deduplicated": True}
    contact, booking_id = {name: form[name] for name in CONTACT}, new_id("booking")
    known = same_customer(call.customers.values(), contact)
    customer = known or {"id": new_id("cust"), **contact, "created_at": when, "tags": []}
    call.customers[customer["id"]] = {**customer, **{n: v for n, v in contact.items() if v}, "updated_at": when}
    call.bookings[booking_id] = {
        **{n: form[n] for n in ("destination", "style", "duration", "budget", "notes")}, **assigned(None, None),
        "id": booking_id, "customer_id": customer["id"], "stage": "NEW", "sla_due_at": due(when, "NEW"),
        "travel_month": form["travelMonth"], "travelers": travelers, "idempotency_key": key, "created_at": when,
        "updated_at": when, "source": {**{n: form[n] for n in SOURCE}, "page_url": form["pageUrl"]}}
    call.add(booking_id, "BOOKING_CREATED", "public_api", "Booking created from website form", when)
    return 201, {"booking_id": booking_id, "customer_id": customer["id"], "status": "accepted", "deduplicated": bool(known)}

def operation(call, *parts):
    """Answers with status and content; parts: the method and the names between the slashes of the path."""
    match parts if parts[-1] else parts[:1]:  # no path with a trailing slash is known
        case "GET", "public", "v1", "mobile", "bootstrap":
            return 200, {"app": settings, "api": {"contract_version": "2026-03-01.1"},
                         "features": {"bookings": True, "customers": False, "tours": False}}
        case "GET", "health":
            return 200, {"ok": True, "service": "agency-server", "stage_values": list(STAGES), "timestamp": now()}
        case "GET", "auth", "me": return 200, {"authenticated": False}
        case "POST", "public", "v1", "bookings": return trip_request(call, call.body())
        case "GET", "api", "v1", "me" if "no-me" not in on:
            user, roles, record = call.user, [role for role in ROLES if role in call.user.roles], call.record() or {}
            return 200, {"authenticated": True, "user": {"sub": user.sub, "preferred_username": user.name,
                                                         "email": user.email, "roles": roles, "staff_id": record.get("id")}}
        case "GET", "api", "v1", "bookings": return 200, booking_list(call)
        case "GET", "api", "v1", "bookings", key:
            booking = call.booking(key, "read")
            return 200, {"booking": {**booking, "activities": call.timelines[key]},
                         "customer": call.customers.get(booking["customer_id"])}
        case "PATCH", "api", "v1", "bookings", key, "stage":
            stage = text(call.body().get("stage")).upper()
            need(stage in STAGES, 422, "Invalid stage")
            booking = call.booking(key, "read")
            need(booking["stage"] in STAGES, 409, f"Transition {booking['stage']} -> {stage} is not allowed")
            return 200, call.change(booking, "STAGE_CHANGED", f"Stage updated to {stage}", stage=stage)[0]
        case "PATCH", "api", "v1", "bookings", key, "owner":
            body, booking = call.body(), call.booking(key, "assign")
            staff = text(body.get("owner_id")) or text(body.get("staff")) or None
            record = call.staff.get(staff, {})
            need(not staff or record.get("active"), 422, "Staff member not found or inactive")
            fields = assigned(staff, record.get("name")) if staff or "unassign-ignored" not in on else {}
            detail = f"Staff set to {record['name']}" if staff else "Staff unassigned"
            return 200, call.change(booking, "STAFF_CHANGED", detail, **fields)[0]
        case "GET", "api", "v1", "bookings", key, "activities":
            timeline = call.timelines[call.booking(key, "read")["id"]]
            return 200, {"activities": timeline, "items": timeline, "total": len(timeline)}
        case "POST", "api", "v1", "bookings", key, "activities":
            body = call.body()
            need(text(body.get("type")), 422, "type is required")
            return 201, call.change(call.booking(key, "edit"), text(body["type"]).upper(), text(body.get("detail")))[1]
        case "GET", "api", "v1", "bookings", key, "invoices":
            items = call.invoices.get(call.booking(key, "read")["id"], {}).values()
            return 200, {"items": sorted(items, key=lambda i: i.get("updated_at") or "", reverse=True), "total": len(items)}
        case "POST", "api", "v1", "bookings", key, "invoices":
            body, booking = call.body(), call.booking(key, "edit")
            return 201, write_invoice(call, booking, body, new_invoice(call, booking))
        case "PATCH", "api", "v1", "bookings", key, "invoices", invoice_id:
            body, booking, invoices = call.body(), call.booking(key, "edit"), call.invoices.get(key, {})
            need(invoice_id in invoices, 404, "Invoice not found")
            return 200, write_invoice(call, booking, body, invoices[invoice_id])
        case "GET", "api", "v1", "staff":
            call.allow("list staff")
            items = [s for s in call.staff.values() if s["active"] or call.query.get("active") == "false"]
            return 200, {"items": sorted(items, key=lambda s: locale_order(s["name"])), "total": len(items)}
        case "POST", "api", "v1", "staff":
            record = staff_record(call.body("create staff"), new_id("staff"))
            need(record["name"], 422, "name is required")
            need(record["usernames"], 422, "at least one username is required")
            for other in call.staff.values():
                used = {*other["usernames"]} & {*record["usernames"]}
                need(not used, 409, f"username already in use by {other['name']}")
            call.staff[record["id"]] = record
            return 201, {"staff": record}
        case "GET", "api", "v1", "tours": return 200, tour_list(call)
        case "GET", "api", "v1", "tours", key:
            return 200, {"tour": call.get("tour", key, "read tours"), "options": tour_values(call)}
        case "POST", "api", "v1", "tours":
            body = call.body("edit tours")
            defaults = {**{name: convert(None) for name, convert in TOUR.items()}, "priority": 50, "created_at": now()}
            return 201, write_tour(call, {"id": new_id("tour"), **defaults}, body)
        case "PATCH", "api", "v1", "tours", key:
            body, tour = call.body("edit tours"), call.get("tour", key)
            need(body.get("id", key) == key, 422, "Tour id cannot be changed")
            return 200, write_tour(call, tour, body)
        case "GET", "api", "v1", "customers":  # OP-15 leaves open the order and which members are searched
            call.allow("read")
            search, items = call.search(call.customers.values(), lambda c: [c.get(n) for n in ("id", *CONTACT[:3])])
            return 200, call.page(items, None, search=search)
        case "GET", "api", "v1", "customers", key: return 200, {"customer": call.get("customer", key, "read")}
    need(parts[1] != "api" or len(parts) == 2, 404, "Not found")
    return 404, "<!doctype html><title>Not found</title><h1>Not found</h1>\n"

def handle(method, target, headers, raw):
    """Runs an operation under the lock or (lost-updates) on a copy of the store that replaces it afterwards."""
    global store
    (path, _, query), user, changes, lost = target.partition("?"), None, method != "GET", "lost-updates" in on
    parts = [unquote(part) for part in path.split("/")[1:]] or [""]
    if parts[:2] == ["api", "v1"] and len(parts) > 2:  # 3.3 says nothing of tokens on other paths below /api/
        authorization = headers.get("Authorization") if options.trust_tokens else None
        user = token_user(authorization) if authorization else header_user(headers)
        need(user and user.roles & may["enter"], 401, "Unauthorized")
    need(not writing, 500, "Internal server error", detail="Unexpected end of JSON input")
    with contextlib.nullcontext() if lost else lock:
        tables = {name: dict(table) for name, table in store.items()} if lost and changes else store
        answer = operation(Call(user, query, headers, raw, tables), method, *parts)
        if changes:
            time.sleep(PAUSE if lost else 0)
            store = tables
        if changes and "torn-reads" in on:
            writing.append(path)
            time.sleep(PAUSE)
            writing.pop()
    return answer

class Handler(BaseHTTPRequestHandler):
    protocol_version, wbufsize, disable_nagle_algorithm, path, command = "HTTP/1.1", -1, True, "", ""
    timeout = 6  # a second more than announced: a client within its right never meets a closing connection
    log_message = lambda *_: None
    def __getattr__(self, name):  # every method has the same entry
        return self.answer if name.startswith("do_") else object.__getattribute__(self, name)
    def send_error(self, code, message=None, explain=None):  # for malformed requests
        self.close_connection, self.request_version = True, "HTTP/1.0"
        self.reply(code, {"error": message or "Bad request"})
    def read(self, size, digits, base):
        need(re.fullmatch(digits, size), 400, "Bad request")
        data = self.rfile.read(int(size, base))
        need(len(data) == int(size, base), 400, "Bad request")
        return data
    def read_body(self):
        closing, self.close_connection, data = self.close_connection, True, b""  # an ill-formed body ends the connection
        if "Transfer-Encoding" not in self.headers:
            data = self.read(self.headers.get("Content-Length", "0"), "[0-9]{1,15}", 10)
        else:
            while (chunk := self.read(self.rfile.readline(99).decode("latin-1").split(";")[0].strip(), "[0-9A-Fa-f]{1,12}", 16)):
                data, _ = data + chunk, self.rfile.readline(3)
            while self.rfile.readline(999).strip():
                pass
        self.close_connection = closing
        return data
    def answer(self):
        try:
            raw = self.read_body()
            status, content = (204, "") if self.command == "OPTIONS" else handle(self.command, self.path, self.headers, raw)
        except Refusal as refusal:
            status, content = refusal.args
        except OSError:  # the client went away or is silent
            raise
        except Exception:
            traceback.print_exc()
            status, content = 500, {"error": "Internal server error"}
        self.reply(status, content)
    def reply(self, status, content):
        origin, html = vars(self).get("headers", {}).get("Origin"), isinstance(content, str)
        data = (content if html else json.dumps(content, separators=(",", ":"))).encode()
        kind = f"{'text/html' if html else 'application/json'}; charset=utf-8"
        optional = {"Vary": origin and "Origin", "Cache-Control": self.path == "/auth/me" and "no-store",
                    "Content-Type": status != 204 and kind, "Content-Length": status != 204 and str(len(data)),
                    "Connection": "close" if self.close_connection else "keep-alive",
                    "Keep-Alive": not self.close_connection and "timeout=5"}
        self.send_response(status)
        bare = "no-cross-origin" in on and self.command != "OPTIONS"
        cross = {} if bare else {**CORS, "Access-Control-Allow-Origin": origin or "*"}
        for name, value in {**cross, **optional}.items():
            if value:
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data if self.command != "HEAD" else b"")

def main():
    global options
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8787, help="on 127.0.0.1; 0: any free one")
    parser.add_argument("--fixture", metavar="FILE", type=argparse.FileType(encoding="utf-8"), help="initial data")
    parser.add_argument("--profile", choices=("documented", "as-built"), default="documented")
    parser.add_argument("--fault", action="append", choices=FAULTS, default=[], metavar="NAME", help="may be repeated")
    parser.add_argument("--list-faults", action="store_true", help="print the faults and where they come from")
    parser.add_argument("--trust-tokens", action="store_true", help="read bearer tokens; signatures are not checked")
    parser.add_argument("--issuer", metavar="URL", help="with --trust-tokens: refuse tokens of other issuers")
    parser.add_argument("--body-limit", type=int, metavar="BYTES", help="larger bodies give 413 (default: no limit)")
    for name in ("User", "Roles", "Subject", "Email"):
        parser.add_argument(f"--{name.lower()}-header", default=f"X-{name}", metavar="NAME")
    options = parser.parse_args()
    if options.list_faults:
        return print("\n".join(f"{name:24}{source:8}{meaning}" for name, (source, meaning) in FAULTS.items()))
    on.update(options.fault, list(FAULTS)[:8] if options.profile == "as-built" else ())
    for fault, right in zip(FAULTS, ("edit", "assign", "list staff")):
        may[right].update({ACCOUNTANT} if fault in on else ())
    load(json.load(options.fixture) if options.fixture else {})
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))
    ThreadingHTTPServer.request_queue_size = 512
    ThreadingHTTPServer.handle_error = lambda *_: None  # a client went away
    with ThreadingHTTPServer(("127.0.0.1", options.port), Handler) as server:
        print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
        server.serve_forever()

if __name__ == "__main__":
    main()
