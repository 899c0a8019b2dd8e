"""The tool workshop: two members, one tool free, one borrowed by each."""

from twin import ask, bearer, command


def prepare():
    for tool in (1, 2, 3):
        command("addTool", tool=tool)
    tokens = {}
    for member, tool in (("anna", 2), ("bert", 3)):
        command("addMember", member=member, pin="1234")
        tokens[member] = ask("POST", "/sessions", {"member": member, "pin": "1234"})["token"]
        ask(
            "PUT", f"/tools/{tool}/loan", {"hours": 1, "key": member},
            headers=bearer(tokens[member]),
        )
    return tokens


def credential(operation, tokens):
    return {"headers": bearer(tokens["anna"])}


def examples(tokens):
    return {
        "signIn": [{"body": {"member": "anna", "pin": "1234"}}],
        "tools": [{}],
        "borrow": [{"path_parameters": {"tool": 1}, "body": {"hours": 2, "key": "k"}}],
        "giveBack": [{"path_parameters": {"tool": 2}}],
        "reserve": [{"path_parameters": {"tool": 3}}],
        "loans": [{"path_parameters": {"member": "anna"}}],
    }
