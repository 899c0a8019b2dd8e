"""What schemathesis does with a twin of ours: every case meets the same fixture, with a valid credential.

A domain's module has `prepare()`, which loads the fixture and answers what was given out meanwhile (the world),
`credential(operation, world)` and `examples(world)`, both by operation identifiers; and, where it has to,
`adjust(case, world)`, `is_success(response)`, `is_asked(path)` and `excuses(failure, case, response)`.
"""

import atexit
import importlib
import json
import os
from collections import Counter, defaultdict
from datetime import datetime, timezone

import schemathesis
from hypothesis import strategies
from schemathesis.auths import AuthContext, set_on_case

import twin

_domain = importlib.import_module("domains." + twin.DOMAIN.replace("-", "_"))
_answers = defaultdict(Counter)
_successes = Counter()
_adjust = getattr(_domain, "adjust", lambda case, world: None)
_is_success = getattr(_domain, "is_success", lambda response: response.status_code < 300)
_is_asked = getattr(_domain, "is_asked", lambda path: True)
_excuses = getattr(_domain, "excuses", lambda failure, case, response: False)


def _name(operation):
    return operation.definition.raw["operationId"]


def _prepare():
    twin.command("reset")
    return _domain.prepare()


# A twin is deterministic: after a reset the same requests give the same tokens, which are good for the whole run.
_world = _prepare()
_is_changed = False
_examples = _domain.examples(_world)


def _restore():
    global _is_changed
    if _is_changed:
        again = _prepare()
        if again != _world:
            raise RuntimeError("After a reset the same requests gave other tokens.")
        _is_changed = False


@schemathesis.auth(refresh_interval=None)
class Credentials:
    """Not kept from case to case, because the operation decides who asks."""

    def get(self, case, context):
        return _domain.credential(_name(context.operation), _world)

    def set(self, case, data, context):
        for container, values in data.items():
            if getattr(case, container) is None:
                setattr(case, container, {})
            getattr(case, container).update(values)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """The document's own examples say "text"; the cases made around ours get as far as the product's rules."""
    raw_schema["paths"] = {path: methods for path, methods in raw_schema["paths"].items() if _is_asked(path)}
    for methods in raw_schema["paths"].values():
        for operation in methods.values():
            for example in _examples.get(operation["operationId"], [])[-1:]:
                _put(example, operation)


def _put(example, operation):
    for parameter in operation["parameters"]:
        container = "path_parameters" if parameter["in"] == "path" else parameter["in"]
        del parameter["example"]
        if parameter["name"] in example.get(container, {}):
            parameter["example"] = example[container][parameter["name"]]
    if isinstance(example.get("body"), dict):
        operation["requestBody"]["content"]["application/json"]["example"] = example["body"]


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether it counts."""
    return not _excuses(failure, case, response)


@schemathesis.hook
def before_init_operation(context, operation):
    """So that an operation that nobody asks is missed."""
    _answers[operation.label]


# Instants are read from the year 1700 to 2200; JSON Schema has no bounds for a date-time.
schemathesis.openapi.format(
    "date-time",
    strategies.datetimes(
        datetime(1700, 1, 1), datetime(2199, 12, 31), timezones=strategies.just(timezone.utc)
    ).map(lambda instant: instant.isoformat().replace("+00:00", "Z")),
)


@schemathesis.deserializer("application/octet-stream")
def deserialize_bytes(context, response):
    """Any bytes will do for a file, but they have to be looked at as something that JSON has."""
    return response.content.decode("latin-1")


@schemathesis.hook
def before_add_examples(context, examples):
    operation = context.operation
    for example in _examples.get(_name(operation), []):
        if "body" in example:
            example = {"media_type": "application/json"} | example
        case = operation.Case(**example)
        # Cases that schemathesis makes itself have theirs already.
        set_on_case(case, AuthContext(operation=operation, app=None), None)
        examples.append(case)


@schemathesis.hook
def before_call(context, case, kwargs):
    _restore()
    _adjust(case, _world)


@schemathesis.hook
def after_call(context, case, response):
    global _is_changed
    # Other methods of the path are tried, too.
    if case.method.upper() == case.operation.method.upper():
        _answers[case.operation.label][response.status_code] += 1
        _successes[case.operation.label] += _is_success(response)
    # What is refused, or only reads, leaves the twin as it is.
    if case.method.upper() not in ("GET", "HEAD", "OPTIONS") and response.status_code < 400:
        _is_changed = True


@atexit.register
def _tell():
    with open(os.environ["REHEARSAL_ANSWERS"], "w") as file:
        json.dump({"operations": _answers, "successes": _successes}, file)
