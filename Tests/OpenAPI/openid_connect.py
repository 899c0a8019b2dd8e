"""Signs in at the served identity provider of AsiaTravelPlan with a client that was not written here: Authlib.

    openid_connect.py BINARY

Starts BINARY serve on 127.0.0.1, and lets Authlib discover the provider, sign in with PKCE, verify tokens against the
published keys, refresh, meet a rotation of keys, and sign out. The exit code is 0 when all is well, 1 when something is wrong.
"""

import re
import signal
import subprocess
import sys
import time
from html import unescape
from types import SimpleNamespace
from urllib.parse import parse_qs, urljoin, urlsplit

import requests
from authlib.common.security import generate_token
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.base_client.sync_app import OAuth2Base, OAuth2Mixin
from authlib.integrations.base_client.sync_openid import OpenIDMixin
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError
from joserfc.jwk import KeySet

CALLBACK = "asiatravelplan://auth/callback"
# Authlib tells the framework of refreshed tokens; there is none.
FRAMEWORK = SimpleNamespace(update_token=lambda *_, **__: None)


class Client(OAuth2Mixin, OpenIDMixin, OAuth2Base):
    """Authlib's client without a web framework around it."""

    client_cls = OAuth2Session


class Agent:
    """A browser: it keeps cookies, fills the login form, and stops at the app's own scheme."""

    def __init__(self):
        self.session = requests.Session()

    def visit(self, url, username=None, password=None):
        answer = self.session.get(url, allow_redirects=False, timeout=10)
        if answer.status_code == 200 and username:
            action = unescape(re.search(r'<form id="kc-form-login"[^>]*action="([^"]*)"', answer.text)[1])
            answer = self.session.post(
                urljoin(url, action), {"username": username, "password": password},
                allow_redirects=False, timeout=10,
            )
        return answer


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    server = subprocess.Popen(
        [sys.argv[1], "serve", "--domain", "asia-travel-plan", "--port", "0", "--control"],
        stdout=subprocess.PIPE, text=True,
    )
    begun = time.monotonic()
    try:
        api = server.stdout.readline().split()
        assert api[:2] == ["asia-travel-plan", "api"], api
        words = server.stdout.readline().split()
        assert words[:3] == ["asia-travel-plan", "identity", "provider"], words
        for step in (sign_in, rotate, confidential, refuse, fault):
            step(words[3])
    finally:
        server.send_signal(signal.SIGTERM)
        assert server.wait(30) == 0, "the server did not end in order"
    print(f"identity provider: Authlib signs in, refreshes, and signs out ({time.monotonic() - begun:.0f} s)")
    return 0


def command(server, name, **parameters):
    answer = requests.post(f"{server}/_rehearsal/asia-travel-plan/{name}", json=parameters, timeout=10)
    assert answer.status_code == 200, f"{name}: {answer.text}"


def client(server, name="asiatravelplan-ios", secret=None):
    return Client(
        FRAMEWORK, name, client_id=name, client_secret=secret,
        server_metadata_url=f"{server}/realms/master/.well-known/openid-configuration",
        client_kwargs={
            "scope": "openid profile email", "code_challenge_method": "S256",
            "token_endpoint_auth_method": "client_secret_basic" if secret else "none",
        },
    )


def log_in(app, agent, callback=CALLBACK, password="p"):
    """Authlib's way to a token, with the identity that it verified."""
    nonce = generate_token()
    begun = app.create_authorization_url(callback, nonce=nonce)
    answer = agent.visit(begun["url"], "Ada", password)
    assert answer.status_code == 302, answer.text
    returned = answer.headers["Location"]
    assert returned.startswith(callback + "?"), returned
    query = {name: values[0] for name, values in parse_qs(urlsplit(returned).query).items()}
    assert query["state"] == begun["state"]
    token = app.fetch_access_token(callback, code=query["code"], code_verifier=begun["code_verifier"])
    return token, app.parse_id_token(token, nonce, leeway=0)


def renew(app, token):
    with app._get_oauth_client(**app.load_server_metadata()) as session:
        return session.refresh_token(app.server_metadata["token_endpoint"], token["refresh_token"])


def claims(app, token):
    keys = KeySet.import_key_set(app.fetch_jwk_set(force=True))
    return jwt.decode(token["access_token"], keys, algorithms=["RS256"]).claims


def sign_in(server):
    command(
        server, "setUser", username="ada", email="ada@example.test", password="p",
        realmRoles=["atp_staff"], clientRoles={"asiatravelplan-backend": ["atp_manager"]},
    )
    app, agent = client(server), Agent()
    token, identity = log_in(app, agent)
    assert identity["preferred_username"] == "ada" and identity["email"] == "ada@example.test"
    assert token["token_type"] == "Bearer" and token["expires_in"] == 60
    access = claims(app, token)
    assert access["iss"] == app.server_metadata["issuer"] == f"{server}/realms/master"
    assert access["realm_access"] == {"roles": ["atp_staff"]} and access["sub"] == identity["sub"]

    again, _ = log_in(app, agent, password="wrong, and not asked for")
    assert again["session_state"] == token["session_state"]
    command(server, "setUser", username="ada", realmRoles=["atp_admin"])
    renewed = renew(app, token)
    assert claims(app, renewed)["realm_access"] == {"roles": ["atp_admin"]}

    out = app.create_logout_url(CALLBACK, id_token_hint=renewed["id_token"])
    answer = agent.visit(out["url"])
    assert answer.headers["Location"] == f"{CALLBACK}?state={out['state']}", answer.text
    expect_refused(lambda: renew(app, renewed), "invalid_grant")


def rotate(server):
    app, agent = client(server), Agent()
    before, _ = log_in(app, agent)
    command(server, "rotateKeys", keepOld=True)
    # Authlib has the old keys; it fetches the new ones because it does not know the name.
    after, _ = log_in(app, agent)
    assert claims(app, before)["sub"] == claims(app, after)["sub"]
    command(server, "rotateKeys", keepOld=False)
    log_in(app, agent)
    try:
        claims(app, after)
    except InvalidKeyIdError:
        return
    raise AssertionError("a token of a dropped key is still verified")


def confidential(server):
    address = "http://127.0.0.1:8787/auth/callback"
    right = client(server, "asiatravelplan-backend", "backend-secret")
    token, _ = log_in(right, Agent(), address)
    assert claims(right, token)["azp"] == "asiatravelplan-backend"
    wrong = client(server, "asiatravelplan-backend", "wrong")
    expect_refused(lambda: log_in(wrong, Agent(), address), "unauthorized_client")


def refuse(server):
    app = client(server)
    url = app.create_authorization_url("https://evil.example.test/", nonce="n")["url"]
    answer = Agent().visit(url)
    assert answer.status_code == 400 and "Location" not in answer.headers, answer.text
    begun = app.create_authorization_url(CALLBACK, nonce="n")
    answer = Agent().visit(begun["url"], "ada", "p")
    code = parse_qs(urlsplit(answer.headers["Location"]).query)["code"][0]
    spoilt = {"code": code, "code_verifier": generate_token(48)}
    expect_refused(lambda: app.fetch_access_token(CALLBACK, **spoilt), "invalid_grant")


def fault(server):
    """Faults between client and provider: a status and a delay by operation (7.6)."""
    app = client(server)
    command(server, "setFault", operation="keySet", kind="status", status=503)
    try:
        log_in(app, Agent())
        raise AssertionError("tokens were verified without keys")
    except requests.HTTPError as error:
        assert error.response.status_code == 503
    command(server, "clearFaults")
    command(server, "setFault", operation="discovery", kind="delay", delay="300ms", count=1)
    begun = time.monotonic()
    log_in(client(server), Agent())
    assert time.monotonic() - begun >= 0.3
    command(server, "endSessions", username="ada")
    command(server, "configure", accessTokenLifetime=5, rotatesRefreshTokens=True)
    token, _ = log_in(app, Agent())
    assert token["expires_in"] == 5
    renewed = renew(app, token)
    expect_refused(lambda: renew(app, token), "invalid_grant")
    expect_refused(lambda: renew(app, renewed), "invalid_grant")


def expect_refused(attempt, error):
    try:
        attempt()
    except OAuthError as refusal:
        assert refusal.error == error, refusal
        return
    raise AssertionError(f"not refused with {error}")


if __name__ == "__main__":
    sys.exit(main())
