"""The sample world of Berlin, with an API token that only it knows, a push token, a file and somebody without a role."""

import hashlib
from datetime import datetime

from schemathesis.core.failures import AcceptedNegativeData
from twin import ask, command, now, without_origin

CONTAINER = "iCloud.com.mimisupply.app"
API_TOKEN = "contract-test"
CUSTOMER = "session-customer-1"
PARTNER = "session-partner-1"
NONCE = "0123456789abcdefghijklmnopqrstu"


def session(name):
    return {"ckAPIToken": API_TOKEN, "ckWebAuthToken": name}


def prepare():
    command("setApiTokens", tokens=[API_TOKEN])
    # The clock stands still, so that all requests are made within one window of MS-01.
    command("configure", requestsPerSecondPerUser=1_000_000)
    command("loadSampleWorld")
    stranger = ask("POST", "/mimi/1/auth/apple", sign_in("stranger", "0", now()), params=session(None))
    courier = ask(
        "POST", database("public", "tokens/create"), {"apnsEnvironment": "production"},
        params=session(CUSTOMER),
    )
    for zone in ("kitchen", "cellar"):
        ask(
            "POST", database("private", "zones/modify"),
            {"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": zone}}}]},
            params=session(CUSTOMER),
        )
    subscription = {"operations": [{"operationType": "create", "subscription": subscribed("kitchen")}]}
    ask("POST", database("private", "subscriptions/modify"), subscription, params=session(CUSTOMER))
    return {
        "stranger": stranger["ckWebAuthToken"],
        "courier": without_origin(courier["webcourierURL"]).split("/")[-1],
        "push token": courier["apnsToken"],
        "ticket": upload_target().split("/")[-1],
        "file": without_origin(sent_logo()).split("/")[-3:],
        "now": now(),
    }


def database(name, path):
    return f"/database/1/{CONTAINER}/production/{name}/{path}"


def upload_target():
    """Where a partner may send its logo."""
    field = {"recordType": "Partner", "fieldName": "logo", "recordName": "partner-1"}
    answer = ask(
        "POST", database("public", "assets/upload"), {"tokens": [field]}, params=session(PARTNER)
    )
    return without_origin(answer["tokens"][0]["url"])


def sent_logo():
    """Where the logo that a partner has sent may be fetched."""
    logo = ask("POST", upload_target(), data=b"picture")["singleFile"]
    partner = {
        "recordType": "Partner", "recordName": "partner-1", "fields": {"logo": {"value": logo}},
    }
    answer = ask(
        "POST", database("public", "records/modify"),
        {"operations": [{"operationType": "forceUpdate", "record": partner}]},
        params=session(PARTNER),
    )
    return answer["records"][0]["fields"]["logo"]["value"]["downloadURL"]


def subscribed(zone):
    return {"subscriptionID": zone, "subscriptionType": "zone", "zoneID": {"zoneName": zone}}


def sign_in(user, digit, instant):
    nonce = NONCE + digit
    issued = int(datetime.fromisoformat(instant).timestamp() * 1000)
    digest = hashlib.sha256(nonce.encode()).hexdigest()
    return {
        "identityToken": f"sim.{user}.{digest}.{issued}", "nonce": nonce, "deviceID": "device-x",
    }


def credential(operation, world):
    users = {"selectRole": world["stranger"], "partnerStats": PARTNER}
    return {"query": session(users.get(operation, CUSTOMER))}


def examples(world):
    """Every operation once as it succeeds; those that may be asked in two ways have two names, the second with a 2."""
    zone, new_zone = ({"zoneID": {"zoneName": name}} for name in ("kitchen", "garden"))
    bodies = {
        "query": ("public", {"query": {"recordType": "Partner"}, "resultsLimit": 3}),
        "lookup": ("public", {"records": [{"recordName": "partner-1"}]}),
        "modify": (
            "private",
            {
                "operations": [
                    {
                        "operationType": "create",
                        "record": {
                            "recordType": "UserPreferences", "recordName": "preferences",
                            "fields": {"language": {"value": "de"}},
                        },
                    }
                ]
            },
        ),
        "changes": ("private", zone),
        "listZones": ("private", None),
        "listZones2": ("private", {}),
        "lookupZones": ("private", {"zones": [zone]}),
        "modifyZones": ("private", {"operations": [{"operationType": "create", "zone": new_zone}]}),
        "changedZones": ("private", {}),
        "changedZones2": ("private", {}),
        "listSubscriptions": ("private", None),
        "listSubscriptions2": ("private", {}),
        "lookupSubscriptions": ("private", {"subscriptions": [{"subscriptionID": "kitchen"}]}),
        "modifySubscriptions": (
            "private", {"operations": [{"operationType": "create", "subscription": subscribed("cellar")}]},
        ),
        "createToken": (None, {"apnsEnvironment": "production"}),
        "createToken2": ("public", {"apnsEnvironment": "production"}),
        "registerToken": (None, {"apnsEnvironment": "production", "apnsToken": world["push token"]}),
        "registerToken2": ("public", {"apnsEnvironment": "production", "apnsToken": world["push token"]}),
        "requestUploads": (
            "public", {"tokens": [{"recordType": "UserProfile", "fieldName": "profileImage"}]},
        ),
        "currentUser": ("public", None),
        "currentUser2": ("public", {}),
    }
    file, expires, key = world["file"]
    ticket = {"path_parameters": {"ticket": world["ticket"]}}
    sent = {"body": b"picture", "media_type": "*/*"}
    return {name: [in_database(*example)] for name, example in bodies.items()} | {
        "upload": [ticket | sent],
        "upload2": [ticket | sent],
        "download": [{"path_parameters": {"file": file, "expires": expires, "key": key}}],
        "poll": [{"path_parameters": {"token": world["courier"]}, "query": {"timeout": "0"}}],
        "signIn": [{"body": sign_in("somebody", "1", world["now"])}],
        "selectRole": [{"body": {"role": "customer"}}],
        "partnerStats": [{"path_parameters": {"partner": "partner-1"}}],
    } | {
        name: [{"body": {}}] for name in ("refresh", "signOut", "exportAccount", "deleteAccount")
    }


def in_database(name, body):
    place = {"container": CONTAINER, "environment": "production"}
    if name is not None:
        place["database"] = name
    example = {"path_parameters": place}
    return example if body is None else example | {"body": body}


def adjust(case, world):
    """The clock stands still: whoever waited for a notification would wait for ever."""
    if (case.path_parameters or {}).get("token") == world["courier"]:
        case.query = (case.query or {}) | {"timeout": "0"}


def is_success(response):
    """Items of a batch may fail each by itself."""
    return response.status_code < 300 and b'"serverErrorCode"' not in response.content


def excuses(failure, case, response):
    """A record whose fields have no such type is refused by itself, in an answer that is 200 (§3.3, Batches)."""
    return (
        isinstance(failure, AcceptedNegativeData)
        and case.operation.definition.raw["operationId"] == "modify"
        and all("serverErrorCode" in record for record in response.json()["records"])
    )
