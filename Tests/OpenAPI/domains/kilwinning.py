"""A small lodge: its administrator, two fratelli, and tornate that were held, cancelled and planned."""

from twin import ask, bearer, command

ADMIN = "Paolo Giulio Gazzano"


def prepare():
    command(
        "load",
        fratelli=[
            {"nome": ADMIN, "grado": "Maestro"},
            {"nome": "Bruno Amato", "grado": "Compagno", "data_iniziazione": "2020-05-04T19:00:00Z"},
            {"nome": "Carlo Conti", "grado": "Apprendista"},
        ],
        tornate=[
            {"discussione": "Luce", "data": "2025-11-11T18:30:00Z", "stato": "completata"},
            {"discussione": "Ombra", "data": "2026-02-10T18:30:00Z", "stato": "annullata"},
            {"discussione": "Il viaggio", "data": "2026-03-24T18:30:00Z"},
            {"discussione": "Il silenzio", "data": "2026-04-14T17:30:00Z"},
        ],
        presenze=[{"fratello_id": 2, "tornata_id": 1, "presente": True}],
    )
    return {name: ask("POST", "/api/fratelli/login", {"nome": name})["token"] for name in (ADMIN, "Carlo Conti")}


def credential(operation, tokens):
    # Who logs out in one case is to be known in the next one.
    return {"headers": bearer(tokens["Carlo Conti" if operation == "logOut" else ADMIN])}


def excuses(failure, case, response):
    """`PUT /api/fratelli/me` is the change of a fratello whose identifier is no number."""
    return case.method.upper() == "PUT" and case.path in ("/api/fratelli/me", "/api/fratelli/login")


def examples(tokens):
    of_brother = {"path_parameters": {"fratelloId": 2}, "query": {"anno": "2025"}}
    tornata = {
        "data": "2026-05-12T17:30:00Z", "discussione": "La catena d'unione", "location": "Tolfa", "cena": True,
        "tipo": "cerimonia",
    }
    return {
        "welcome": [{}],
        "welcome2": [{}],
        "fratelli": [{}],
        "logIn": [{"body": {"nome": "Bruno Amato"}}],
        "me": [{}],
        "logOut": [{}],
        "updateFratello": [
            {
                "path_parameters": {"fratelloId": 2},
                "body": {"grado": "Maestro", "data_elevazione": "2022-05-04T19:00:00Z", "data_passaggio": None},
            }
        ],
        "presenze": [of_brother],
        "statistiche": [of_brother],
        "riepilogo": [{}, {"query": {"anno": "Tutti"}}],
        "confirm": [{"body": {"tornata_id": 3, "presente": True}, "headers": {"Idempotency-Key": "op-1"}}],
        "tornate": [{}, {"query": {"anno": "2026", "stato": "programmata"}}],
        "createTornata": [{"body": tornata}],
        "updateTornata": [
            {"path_parameters": {"tornataId": 3}, "body": {"stato": "annullata", "notes": None}},
        ],
        "deleteTornata": [{"path_parameters": {"tornataId": 4}}],
        "exportRiepilogo": [{}, {"query": {"anno": "2025"}}],
    }
