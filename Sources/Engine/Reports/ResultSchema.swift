import Contracts
import Runs
import Verdicts

/// The JSON Schema of `result.json`, version 1: what other programs may rely on. Later versions of the program may add members.
public enum ResultSchema {
  /// A document of draft 2020-12.
  public static var json: JSON {
    [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:rehearsal:result:1",
      "title": "result.json of Rehearsal",
      "description":
        "Durations are seconds, shares lie in 0...1, instants are ISO 8601 in UTC; infinitely late is null. Counts are sums over replications. Nothing outside 'machine' depends on the machine.",
      "type": "object",
      "required": .strings(
        members.members.map(\.name).filter {
          ![
            "reach", "looks", "searches", "unsent", "warmUp", "steadyStates", "generator", "flows",
            "access",
          ]
          .contains($0)
        }),
      "properties": .object(members), "$defs": .object(definitions),
    ]
  }

  private static let members: JSONObject = [
    "version": ["const": .number(ResultDocument.version)],
    "scenario": reference("scenario"),
    "seed": reference("seed", "Of the run; each replication's derives from it and its number."),
    "digest": reference(
      "digest",
      "Of everything that happened: equal digests are equal runs. It follows from those of the replications."
    ),
    "verdict": reference("verdict"),
    "exitCode": [
      "enum": .array(ExitStatus.allCases.map { .number(Int($0.rawValue)) }),
      "description": "'rehearse exit-codes' says what each means.",
    ],
    "interrupted": [
      "type": "boolean", "description": "Whether these figures are those of a part.",
    ],
    "method": list(of: text("How the figures came about.")),
    "persons": count("People who lived."), "requests": count("Requests sent."),
    "virtualSeconds": seconds("What one replication lived through."),
    "replications": list(of: reference("replication")),
    "limits": list(of: reference("limit")),
    "objectives": list(of: reference("objective")),
    "latencies": list(of: reference("latency")),
    "business": list(of: reference("business")), "flows": list(of: reference("flow")),
    "access": list(of: reference("access")),
    "refusals": list(of: reference("tally", "Answers that said no.")),
    "unknowns": list(
      of: reference("tally", "Requests without a usable answer: it may have happened.")),
    "unsent": list(of: reference("tally", "Requests that never left: it did not happen.")),
    "journeys": object([
      "begun": count(), "completed": count(), "ended": count("Cut short by the end of the run."),
    ]),
    "load": list(of: reference("load")), "reach": list(of: reference("reach")),
    "searches": list(of: reference("search")),
    "machine": reference("machine"),
    "generator": object(
      [
        "command": text("Repeats the load; secrets are left out."),
        "pace": text("How calls became due."), "wantedPerSecond": reference("figureOrNull"),
        "reachedPerSecond": seconds("Answers a second."), "connections": count("At most."),
        "bytes": count("Of answers' bodies."), "lateness": list(of: reference("point")),
        "latenessLimitSeconds": seconds("Of its 99 % quantile."),
        "facts": list(
          of: object([
            "name": text(), "seconds": ["type": "number"],
            "limitSeconds": reference("figureOrNull"),
          ])),
        "threadShare": seconds("Of one core, taken by the generator's thread."),
        "threadShareLimit": seconds(), "missed": count("Calls that were due and never begun."),
        "repeated": count("Calls sent again, because their kept connection had ended."),
        "calls": calls, "outage": outage,
        "pauses": count("How often a user waited, because a call had got no answer."),
        "phases": list(
          of: object([
            "pace": text(), "calls": count(), "failed": count("Without a usable answer."),
            "quantiles": list(of: reference("point")),
          ])),
        "service": list(
          of: object(["operation": text(), "quantiles": list(of: reference("point"))])),
        "breaches": list(of: text("Why the run does not count.")),
        "longerCommand": text("A load long enough to decide, where its length is what lacks."),
      ], optional: ["repeated", "calls", "outage", "pauses", "phases", "longerCommand"],
      "Of a load against the clock: what made it, and whether that kept up."),
    "warmUp": object(
      [
        "automatic": ["type": "boolean", "description": "Whether the run itself chose it."],
        "leftOutSeconds": seconds("Of each replication, what no latency is about."),
        "advisedSeconds": [
          "description": "What MSER-5 would leave out; null where that cannot be told.",
          "type": ["number", "null"], "minimum": 0,
        ],
        "reason": text("Why it cannot be told."),
        "bias": [
          "description": "How much larger the mean response time is with it: -0.1 is 10 % smaller.",
          "type": "number",
        ],
      ], optional: ["reason", "bias"]),
    "steadyStates": list(
      of: object([
        "world": text(), "meanSeconds": seconds("Of requests answered or given up."),
        "interval": reference("interval"), "batches": count("Parts of the run, as if independent."),
        "correlation": [
          "description": "From one batch to the next.", "type": "number", "minimum": -1,
          "maximum": 1,
        ],
        "correlated": [
          "type": "boolean", "description": "Too much so: the interval is too short.",
        ],
      ])),
    "looks": object([
      "replications": list(of: count("After how many the run was judged.")),
      "planned": count("How many looks share the error."),
      "ended": ["enum": ["decided", "cannotPass", "maximum", "interrupted"]],
    ]),
  ]

  private static let definitions: JSONObject = [
    "verdict": ["enum": ["pass", "fail", "inconclusive", "notExercised"]],
    "figureOrNull": ["type": ["number", "null"], "minimum": 0],
    "point": object(["q": seconds("A share in 0...1."), "seconds": seconds("It took at most.")]),
    "basis": ["enum": ["modelled", "inProcess", "overHTTP"]],
    "seed": [
      "description": "64 bits: a number, or its digits where few readers could hold it.",
      "anyOf": [
        ["type": "integer", "minimum": 0],
        ["type": "string", "pattern": "^[0-9]{1,20}$", "examples": ["11400714819323198485"]],
      ],
    ],
    "digest": [
      "description": "128 bits in hexadecimal digits.", "type": "string",
      "pattern": "^[0-9a-f]{32}$", "examples": ["5d0f3c81a94e27b6c0de81f2a7739b14"],
    ],
    "instant": [
      "type": "string", "examples": ["2026-03-21T05:00:00Z"],
      "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?Z$",
    ],
    "interval": [
      "description":
        "Of 95 %, in objectives of what is left of it for each look: its two ends; null where there is none.",
      "anyOf": [
        ["type": "null"],
        [
          "type": "array", "minItems": 2, "maxItems": 2,
          "items": ["type": ["number", "null"], "minimum": 0],
        ],
      ],
    ],
    "quantiles": list(
      of: object(
        [
          "q": share(), "seconds": secondsOrNull, "interval": reference("interval"),
          "longerThan": seconds("Beyond what was answered: what it exceeds for certain."),
          "tooFew": ["const": true],
        ], optional: ["interval", "longerThan", "tooFew"])),
    "curve": list(
      of: [
        "description": "A share and seconds.", "type": "array", "minItems": 2, "maxItems": 2,
        "items": ["type": "number", "minimum": 0],
      ]),
    "scenario": scenario, "replication": replication, "limit": limit, "objective": objective,
    "latency": latency, "parts": parts, "business": business, "flow": flow, "access": access,
    "tally": tally,
    "load": load,
    "reach": funnel,
    "search": search,
    "machine": machine,
  ]

  private static let scenario = object([
    "name": text(), "title": text(),
    "digest": reference("digest", "Of the scenario's text, environment values filled in."),
    "starts": reference("instant"), "zone": text("IANA name."), "lastsSeconds": seconds(),
    "documented": ["enum": ["judged", "all"]], "inconclusive": ["enum": ["fail", "warn"]],
    "worlds": list(
      of: object([
        "domain": text(), "regions": count(), "profile": text(),
        "differing": list(of: object(["name": text(), "value": text(), "default": text()])),
      ])),
    "events": list(
      of: object(
        [
          "at": reference("instant"), "domain": text(), "command": text(), "parameters": [:],
          "note": text("What the scenario calls it."),
        ], optional: ["note"])),
    "faults": list(
      of: object(
        [
          "from": reference("instant"), "to": reference("instant"), "domain": text(),
          "kind": [
            "enum": .strings((FaultWord.plain + [.delay]).map(\.name))
          ], "share": share(), "delaySeconds": seconds(), "operation": text(), "count": count(),
        ], optional: ["delaySeconds", "operation", "count"])),
  ])

  private static let replication = object(
    [
      "index": count("From 0."), "seed": reference("seed"), "digest": reference("digest"),
      "requests": count(), "persons": count(),
      "latencies": list(
        of: object(
          [
            "world": text(), "operation": text(), "basis": reference("basis"), "count": count(),
            "mean": secondsOrNull, "p50": secondsOrNull, "p95": secondsOrNull, "p99": secondsOrNull,
            "unanswered": countOrNull,
          ], optional: ["unanswered"])),
    ], optional: ["latencies"])

  private static let limit = object(
    [
      "id": text(), "domain": text(), "theme": text("What it belongs to with others."),
      "statement": text(), "source": text("The document."),
      "exercised": count("How often the rule was tried."),
      "undecided": count("How many of these tries could not be decided either way."),
      "violations": count(),
      "verdict": reference("verdict"), "reason": text(),
      "upperBound": share(
        "Of a rule that held: the share of tries that could break it without these having shown it, at 95 %."
      ),
      "evidence": list(
        of: object([
          "what": text(), "who": text(), "time": reference("instant"), "replication": count(),
          "seed": reference("seed"), "command": text("Shows it again."),
        ])),
    ], optional: ["theme", "undecided", "reason", "upperBound", "evidence"])

  private static let objective = object(
    [
      "text": text("As the scenario states it."), "verdict": reference("verdict"),
      "reason": text("Begins with 'notMeasured' where nothing happened that it is about."),
      "estimate": ["type": ["number", "null"], "minimum": 0],
      "longerThan": seconds("Of a quantile beyond what was answered: what it exceeds for certain."),
      "interval": reference("interval"), "bound": ["type": "number", "minimum": 0],
      "unit": [
        "enum": ["seconds", "share", "perSecond", "count"],
        "description": "Of estimate, interval and bound.",
      ],
      "moreReplications": count("About how many more would decide what is inconclusive."),
      "parts": reference("parts", "What the estimate is made of, a quantile of modelled times."),
    ], optional: ["reason", "longerThan", "moreReplications", "parts"])

  private static let latency = object(
    [
      "world": text(), "operation": text(), "title": text(), "basis": reference("basis"),
      "count": count("Requests sent after the warm-up: what the quantiles are over."),
      "unanswered": count("Those without a usable answer, later than every bound."),
      "withoutAnswer": share("Their share among those of which that is known."),
      "cutOff": count("Those under way when the run ended."), "quantiles": reference("quantiles"),
      "answered": object(["count": count(), "quantiles": reference("quantiles")]),
      "curve": reference("curve", "Shares and the seconds that they took at most."),
      "parts": list(of: reference("parts", "Of the quantile 'q'.")),
    ], optional: ["title", "unanswered", "withoutAnswer", "cutOff", "answered", "curve", "parts"])

  private static let parts = object(
    [
      "q": share(), "network": seconds(), "waiting": seconds("In the queue before the servers."),
      "service": seconds(),
      "other": seconds("Delays that the scenario injects, and answers that were held back."),
    ], optional: ["q"],
    "Of the response times near a figure, on average, scaled to add up to it.")

  private static let business = object(
    [
      "world": text(), "name": text(), "title": text(), "count": count("Finished."),
      "unfinished": count("Still open when the run ended."),
      "abandoned": count("Can no longer end."), "quantiles": reference("quantiles"),
      "minimumSeconds": secondsOrNull, "meanSeconds": secondsOrNull,
      "maximumSeconds": secondsOrNull,
      "limit": text(), "boundSeconds": seconds(), "verdict": reference("verdict"),
      "late": count("Took longer than the bound for certain."),
      "weight": [
        "enum": ["first", "usual", "last"], "description": "How much it says about the product.",
      ],
      "whatIsAbandoned": text(), "excuse": text("Why the limit may hold for what was late."),
      "survival": reference("curve", "Shares still open and after how many seconds."),
      "openSince": list(
        of: [
          "description": "Seconds that so many of the unfinished had been open.", "type": "array",
          "minItems": 2, "maxItems": 2, "items": ["type": "number", "minimum": 0],
        ]),
    ],
    optional: [
      "late", "weight", "whatIsAbandoned", "excuse",
      "minimumSeconds", "meanSeconds", "maximumSeconds", "limit", "boundSeconds", "verdict",
      "survival", "openSince",
    ])

  private static let flow = object([
    "world": text(), "things": text("What goes through it."),
    "steps": list(
      of: object([
        "title": text(), "reached": count("Came as far as this."),
        "open": count("Still here when the run ended; at the last step those that arrived."),
        "losses": list(
          of: object([
            "reason": text(),
            "cause": [
              "enum": ["backend", "population", "model"],
              "description": "Whose it is: people's where the scenario lets them choose.",
            ], "count": count(),
          ])),
      ])),
  ])

  private static let tally = object([
    "world": text(), "operation": text(), "code": text(), "count": count(),
  ])

  private static let load = object(
    [
      "world": text(), "sliceSeconds": seconds(), "requests": list(of: count()),
      "refused": list(of: count()), "lost": list(of: count()),
      "p50Seconds": list(of: secondsOrNull), "p95Seconds": list(of: secondsOrNull),
      "p99Seconds": list(of: secondsOrNull), "p50Intervals": list(of: reference("interval")),
      "p95Intervals": list(of: reference("interval")),
      "pace": object(
        [
          "wanted": list(of: ["type": "number", "minimum": 0]),
          "answered": list(of: count("Answers that came in the slice.")),
          "edgesSeconds": list(of: secondsOrNull),
          "times": list(of: list(of: count())),
        ], optional: ["wanted"],
        "Of a load over HTTP, a value a slice: calls that its plan asks for after the warm-up, answers, and how many of the calls took from one edge to the next."
      ),
    ],
    optional: [
      "p50Seconds", "p95Seconds", "p99Seconds", "p50Intervals", "p95Intervals", "pace",
    ])

  private static let access = object(
    [
      "world": text(),
      "column": text("A kind of caller, or why the table does not judge these answers."),
      "outside": [
        "type": "boolean", "description": "Whether the table does not judge these answers.",
      ],
      "entries": list(
        of: object([
          "operation": text(), "title": text(), "granted": count(), "refused": count(),
          "wrong": count("Of both, those that the documents answer otherwise."),
        ])),
    ], optional: ["outside"])

  private static let funnel = object([
    "world": text(), "role": text("What the names of these people share."), "persons": count(),
    "steps": list(
      of: object([
        "operation": text(), "title": text(), "asked": count("People who asked."),
        "got": count("People who were replied to."), "requests": count(), "replied": count(),
        "refused": count(),
      ])),
  ])

  private static let search = object([
    "world": text(), "name": text(), "title": text(),
    "calls": count("Calls of the twin in which attempts ran."), "attempts": count(),
    "examined": count("Candidates that were looked at."),
  ])

  private static let machine = object(
    [
      "wallSeconds": seconds(), "workers": count(), "cpu": text(), "version": text(),
      "commit": text(), "scenarioFile": text(),
      "options": text("Of the command line, beside file, seed and replications."),
      "inProcess": list(
        of: object([
          "world": text(), "operation": text(), "basis": reference("basis"), "count": count(),
          "quantiles": reference("quantiles"),
        ])),
      "punctuality": object(
        [
          "speed": seconds("Of the scenario, in one second."),
          "arrivals": count("Sessions that the load asked for."),
          "missed": count("Those of them for which nobody was free."),
          "lateness": list(of: reference("point")),
          "latenessLimitSeconds": seconds("Of its 99 % quantile."),
          "service": list(
            of: object([
              "world": text(), "operation": text(), "quantiles": list(of: reference("point")),
            ])),
          "breaches": list(of: text("Why the run does not count.")), "calls": calls,
          "outage": outage,
          "serverClockOffSeconds": seconds(
            "How far a served twin's clock was from the run's at the end."),
        ], optional: ["calls", "outage", "serverClockOffSeconds"],
        "Of a run in real time: how late requests left, and how long they took from then on."),
    ], optional: ["scenarioFile", "options", "punctuality"])

  private static let calls = object(
    [
      "sent": count("Requests: the sum of all that follow, but for those never sent."),
      "counted": count("Calls due after the warm-up that were sent and ended."),
      "warmUp": count("Calls due in the warm-up that were sent and ended."),
      "harness": count("Of the harness itself: population, tokens, signals, duplicates."),
      "repeated": count("Sent again, because their kept connection had ended."),
      "redirected": count("Sent where a redirect led."),
      "abandoned": count("Calls under way when nobody waited for answers any more."),
      "unsent": count("Calls that got no connection."),
    ], optional: ["harness"], "What became of every request.")

  private static let outage = object(
    [
      "refused": count("Connections that were refused."),
      "ended": count("Connections that ended without an answer."),
      "fromSeconds": seconds("Since the beginning."), "toSeconds": seconds(),
    ], "When a server that had answered took no calls.")

  // MARK: - Shapes

  private static let countOrNull: JSON = ["type": ["integer", "null"], "minimum": 0]
  private static let secondsOrNull: JSON = ["type": ["number", "null"], "minimum": 0]

  private static func described(_ object: JSONObject, _ description: String) -> JSON {
    var object = object
    if !description.isEmpty { object["description"] = .string(description) }
    return .object(object)
  }

  private static func reference(_ name: String, _ description: String = "") -> JSON {
    described(["$ref": .string("#/$defs/\(name)")], description)
  }

  private static func text(_ description: String = "") -> JSON {
    described(["type": "string"], description)
  }

  private static func count(_ description: String = "") -> JSON {
    described(["type": "integer", "minimum": 0], description)
  }

  private static func seconds(_ description: String = "") -> JSON {
    described(["type": "number", "minimum": 0], description)
  }

  private static func share(_ description: String = "") -> JSON {
    described(["type": "number", "minimum": 0, "maximum": 1], description)
  }

  private static func list(of items: JSON) -> JSON { ["type": "array", "items": items] }

  private static func object(
    _ properties: JSONObject, optional: Set<String> = [], _ description: String = ""
  ) -> JSON {
    described(
      [
        "type": "object",
        "required": .strings(properties.members.map(\.name).filter { !optional.contains($0) }),
        "properties": .object(properties),
      ], description)
  }
}
