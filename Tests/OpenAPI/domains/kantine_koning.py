"""Two clubs; in the first a phone of each of two teams' managers, and a dienst of the one that both may have."""

from twin import ask, bearer, command

API = "/api/mobile/v1"
TEAMS = {"mia": "JO11-3", "noor": "JO11-4"}


def prepare():
    command(
        "load",
        tenants=[{"slug": "agovv", "name": "AGOVV"}, {"slug": "vvx", "name": "VV X"}],
        teams=[
            {"tenant": "agovv", "id": "t-1", "code": "JO11-3"},
            {"tenant": "agovv", "id": "t-2", "code": "JO11-4"},
        ],
        managers=[
            {"tenant": "agovv", "email": f"{name}@example.org", "team_codes": [code]}
            for name, code in TEAMS.items()
        ],
        diensten=[
            {
                "id": dienst, "tenant": "agovv", "team": team, "aanmeldingen": names,
                "start_tijd": "2026-03-28T09:00:00Z", "eind_tijd": "2026-03-28T12:00:00Z",
            }
            for dienst, team, names in [("d-1", "t-1", ["Fatima"]), ("d-2", None, [])]
        ],
    )
    for club in ({"tenant": "agovv"}, {}):
        command("createBanner", name="Bakker", file_url="https://example.org/bakker.png", **club)
    tokens = {name: register(name) for name in TEAMS}
    link = request_link("mia")
    # A change of a dienst is told to its managers by a mail whose link enters names.
    command("changeDienst", id="d-1", locatie_naam="Kantine")
    (notice,) = [n for n in command("notices")["notices"] if n["to"] == "mia@example.org"][-1:]
    ask(
        "PUT", f"{API}/diensten/d-1/transfer-offer", {"offered_for_transfer": True},
        headers=bearer(tokens["mia"]),
    )
    available = ask("GET", f"{API}/diensten/available", headers=bearer(tokens["noor"]))["diensten"]
    (takeover,) = [d["notification_token"] for d in available if d["id"] == "d-1"]
    return tokens | {"link": link, "call to action": notice["token"], "takeover": takeover}


def request_link(name):
    """The token of the magic link that a manager is mailed."""
    ask("POST", f"{API}/enrollments/request", enrollment(name))
    return command("outbox")["mails"][-1]["token"]


def register(name):
    answer = ask(
        "POST", f"{API}/enrollments/register", registration(request_link(name), f"phone of {name}")
    )
    return answer["api_token"]


def enrollment(name):
    return {
        "email": f"{name}@example.org", "tenant_slug": "agovv", "team_codes": [TEAMS[name]],
        "platform": "ios",
    }


def registration(link, phone):
    return {
        "enrollment_token": link, "apns_device_token": "", "platform": "ios",
        "build_environment": "production", "hardware_identifier": phone,
    }


def credential(operation, world):
    """Who takes a dienst over is the other team's manager."""
    return {"headers": bearer(world["noor" if operation in ("takeover", "claimDienst") else "mia"])}


def examples(world):
    dienst = {"path_parameters": {"id": "d-1"}}
    club = {"query": {"tenant": "agovv"}}
    return {
        "requestEnrollment": [
            {"body": enrollment("mia")}, {"body": enrollment("mia") | {"team_codes": []}},
        ],
        "register": [{"body": registration(world["link"], "another phone")}],
        "sync": [
            {
                "body": {
                    "enrollments": [
                        {
                            "tenant_slug": "agovv", "role": "manager", "team_codes": ["JO11-3"],
                            "hardware_identifier": "phone of mia",
                            "team_manager_email": "mia@example.org",
                        }
                    ]
                }
            }
        ],
        "status": [{}],
        "tenants": [{}],
        "searchTeams": [{"query": {"tenant": "agovv", "q": "JO"}}],
        "diensten": [{}, club],
        "addVolunteer": [dienst | {"body": {"naam": "Kees"}}],
        "removeVolunteer": [dienst | {"query": {"naam": "Fatima"}}],
        "removeTeams": [{"body": {"team_codes": ["JO11-3"]}}],
        "removeTenant": [{"body": {"tenant_slug": "agovv"}}],
        "removeAll": [{}],
        "emailPreferences": [
            {"body": {"team_code": "JO11-3", "email_notifications_enabled": False}}
        ],
        "apnsToken": [{"body": {"apns_device_token": "ab" * 32, "build_environment": "production"}}],
        "availableDiensten": [{}],
        "takeover": [dienst | {"query": {"tenant": "agovv", "token": world["takeover"]}}],
        "claimDienst": [
            dienst | {"body": {"team_id": "t-2", "notification_token": world["takeover"]}}
        ],
        "transferOffer": [dienst | {"body": {"offered_for_transfer": False}}],
        "shiftVolunteer": [{"body": {"token": world["call to action"], "names": ["Kees"]}}],
        "searchClubs": [{"query": {"q": "AG"}}],
        "leaderboard": [{}, club],
        "globalLeaderboard": [{}, club],
        "banners": [{}, club],
        "seasonSummary": [{"path_parameters": {"tenant": "agovv", "team_code": "JO11-3"}}],
    }
