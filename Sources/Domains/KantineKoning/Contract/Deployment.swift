import Contracts
import Timekeeping

extension KantineKoning {
  /// The values of §7.3 that a deployment decides (marked D there), declared once for scenarios, for the operator's
  /// command `configure`, for the twin, the phones and the checks. What a seed or the client fixes (five teams, fifteen
  /// characters, the hour between two syncs) is a rule and no setting.
  public struct Deployment: Hashable, Sendable {
    /// How long a device token lives (§7.1).
    public enum DeviceTokenLifetime: Hashable, Sendable {
      /// Up to the coming 31 July 23:59:59 Europe/Amsterdam.
      case seasonEnd
      /// Tokens never expire.
      case none
      case seconds(Int64)
    }

    /// What registering again for a team does that the device already follows in the same role (KK-22).
    public enum Reenroll: String, Hashable, Sendable, CaseIterable { case supersede, reject }

    /// Whether removing teams understands their ids (§5.11 Q4).
    public enum RemoveTeamsMatch: String, Hashable, Sendable, CaseIterable {
      case codeOrID = "codeOrId"
      case codeOnly
    }

    public var memberTokenLifetime = Span.seconds(600)
    /// What a phone's clock may be ahead.
    public var memberTokenLeeway = Span.seconds(120)
    public var magicLinkLifetime = Span.seconds(86_400)
    public var deviceTokenLifetime = DeviceTokenLifetime.seasonEnd
    public var searchMaxResults = 50
    public var reenroll = Reenroll.supersede
    public var removeTeamsMatch = RemoveTeamsMatch.codeOrID
    public var syncProtectsClosedTenants = true
    /// Whether a dienst that nobody is on counts for nobody (§8, point 8).
    public var leaderboardRequiresNames = false
    /// The lifetime that `fixed` stands for in scenarios.
    private var fixedLifetime = Span.days(30)

    public init() {}

    /// - Parameter settings: Values of `Deployment.settings`, all of them.
    public init(_ settings: Settings) {
      for setting in Self.settings {
        if let value = settings[setting.name] { take([setting.name: value]) }
      }
    }

    /// Takes over what is given, by the names of `settings`; the rest stays.
    public mutating func take(_ values: [String: Setting.Value]) {
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        switch (name, value) {
        case ("memberTokenLifetime", .span(let span)): memberTokenLifetime = span
        case ("memberTokenLeeway", .span(let span)): memberTokenLeeway = span
        case ("magicLinkLifetime", .span(let span)): magicLinkLifetime = span
        case (Self.deviceTokenFixed, .span(let span)):
          fixedLifetime = span
          if case .seconds = deviceTokenLifetime { take([Self.deviceToken: .choice("fixed")]) }
        case (Self.deviceToken, .choice("seasonEnd")): deviceTokenLifetime = .seasonEnd
        case (Self.deviceToken, .choice("none")): deviceTokenLifetime = .none
        case (Self.deviceToken, .choice("fixed")):
          deviceTokenLifetime = .seconds(fixedLifetime.nanoseconds / 1_000_000_000)
        case ("searchMaxResults", .count(let count)): searchMaxResults = count
        case ("reenroll", .choice(let text)): reenroll = Reenroll(rawValue: text) ?? reenroll
        case ("removeTeamsMatch", .choice(let text)):
          removeTeamsMatch = RemoveTeamsMatch(rawValue: text) ?? removeTeamsMatch
        case ("syncProtectsClosedTenants", .flag(let flag)): syncProtectsClosedTenants = flag
        case ("leaderboardRequiresNames", .flag(let flag)): leaderboardRequiresNames = flag
        default: preconditionFailure("nobody reads a setting '\(name)' of the value \(value)")
        }
      }
    }

    // MARK: Declarations

    fileprivate static let deviceToken = "deviceTokenLifetime"
    fileprivate static let deviceTokenFixed = "deviceTokenFixed"

    /// As scenarios name them, with the specification's defaults.
    public static let settings: [Setting] = [
      Setting(
        "memberTokenLifetime", .span(.seconds(1) ... .days(1)), .span(.seconds(600)),
        "how long a token lives that the app builds for a member", source: "§7.3, §8 point 10"),
      Setting(
        "memberTokenLeeway", .span(.zero ... .hours(1)), .span(.seconds(120)),
        "by how much a phone's clock may be ahead of the backend's", source: "§7.3"),
      Setting(
        "magicLinkLifetime", .span(.seconds(1) ... .days(365)), .span(.seconds(86_400)),
        "how long a magic link works", source: "§7.3, §8 point 10"),
      Setting(
        deviceToken, .choice(["seasonEnd", "none", "fixed"]), .choice("seasonEnd"),
        "when a device token expires; fixed: after deviceTokenFixed", source: "§7.1, §7.3"),
      Setting(
        deviceTokenFixed, .span(.minutes(1) ... .days(3_650)), .span(.days(30)),
        "how long a device token lives where deviceTokenLifetime is fixed", source: "§7.1"),
      Setting(
        "searchMaxResults", .count(1...1_000), .count(50),
        "how many clubs or teams a search finds at most", source: "§7.3"),
      Setting(
        "reenroll", .choice(Reenroll.allCases.map(\.rawValue)), .choice("supersede"),
        "what registering again for a followed team does", source: "§7.3, §8 point 3"),
      Setting(
        "removeTeamsMatch", .choice(RemoveTeamsMatch.allCases.map(\.rawValue)),
        .choice("codeOrId"), "by what the backend knows teams to remove", source: "§7.3, Q4"),
      Setting(
        "syncProtectsClosedTenants", .flag, .flag(true),
        "whether a sync leaves enrollments in closed and ended clubs alone",
        source: "§7.3, §8 point 4"),
      Setting(
        "leaderboardRequiresNames", .flag, .flag(false),
        "whether a dienst without names counts for nobody", source: "§7.3, §8 point 8"),
    ]

    /// What the operator sets at the start of a run: the values that are not the specification's; empty when all are.
    public static func differing(_ parameters: Settings) -> [String: Setting.Value] {
      var values: [String: Setting.Value] = [:]
      for setting in settings where parameters[setting.name] != setting.standard {
        values[setting.name] = parameters[setting.name]
      }
      return values
    }
  }
}

// MARK: - `configure`

/// The command names them as §7.3 does, and `device_token_lifetime` is one value there: `seasonEnd`, `none` or seconds.
extension KantineKoning.Deployment {
  static let configure = ControlDeclaration(
    "configure", "Sets values of §7.3; what is left out stays. Times in seconds, or as \"10min\".",
    settings.filter { $0.name != deviceTokenFixed }.map { setting in
      ControlDeclaration.Parameter(
        setting.wireName, type(of: setting), optional: true,
        setting.name == deviceToken
          ? "when a device token expires; seasonEnd"
          : "\(setting.meaning); \(json(setting.standard))")
    })

  private static func type(of setting: Setting) -> String {
    switch setting.kind {
    case .span(let range): "seconds, \(range.lowerBound) to \(range.upperBound)"
    case .count(let range): "int, \(range.lowerBound) to \(range.upperBound)"
    case .flag: "bool"
    case .choice where setting.name == deviceToken: "seasonEnd, none or seconds, 1min to 3650d"
    case .choice(let choices): choices.joined(separator: " or ")
    case .share, .number: preconditionFailure("\(setting.name) has no such kind")
    }
  }

  static func read(_ given: ControlParameters) throws(ControlProblem) -> [String: Setting.Value] {
    var values: [String: Setting.Value] = [:]
    for setting in settings {
      guard setting.name != deviceTokenFixed, let json = given.value(setting.wireName) else {
        continue
      }
      if let value = value(json, of: setting) {
        values[setting.name] = value
      } else if setting.name == deviceToken, let fixed = settings.first(where: \.isFixedLifetime),
        let lifetime = value(json, of: fixed)
      {
        values[deviceToken] = .choice("fixed")
        values[deviceTokenFixed] = lifetime
      } else {
        throw given.problem(
          setting.wireName, "cannot be \(printable("\(json)")); it is \(type(of: setting))")
      }
    }
    return values
  }

  /// `nil` for what the setting does not take; of the lifetime of device tokens the two words alone.
  private static func value(_ json: JSON, of setting: Setting) -> Setting.Value? {
    switch setting.kind {
    case .span(let range):
      let span = json.int.map { Span.seconds(Int64($0)) } ?? json.string.flatMap { Span($0) }
      return span.flatMap { range.contains($0) ? .span($0) : nil }
    case .count(let range): return json.int.flatMap { range.contains($0) ? .count($0) : nil }
    case .flag: return json.bool.map { .flag($0) }
    case .choice(let choices):
      guard let text = json.string, choices.contains(text), text != "fixed" else { return nil }
      return .choice(text)
    case .share, .number: return nil
    }
  }

  /// As the command takes them.
  static func parameters(_ values: [String: Setting.Value]) -> JSON {
    var members = JSONObject()
    for setting in settings {
      guard setting.name != deviceTokenFixed, let value = values[setting.name] else { continue }
      let isFixed = value == .choice("fixed")
      members[setting.wireName] = json(
        isFixed ? values[deviceTokenFixed] ?? .span(Self().fixedLifetime) : value)
    }
    return .object(members)
  }

  private static func json(_ value: Setting.Value) -> JSON {
    switch value {
    case .span(let span):
      span.nanoseconds % 1_000_000_000 == 0
        ? .int(span.nanoseconds / 1_000_000_000) : .string("\(span.nanoseconds)ns")
    case .count(let count): .number(count)
    case .flag(let flag): .bool(flag)
    case .choice(let text): .string(text)
    case .share(let number), .number(let number): .double(number)
    }
  }
}

extension Setting {
  fileprivate var isFixedLifetime: Bool {
    name == KantineKoning.Deployment.deviceTokenFixed
  }

  /// `member_token_lifetime` of `memberTokenLifetime`.
  fileprivate var wireName: String {
    name.reduce(into: "") { text, letter in
      text += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
    }
  }
}
