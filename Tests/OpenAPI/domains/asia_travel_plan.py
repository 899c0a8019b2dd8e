"""A small agency: its administrator with a token of the identity provider, two bookings, an invoice, a tour, a customer.

The provider's own operations are tried by a client that was not written here: openid_connect.py.
"""

import base64
import hashlib
import re
from html import unescape
from urllib.parse import parse_qs, urljoin, urlsplit

import requests

from twin import SERVICES, ask, bearer, command

CALLBACK = "asiatravelplan://auth/callback"
VERIFIER = "v" * 43
MADE = "2026-03-01T06:00:00.000Z"


def is_asked(path):
    return not path.startswith("/realms/")


def prepare():
    command("setUser", username="alma", id="alma-id", email="alma@example.test", password="p", realmRoles=["atp_admin"])
    command(
        "load",
        staff=[{"id": "staff_a", "name": "Ada Alpha", "active": True, "usernames": ["ada"]}],
        customers=[{"id": "cust_1", "name": "Grace Hopper", "email": "grace@example.test"}],
        bookings=[
            {
                "id": name, "customer_id": "cust_1", "stage": "NEW", "destination": "Laos", "style": "Food", "travelers": 2,
                "created_at": MADE, "updated_at": MADE, "activities": [],
            }
            for name in ("booking_a", "booking_b")
        ],
        tours=[{"id": "tour_1", "title": "Laos by river", "destinationCountries": ["Laos"], "styles": ["Food"]}],
    )
    token = sign_in()
    items = {"items": [{"description": "Journey", "quantity": 1, "unit_amount_cents": 90_000}]}
    invoice = ask("POST", "/api/v1/bookings/booking_a/invoices", items, status=201, headers=bearer(token))
    return {"token": token, "invoice": invoice["invoice"]["id"]}


def sign_in():
    """Authorization code with PKCE at the realm of the shipped configuration."""
    provider = SERVICES["identity provider"] + "/realms/master/protocol/openid-connect"
    digest = hashlib.sha256(VERIFIER.encode()).digest()
    asked = {
        "client_id": "asiatravelplan-ios", "redirect_uri": CALLBACK, "response_type": "code", "scope": "openid",
        "state": "s", "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
        "code_challenge_method": "S256",
    }
    agent = requests.Session()
    page = agent.get(f"{provider}/auth", params=asked, allow_redirects=False, timeout=10)
    action = unescape(re.search(r'<form id="kc-form-login"[^>]*action="([^"]*)"', page.text)[1])
    form = {"username": "alma", "password": "p"}
    back = agent.post(urljoin(page.url, action), form, allow_redirects=False, timeout=10)
    code = parse_qs(urlsplit(back.headers["Location"]).query)["code"][0]
    exchange = {
        "grant_type": "authorization_code", "client_id": "asiatravelplan-ios", "redirect_uri": CALLBACK, "code": code,
        "code_verifier": VERIFIER,
    }
    return agent.post(f"{provider}/token", exchange, timeout=10).json()["access_token"]


def credential(operation, world):
    return {"headers": bearer(world["token"])}


def examples(world):
    booking, tour = {"path_parameters": {"bookingId": "booking_a"}}, {"path_parameters": {"tourId": "tour_1"}}
    invoice = {"path_parameters": {"bookingId": "booking_a", "invoiceId": world["invoice"]}}
    trip = {
        "name": "Linus Pauling", "email": "linus@example.test", "destination": "Laos", "style": "Food",
        "travelMonth": "2026-11", "travelers": 2, "duration": "3-5 days",
    }
    return {
        "bootstrap": [{}],
        "bookings": [{}, {"query": {"page": 1, "page_size": 20, "stage": "NEW", "search": "laos", "sort": "created_at_asc"}}],
        "booking": [booking],
        "changeStage": [booking | {"body": {"stage": "QUALIFIED"}}],
        "assign": [booking | {"body": {"staff": "staff_a"}}, booking | {"body": {"owner_id": None}}],
        "activities": [booking],
        "addActivity": [booking | {"body": {"type": "NOTE", "detail": "Called the customer"}}],
        "invoices": [booking],
        "staff": [{}, {"query": {"active": "false"}}],
        "addStaff": [{"body": {"name": "Ben Beta", "usernames": ["ben"], "languages": ["English"]}}],
        "me": [{}],
        "browserMe": [{}],
        "tours": [{}, {"query": {"destination": "Laos", "sort": "title_asc"}}],
        "tour": [tour],
        "addTour": [{"body": {"title": "Food", "destinationCountries": ["Laos"], "styles": ["Food"], "durationDays": 7}}],
        "changeTour": [tour | {"body": {"priority": 7}}],
        "customers": [{}, {"query": {"search": "grace"}}],
        "customer": [{"path_parameters": {"customerId": "cust_1"}}],
        "addInvoice": [booking | {"body": {"items": [{"description": "x", "quantity": 2, "unit_amount_cents": 100}]}}],
        "changeInvoice": [invoice | {"body": {"sent_to_customer": True, "title": "Your journey"}}],
        "requestTrip": [{"body": trip, "headers": {"Idempotency-Key": "key-1"}}],
        "health": [{}],
    }
