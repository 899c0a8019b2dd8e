"""A served twin, as the hooks ask it: the operator's commands and the product's own requests."""

import json
import os

import requests

# The first is the product's own.
SERVICES = json.loads(os.environ["REHEARSAL_SERVICES"])
SERVER = next(iter(SERVICES.values()))
DOMAIN = os.environ["REHEARSAL_DOMAIN"]
_connection = requests.Session()


def ask(method, path, body=None, status=200, **others):
    """A request that has to go well; its JSON answer, or its bytes."""
    answer = _connection.request(method, SERVER + path, json=body, timeout=10, **others)
    if answer.status_code != status:
        raise RuntimeError(f"{method} {path} answers {answer.status_code}: {answer.text[:500]}")
    return answer.json() if "json" in answer.headers.get("Content-Type", "") else answer.content


def command(name, /, **parameters):
    """One of the commands that `rehearse commands DOMAIN` lists."""
    return ask("POST", f"/_rehearsal/{DOMAIN}/{name}", parameters)


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def without_origin(url):
    return "/" + url.split("://", 1)[1].split("/", 1)[1]


def now():
    return json.loads(_connection.get(f"{SERVER}/_rehearsal/health", timeout=10).text)["now"]
