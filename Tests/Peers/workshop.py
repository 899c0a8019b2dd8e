"""The workshop of scenarios/toy.yaml as a SimPy program: a second opinion on what happens there, and a measure of speed.

    workshop.py [--workshops N] [--adversaries N] [--hours N] [--seed N] [--each]

Members, habits, network and rules are those of Sources/Domains/Toy with the scenario's settings; nothing is checked or recorded but
how many requests of each operation ended how. Prints a JSON object: the counts of all workshops together (or, with --each, of each
workshop, as a list), and the processor seconds that the simulation itself took.
"""

import argparse
import json
import math
import random
import time

import simpy

MINUTE, HOUR = 60.0, 3_600.0
MEMBERS, TOOLS = 20, 25
PATIENCE, TRANSIT, SERVICE = 10.0, 1.0, 0.000_404
LOST = 0.01
VISIT_EVERY, MISCHIEF_EVERY = 40 * MINUTE, 20 * MINUTE
CELLAR, DOUBLE_TAP = 0.05, 0.05
MOST_TOOLS, KEPT_FOR, MOST_ATTEMPTS = 3, HOUR, 3
QUANTILE_95 = 1.644_853_626_951_472


class Lognormal:
    """Given by its median and its 95th percentile, in seconds."""

    def __init__(self, median, p95):
        self.mu, self.sigma = math.log(median), math.log(p95 / median) / QUANTILE_95

    def draw(self, source):
        return source.lognormvariate(self.mu, self.sigma)


LATENCY = Lognormal(0.060, 0.250)
LOOKING = Lognormal(20, 2 * MINUTE)


class Refused(Exception):
    """The workshop says no."""


class UnknownToken(Refused):
    """No, and the token is no good any more."""


class Tool:
    def __init__(self):
        self.borrower, self.due = None, 0.0
        self.keeper, self.until = None, 0.0
        self.line = []
        self.turn = 0  # counts what happens to it, so that timers know whether they are still meant

    @property
    def free(self):
        return self.borrower is None and self.keeper is None


class Workshop:
    """The backend. Operations answer with a value or raise Refused."""

    def __init__(self, env):
        self.env = env
        self.tools = {number: Tool() for number in range(1, TOOLS + 1)}
        self.pins, self.tokens, self.last, self.boxes = {}, {}, {}, {}
        self.tokens_given = 0

    def join(self, name, pin):
        self.pins[name], self.boxes[name] = pin, []

    def member(self, token):
        name = token[0] if token else None
        if name is None or self.tokens.get(name) != token:
            raise UnknownToken
        return name

    def tool(self, number):
        if number not in self.tools:
            raise Refused
        return self.tools[number]

    def sign_in(self, _, name, pin):
        if self.pins.get(name) != pin:
            raise Refused
        self.tokens_given += 1
        self.tokens[name] = (name, self.tokens_given)
        return self.tokens[name]

    def list_tools(self, token):
        self.member(token)
        return [(number, tool.free) for number, tool in self.tools.items()]

    def loans(self, token, name):
        if self.member(token) != name:
            raise Refused
        return [number for number, tool in self.tools.items() if tool.borrower == name]

    def borrow(self, token, number, hours, key):
        name, tool = self.member(token), self.tool(number)
        if self.last.get(name) == (key, number):
            return number
        held = sum(other.borrower == name for other in self.tools.values())
        if tool.borrower or (tool.keeper and tool.keeper != name) or held >= MOST_TOOLS:
            raise Refused
        tool.borrower, tool.keeper, tool.due = name, None, self.env.now + hours * HOUR
        if name in tool.line:
            tool.line.remove(name)
        self.last[name] = (key, number)
        self.after(self.remind, number, tool)
        return number

    def give_back(self, token, number):
        name, tool = self.member(token), self.tool(number)
        if tool.borrower != name:
            raise Refused
        tool.borrower = None
        self.keep(number, tool)
        return number

    def reserve(self, token, number):
        name, tool = self.member(token), self.tool(number)
        if tool.borrower == name or tool.free or tool.keeper == name:
            raise Refused
        if name not in tool.line:
            tool.line.append(name)
        return number

    def keep(self, number, tool):
        """Keeps a tool for the first in line, if there is one."""
        tool.keeper, tool.turn = None, tool.turn + 1
        if tool.line:
            tool.keeper, tool.until = tool.line.pop(0), self.env.now + KEPT_FOR
            self.tell(tool.keeper, ("ready", number, tool.until))
            self.after(self.release, number, tool)

    def after(self, timer, number, tool):
        tool.turn += 1
        self.env.process(timer(number, tool, tool.turn))

    def remind(self, number, tool, turn):
        yield self.env.timeout(tool.due - self.env.now)
        if tool.turn == turn:
            self.tell(tool.borrower, ("due", number, 0.0))

    def release(self, number, tool, turn):
        yield self.env.timeout(KEPT_FOR)
        if tool.turn == turn:
            self.keep(number, tool)

    def tell(self, name, mail):
        self.boxes[name].append((self.env.now + TRANSIT, mail))


class Person:
    """Who asks a workshop over its network."""

    def __init__(self, env, shop, name, pin, source, counts):
        self.env, self.shop, self.name, self.pin = env, shop, name, pin
        self.source, self.counts = source, counts
        self.token, self.keys, self.online = None, 0, True
        shop.join(name, pin)

    def ask(self, operation, *parameters, token=None):
        """One request: 'replied' with its answer, 'refused', 'unknown' or 'unsent'."""
        tally = self.counts[operation]
        if not self.online:
            tally["unsent"] += 1
            return "unsent", None
        way = LATENCY.draw(self.source) / 2
        if self.source.random() < LOST:
            yield self.env.timeout(PATIENCE)
            tally["unknown"] += 1
            return "unknown", None
        is_lost = self.source.random() < LOST
        yield self.env.timeout(way)
        answer, outcome = None, "replied"
        try:
            answer = getattr(self.shop, operation)(token, *parameters)
        except UnknownToken:
            outcome, self.token = "refused", None if token is self.token else self.token
        except Refused:
            outcome = "refused"
        if is_lost or 2 * way + SERVICE > PATIENCE:
            yield self.env.timeout(PATIENCE - way)
            tally["unknown"] += 1
            return "unknown", None
        yield self.env.timeout(way + SERVICE)
        tally[outcome] += 1
        return outcome, answer

    def chance(self, share):
        return self.source.random() < share

    def key(self):
        self.keys += 1
        return self.keys


class Member(Person):
    """Comes by now and then, borrows, reserves, gives back."""

    def live(self):
        self.held = []
        yield self.env.timeout(self.source.uniform(0, 30 * MINUTE))
        while True:
            if self.token is None:
                yield from self.sign_in()
            if self.token is not None:
                yield from self.read_mail()
                yield from self.give_something_back()
                yield from self.look_around()
            yield self.env.timeout(self.source.expovariate(1 / VISIT_EVERY))

    def mine(self, operation, *parameters):
        return (yield from self.ask(operation, *parameters, token=self.token))

    def sign_in(self):
        if self.chance(0.1):
            yield from self.ask("sign_in", self.name, "0000")
            yield self.env.timeout(5)
        _, self.token = yield from self.ask("sign_in", self.name, self.pin)

    def read_mail(self):
        box = self.shop.boxes[self.name]
        while box and box[0][0] <= self.env.now:
            kind, number, until = box.pop(0)[1]
            if kind == "due":
                yield from self.give_back(number)
            elif self.env.now < until:
                yield from self.borrow(number)

    def give_something_back(self):
        if self.chance(0.5):
            outcome, loans = yield from self.mine("loans", self.name)
            if outcome == "replied":
                self.held = loans
            if self.held:
                yield from self.give_back(self.held[0])

    def look_around(self):
        outcome, tools = yield from self.mine("list_tools")
        if outcome != "replied":
            return
        yield self.env.timeout(LOOKING.draw(self.source))
        number, free = self.source.choice(tools[:4] if self.chance(0.3) else tools)
        if free:
            yield from self.borrow(number)
        elif number not in self.held:
            yield from self.mine("reserve", number)

    def borrow(self, number):
        hours, key = self.source.randint(1, 3), self.key()
        self.online = not self.chance(CELLAR)
        for _ in range(MOST_ATTEMPTS):
            outcome, _ = yield from self.mine("borrow", number, hours, key)
            self.online = True
            if outcome == "replied":
                self.held.append(number)
                if self.chance(DOUBLE_TAP):
                    yield from self.mine("borrow", number, hours, key)
            if outcome in ("replied", "refused"):
                return
            yield self.env.timeout(30)

    def give_back(self, number):
        outcome, _ = yield from self.mine("give_back", number)
        if outcome in ("replied", "refused"):
            self.held = [other for other in self.held if other != number]


class Adversary(Person):
    """Tries what the notice board forbids, one act after the other."""

    def live(self):
        yield self.env.timeout(self.source.uniform(0, 30 * MINUTE))
        acts, turn = [self.pretend, self.pry, self.take, self.hoard, self.ask_in_vain], 0
        while True:
            outcome, token = yield from self.ask("sign_in", self.name, self.pin)
            if outcome == "replied":
                yield from acts[turn % len(acts)](token, f"member-{self.source.randint(1, MEMBERS)}")
                turn += 1
            yield self.env.timeout(self.source.expovariate(1 / MISCHIEF_EVERY))

    def pretend(self, _, victim):
        yield from self.ask("sign_in", victim, "0000")
        yield from self.ask("loans", victim, token=(victim, 0))
        yield from self.ask("list_tools")

    def pry(self, token, victim):
        yield from self.ask("loans", victim, token=token)

    def take(self, token, _):
        tools = yield from self.tools(token)
        for number in [number for number, free in tools if not free][:6]:
            if self.chance(0.3):
                yield from self.ask("give_back", number, token=token)
            yield from self.borrow_and_give_back([number], token)

    def hoard(self, token, _):
        tools = yield from self.tools(token)
        free = [number for number, free in tools if free]
        yield from self.borrow_and_give_back(free[-(MOST_TOOLS + 1):], token)

    def ask_in_vain(self, token, _):
        tools = yield from self.tools(token)
        missing = max((number for number, _ in tools), default=0) + 1
        in_vain = [
            ("borrow", missing, 1, self.key()), ("give_back", missing), ("reserve", missing),
            ("loans", self.name), ("list_tools",),
        ]
        for asked in in_vain:
            yield from self.ask(*asked, token=token)
        free = [number for number, free in tools if free]
        if free:
            number = free[-1]
            yield from self.ask("reserve", number, token=token)
            yield from self.ask("give_back", number, token=token)
            outcome, _ = yield from self.ask("borrow", number, 1, self.key(), token=token)
            if outcome == "replied":
                yield from self.ask("reserve", number, token=token)
                yield from self.ask("give_back", number, token=token)
        outcome, _ = yield from self.ask("sign_in", self.name, self.pin)
        if outcome == "replied":
            for asked in in_vain:
                yield from self.ask(*asked, token=token)

    def borrow_and_give_back(self, numbers, token):
        for number in numbers:
            yield from self.ask("borrow", number, 1, self.key(), token=token)
            yield self.env.timeout(2)
        outcome, loans = yield from self.ask("loans", self.name, token=token)
        for number in loans if outcome == "replied" else []:
            yield from self.ask("give_back", number, token=token)

    def tools(self, token):
        outcome, tools = yield from self.ask("list_tools", token=token)
        return tools if outcome == "replied" else []


# As the contract calls what the methods of Workshop do.
OPERATIONS = {
    "sign_in": "signIn", "list_tools": "tools", "borrow": "borrow", "give_back": "giveBack",
    "reserve": "reserve", "loans": "loans",
}
OUTCOMES = ("replied", "refused", "unknown", "unsent")


def populate(env, source, adversaries):
    counts = {operation: dict.fromkeys(OUTCOMES, 0) for operation in OPERATIONS}
    shop = Workshop(env)
    for kind, name, number in [(Member, "member", MEMBERS), (Adversary, "adversary", adversaries)]:
        for index in range(1, number + 1):
            pin = str(source.randint(1_000, 9_999))
            env.process(kind(env, shop, f"{name}-{index}", pin, source, counts).live())
    return counts


def main():
    parser = argparse.ArgumentParser(description="The workshop as a SimPy program.")
    parser.add_argument("--workshops", type=int, default=2)
    parser.add_argument("--adversaries", type=int, default=1, help="of each workshop")
    parser.add_argument("--hours", type=float, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", action="store_true", help="the counts of each workshop")
    asked = parser.parse_args()
    source = random.Random(asked.seed)
    env = simpy.Environment()
    begun = time.process_time()
    shops = [populate(env, source, asked.adversaries) for _ in range(asked.workshops)]
    env.run(until=asked.hours * HOUR)
    seconds = time.process_time() - begun

    def named(counts):
        return {OPERATIONS[operation]: tally for operation, tally in counts.items()}

    whole = {
        operation: {
            outcome: sum(shop[operation][outcome] for shop in shops) for outcome in OUTCOMES
        } for operation in OPERATIONS
    }
    said = {
        "simpy": simpy.__version__, "seconds": round(seconds, 3),
        "requests": sum(sum(tally.values()) for tally in whole.values()),
        "operations": [named(shop) for shop in shops] if asked.each else named(whole),
    }
    print(json.dumps(said))


if __name__ == "__main__":
    main()
