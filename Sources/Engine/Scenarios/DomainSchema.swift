import Contracts
import Timekeeping

/// The part of the schema that a domain's declaration decides: its world.
struct DomainSchema {
  private let declaration: WorldDeclaration

  init(_ declaration: WorldDeclaration) { self.declaration = declaration }

  var world: JSON {
    var properties = JSONObject()
    for key in ScenarioReader.worldKeys {
      let described = ScenarioKey.named(key, in: ScenarioKey.world)
      var object = shape(of: key).object ?? JSONObject()
      object["description"] = .string(
        described.meaning + (described.standard.map { " Default: \($0)." } ?? ""))
      properties[key] = .object(object)
    }
    return [
      "title": .string(declaration.title), "type": "object", "required": ["domain"],
      "additionalProperties": false, "properties": .object(properties),
    ]
  }

  private func shape(of key: String) -> JSON {
    switch key {
    case "domain": ["const": .string(declaration.domain)]
    case "regions": ScenarioSchema.whole(Reading.regionRange, default: 1)
    case "population": settings(declaration.population)
    case "parameters": settings(declaration.parameters)
    case "profile": profiles
    case "quirks": quirks
    case "adversaries": ScenarioSchema.reference("share", default: "0%")
    case "haste": ScenarioSchema.whole(Reading.hasteRange, default: 1)
    case "rulesOff": rules
    default: [:]
    }
  }

  private func settings(_ declared: [Setting]) -> JSON {
    [
      "type": "object", "additionalProperties": false,
      "properties": .object(
        JSONObject(declared.map { (name: $0.name, value: Self.setting($0)) })),
    ]
  }

  /// A setting with its unit, range, default and source; ranges of shares and times, which are texts, are told in words too.
  static func setting(_ setting: Setting) -> JSON {
    var object = shape(of: setting.kind).object ?? JSONObject()
    object["default"] = value(setting.standard)
    object["description"] = .string(
      "\(setting.meaning). \(setting.rangeInWords); default \(setting.standard) (\(setting.source))."
    )
    object["x-source"] = .string(setting.source)
    if let unit = setting.unit { object["x-unit"] = .string(unit) }
    return .object(object)
  }

  private static func shape(of kind: Setting.Kind) -> JSON {
    switch kind {
    case .count(let range):
      [
        "type": "integer", "minimum": .number(range.lowerBound),
        "maximum": .number(range.upperBound),
      ]
    case .number(let range):
      [
        "type": "number", "minimum": .double(range.lowerBound),
        "maximum": .double(range.upperBound),
      ]
    case .share(let range):
      [
        "$ref": "#/$defs/share",
        "x-range": [.string(percent(range.lowerBound)), .string(percent(range.upperBound))],
      ]
    case .span(let range):
      [
        "$ref": "#/$defs/time",
        "x-range": [.string("\(range.lowerBound)"), .string("\(range.upperBound)")],
      ]
    case .flag: ["$ref": "#/$defs/switch"]
    case .choice(let choices): ["enum": .strings(choices)]
    }
  }

  private static func value(_ value: Setting.Value) -> JSON {
    switch value {
    case .count(let count): .number(count)
    case .number(let number): .double(number)
    default: .string("\(value)")
    }
  }

  private var profiles: JSON {
    let standard = Reading.standard(of: declaration)
    let all = declaration.profiles.isEmpty ? [standard] : declaration.profiles
    return ["enum": .strings(all.map(\.name)), "default": .string(standard.name)]
  }

  private var quirks: JSON {
    [
      "type": "object", "additionalProperties": false,
      "properties": .object(
        JSONObject(
          declaration.quirks.map { quirk in
            (
              name: quirk.id,
              value: ["$ref": "#/$defs/switch", "description": .string(quirk.meaning)] as JSON
            )
          })),
    ]
  }

  private var rules: JSON {
    let switchable = declaration.limits.filter { $0.keeper != .nobody }
    return [
      "type": "array", "uniqueItems": true,
      "items": ["enum": .strings(switchable.map(\.id.text))],
    ]
  }
}

extension Setting {
  /// The unit of its values; `nil` for what is counted, switched or chosen.
  public var unit: String? {
    switch kind {
    case .share: "%"
    case .span: "time with a unit"
    case .count, .number, .flag, .choice: nil
    }
  }

  /// What it may be, in few words: `1 – 100000`, `0% – 100%`, `on, off`.
  public var shortRange: String {
    switch kind {
    case .count(let range): "\(range.lowerBound) – \(range.upperBound)"
    case .number(let range): "\(plain(range.lowerBound)) – \(plain(range.upperBound))"
    case .share(let range): "\(percent(range.lowerBound)) – \(percent(range.upperBound))"
    case .span(let range): "\(range.lowerBound) – \(range.upperBound)"
    case .flag: "on, off"
    case .choice(let choices): choices.joined(separator: ", ")
    }
  }

  /// What may stand there: `From 1 to 100000`.
  public var rangeInWords: String {
    switch kind {
    case .count(let range): "A whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(let range):
      "A number from \(plain(range.lowerBound)) to \(plain(range.upperBound))"
    case .share(let range):
      "A share from \(percent(range.lowerBound)) to \(percent(range.upperBound))"
    case .span(let range): "A time from \(range.lowerBound) to \(range.upperBound)"
    case .flag: "on or off"
    case .choice(let choices): "One of \(choices.joined(separator: ", "))"
    }
  }
}
