import Contracts
import Timekeeping

/// The JSON Schema of scenarios, for editors: what the reader accepts, from the declarations that the reader reads.
///
/// It is never stricter than the reader; what only the reader can judge (whether a moment lies in the run, whether
/// objectives contradict one another) is left to `rehearse check`.
public struct ScenarioSchema {
  private let declarations: [WorldDeclaration]

  public init(declarations: [WorldDeclaration]) { self.declarations = declarations }

  /// A document of draft 2020-12.
  public var json: JSON {
    var properties = JSONObject()
    for key in ScenarioReader.keys { properties[key] = described(key, ScenarioKey.scenario) }
    var definitions: JSONObject = [
      "time": Self.time, "share": Self.share, "switch": Self.flag, "moment": Self.moment,
      "distribution": Self.distribution,
    ]
    for declaration in declarations {
      definitions["world-\(declaration.domain)"] = DomainSchema(declaration).world
    }
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:rehearsal:scenario:1",
      "title": "A scenario of Rehearsal",
      "description":
        "Who lives against which backends, for how long, and what has to hold. 'rehearse check' judges a scenario in full.",
      "type": "object",
      "required": .strings(ScenarioReader.required),
      "additionalProperties": false,
      "properties": .object(properties),
      "$defs": .object(definitions),
    ]
  }

  // MARK: - Keys

  private static let namePattern =
    "^(?!\(ScenarioReader.storeName.replacing(".", with: "\\.")))[a-z0-9][a-z0-9._-]{0,63}$"

  private func described(_ name: String, _ keys: [ScenarioKey]) -> JSON {
    let key = ScenarioKey.named(name, in: keys)
    var object = shape(of: name).object ?? JSONObject()
    object["description"] = .string(
      key.meaning + (key.standard.map { " Default: \($0)." } ?? ""))
    return .object(object)
  }

  private func shape(of key: String) -> JSON {
    switch key {
    case "rehearsal": ["const": 1]
    case "name": ["type": ["string", "integer"], "pattern": .string(Self.namePattern)]
    case "title": ["type": ["string", "number", "boolean"], "maxLength": 200]
    case "starts":
      ["type": "string", "examples": ["2026-03-21T06:00 Europe/Amsterdam", "2026-03-21T05:00Z"]]
    case "lasts": Self.reference("time", default: nil)
    case "seed": ["type": "integer", "minimum": 0, "default": 1]
    case "replications": Self.whole(Reading.replicationRange, default: 1)
    case "maximumReplications":
      [
        "type": "integer", "minimum": .number(Reading.replicationRange.lowerBound),
        "maximum": .number(Reading.replicationRange.upperBound),
      ]
    case "precision": ["type": "string", "examples": ["5% at 95%"]]
    case "stopEarly": ["$ref": "#/$defs/switch", "default": false]
    case "worlds": worlds
    case "network": network
    case "service": service
    case "exchange": Self.reference("time", default: "15min")
    case "warmup":
      ["anyOf": [Self.reference("time", default: nil), ["const": "auto"]], "default": "0s"]
    case "timeline": Self.choice(["virtual", "wall"], default: "virtual")
    case "load": load
    case "phases": Self.list(of: Self.phase)
    case "target":
      [
        "type": "object", "additionalProperties": false,
        "properties": .object(JSONObject(domains.map { (name: $0, value: Self.server) })),
      ]
    case "events": Self.list(of: event)
    case "faults": Self.list(of: fault)
    case "objectives": Self.list(of: objective)
    case "documented": Self.choice(Scenario.Documented.allCases.map(\.rawValue), default: "judged")
    case "inconclusive":
      Self.choice(Scenario.Inconclusive.allCases.map(\.rawValue), default: "fail")
    default: [:]
    }
  }

  private var domains: [String] { declarations.map(\.domain) }

  private var worlds: JSON {
    [
      "type": "array", "minItems": 1,
      "items": [
        "type": "object", "required": ["domain"],
        "properties": [
          "domain": ["enum": .strings(domains), "description": "Which backend."]
        ],
        "allOf": .array(
          domains.map { domain in
            [
              "if": ["properties": ["domain": ["const": .string(domain)]]],
              "then": ["$ref": .string("#/$defs/world-\(domain)")],
            ]
          }),
      ],
    ]
  }

  private var load: JSON {
    Self.object(
      [
        "on": ["enum": .strings(domains)],
        "arrivals": Self.choice(
          Workload.Spacing.allCases.map(\.rawValue), default: Workload.Spacing.poisson.rawValue),
        "pause": Self.reference("time", default: "1s"),
        "lateness": Self.reference("time", default: "10ms"),
        "capacity": ["type": "string", "maxLength": 500], "atLeast": Self.rate,
      ], ScenarioKey.load)
  }

  private static var server: JSON {
    let text: JSON = ["type": "string", "minLength": 1]
    let texts: JSON = ["type": "object", "additionalProperties": text]
    let url: JSON = ["type": "string", "pattern": "^https?://[^?#@]+$"]
    return object(
      [
        "url": url,
        "services": [
          "type": "object", "additionalProperties": ["anyOf": [url, ["const": "twin"]]],
        ],
        "headers": texts, "feeder": text, "rowOf": text, "ids": text, "members": texts,
        "signIn": object(
          [
            "url": url, "discovery": url,
            "grant": ["enum": .strings(ForeignServer.SignIn.Grant.allCases.map(\.rawValue))],
            "client": text, "secret": text, "user": text, "password": text, "scope": text,
          ], ScenarioKey.signIn, ["grant", "client"]),
        "population": choice(["unknown", "prepared"], default: "unknown"),
      ], ScenarioKey.server)
  }

  private static var rate: JSON {
    ["type": "string", "pattern": .string("^\(number) *(/s|/min|/h)$")]
  }

  private static var phase: JSON {
    func amount(_ one: JSON) -> JSON {
      let steps: JSON = [
        "type": "integer", "minimum": .number(Reading.stepRange.lowerBound),
        "maximum": .number(Reading.stepRange.upperBound),
      ]
      return [
        "anyOf": [one, object(["from": one, "to": one, "steps": steps], [], ["from", "to"])]
      ]
    }
    let people: JSON = [
      "type": "integer", "minimum": .number(Reading.peopleRange.lowerBound),
      "maximum": .number(Reading.peopleRange.upperBound),
    ]
    return object(
      [
        "name": ["type": ["string", "number", "boolean"], "minLength": 1, "maxLength": 64],
        "lasts": reference("time", default: nil), "rate": amount(rate), "people": amount(people),
        "warmup": ["$ref": "#/$defs/switch", "default": false],
      ], ScenarioKey.phase, ["name", "lasts"])
  }

  private var network: JSON {
    Self.object(
      [
        "latency": ["$ref": "#/$defs/distribution"],
        "timeout": Self.reference("time", default: nil),
      ], ScenarioKey.network)
  }

  private var service: JSON {
    var properties: JSONObject = ["servers": Self.whole(Reading.serverRange, default: 8)]
    properties["capacity"] = [
      "type": "integer", "minimum": .number(Reading.capacityRange.lowerBound),
      "maximum": .number(Reading.capacityRange.upperBound),
    ]
    properties["failures"] = Self.object(
      ["up": Self.reference("time", default: nil), "down": Self.reference("time", default: nil)],
      ScenarioKey.failures, ["up", "down"])
    properties["priorities"] = priorities
    let standard = Service()
    for price in Reading.prices {
      properties[price.key] = Self.reference(
        "time", default: .string("\(standard[keyPath: price.path])"))
    }
    return Self.object(properties, ScenarioKey.service)
  }

  private var priorities: JSON {
    let choice = Self.choice(
      Service.Priority.allCases.map(\.rawValue), default: Service.Priority.usual.rawValue)
    var properties = JSONObject()
    for world in declarations {
      for operation in world.operations where operation.kind == .product {
        properties["\(world.domain).\(operation.name)"] = choice
      }
    }
    return Self.object(properties, [])
  }

  private var event: JSON {
    let commands = declarations.flatMap { world in
      world.events.map { (name: "\(world.domain).\($0.name)", control: $0) }
    }
    return [
      "type": "object", "required": ["at", "do"], "additionalProperties": false,
      "properties": [
        "at": ["$ref": "#/$defs/moment"],
        "do": [
          "enum": .strings(commands.map(\.name)), "description": "The command: DOMAIN.COMMAND.",
        ],
        "with": ["type": "object", "description": "The command's parameters."],
        "note": [
          "type": ["string", "number", "boolean"], "maxLength": 200,
          "description": "What reports call it.",
        ],
      ],
      "allOf": .array(commands.map { Self.parameters(of: $0.control, named: $0.name) }),
    ]
  }

  private static func parameters(of control: ControlDeclaration, named name: String) -> JSON {
    var properties = JSONObject()
    var alternatives: [JSON] = []
    for parameter in control.parameters {
      let names = [parameter.name] + parameter.aliases
      for name in names {
        properties[name] = ["description": .string("\(parameter.meaning) (\(parameter.type))")]
      }
      if parameter.isRequired {
        alternatives.append(["anyOf": .array(names.map { ["required": [.string($0)]] })])
      }
    }
    var with: JSONObject = [
      "description": .string(control.meaning), "properties": .object(properties),
      "additionalProperties": false,
    ]
    if !alternatives.isEmpty { with["allOf"] = .array(alternatives) }
    var then: JSONObject = ["properties": ["with": .object(with)]]
    if !alternatives.isEmpty { then["required"] = ["with"] }
    return [
      "if": ["properties": ["do": ["const": .string(name)]], "required": ["do"]],
      "then": .object(then),
    ]
  }

  private var fault: JSON {
    [
      "type": "object", "required": ["from", "to", "on", "kind"], "additionalProperties": false,
      "properties": [
        "from": ["$ref": "#/$defs/moment"], "to": ["$ref": "#/$defs/moment"],
        "on": ["enum": .strings(domains), "description": "The backend that it befalls."],
        "kind": [
          "description": "What goes wrong.",
          "anyOf": [
            ["enum": .strings(FaultWord.plain.map(\.name))],
            Self.object(["delay": Self.reference("time", default: nil)], [], ["delay"]),
          ],
        ],
        "share": Self.reference("share", default: "100%"),
        "operation": [
          "type": "string", "description": "The operation that it meets. Default: every one.",
        ],
        "count": [
          "type": "integer", "minimum": 1, "maximum": .number(Reading.mostCounted),
          "description": "How many requests it meets at most. Default: any number.",
        ],
      ],
    ]
  }

  private var objective: JSON {
    let examples = declarations.flatMap { world in
      world.operations.filter { $0.kind == .product }.map {
        "p95 of \(world.domain).\($0.name) < 600ms"
      } + world.business.map { "p90 of \(world.domain).\($0) < 10min" }
        + ["errors of \(world.domain) < 1%"]
    }
    return [
      "type": "string", "minLength": 1, "maxLength": 500,
      "description":
        "A sentence such as \"p95 of DOMAIN.OPERATION < 600ms\", \"errors < 0.1%\", \"share of DOMAIN.OPERATION over 1s < 2%\", \"rate of DOMAIN >= 5/s\" or \"count of DOMAIN.OPERATION >= 100\"; a part of the run is judged with \"from 12:00 to 14:00\" before the comparison.",
      "examples": .strings(examples),
    ]
  }
}

/// Shapes that several keys share.
extension ScenarioSchema {
  /// Sign, digits, fraction and exponent, as the reader takes them.
  private static let number = "[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?"

  static let time: JSON = [
    "type": "string", "pattern": .string("^\(number) *(ns|us|µs|ms|s|min|h|d)$"),
    "description": "A time with its unit: ns us ms s min h d.",
    "examples": ["250ms", "15min", "18h"],
  ]
  static let share: JSON = [
    "description": "A share: 1% or 0.01.",
    "anyOf": [
      ["type": "number", "minimum": 0, "maximum": 1],
      ["type": "string", "pattern": .string("^\(number) *%?$")],
    ],
    "examples": ["0.5%", "20%"],
  ]
  static let flag: JSON = [
    "description": "on or off.",
    "enum": [true, false, "on", "off", "yes", "no", "true", "false"],
  ]
  static let moment: JSON = [
    "type": "string",
    "description":
      "A moment of the run: a time of day in the scenario's zone, a date with one, or a time after the start.",
    "examples": ["10:00", "2026-03-21T10:00", "+2h"],
  ]

  static var distribution: JSON {
    let time: JSON = ["$ref": "#/$defs/time"]
    return [
      "description": "How long something takes.",
      "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
      "properties": [
        "constant": time,
        "uniform": object(["from": time, "to": time], [], ["from", "to"]),
        "exponential": ["anyOf": [time, object(["mean": time], [], ["mean"])]],
        "lognormal": object(["median": time, "p95": time], [], ["median", "p95"]),
      ],
    ]
  }

  static func reference(_ name: String, default standard: JSON?) -> JSON {
    var object: JSONObject = ["$ref": .string("#/$defs/\(name)")]
    if let standard { object["default"] = standard }
    return .object(object)
  }

  static func whole(_ range: ClosedRange<Int>, default standard: Int) -> JSON {
    [
      "type": "integer", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
      "default": .number(standard),
    ]
  }

  static func choice(_ choices: [String], default standard: String) -> JSON {
    ["enum": .strings(choices), "default": .string(standard)]
  }

  static func list(of item: JSON) -> JSON {
    ["type": "array", "maxItems": .number(Reading.longestList), "items": item]
  }

  /// A mapping of nothing but these members, described by the keys of their names.
  static func object(
    _ members: JSONObject, _ keys: [ScenarioKey], _ required: [String] = []
  ) -> JSON {
    var properties = JSONObject()
    for (name, shape) in members.members {
      var object = shape.object ?? JSONObject()
      if let key = keys.first(where: { $0.name == name }) {
        object["description"] = .string(
          key.meaning + (key.standard.map { " Default: \($0)." } ?? ""))
      }
      properties[name] = .object(object)
    }
    var result: JSONObject = [
      "type": "object", "properties": .object(properties), "additionalProperties": false,
    ]
    if !required.isEmpty { result["required"] = .strings(required) }
    return .object(result)
  }
}
