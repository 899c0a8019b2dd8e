import Contracts
import Timekeeping

extension KantineKoning {
  /// The values of §7.3 that a deployment decides (marked D there). What a seed or the client fixes (five teams, fifteen
  /// characters, the hour between two syncs) is a rule and no setting.
  public struct Deployment: Contracts.Deployment {
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
    public var memberTokenLeeway = Span.seconds(120)
    public var magicLinkLifetime = Span.seconds(86_400)
    public var deviceTokenLifetime = DeviceTokenLifetime.seasonEnd
    public var searchMaxResults = 50
    public var reenroll = Reenroll.supersede
    public var removeTeamsMatch = RemoveTeamsMatch.codeOrID
    public var syncProtectsClosedTenants = true
    public var leaderboardRequiresNames = false

    public init() {}

    /// The operator's command names them as §7.3 does.
    public static func wireName(of name: String) -> String { snakeCase(name) }

    public static let settings: [DeploymentSetting<Self>] = [
      DeploymentSetting(
        "memberTokenLifetime", \.memberTokenLifetime, .span(.seconds(1) ... .days(1)),
        "how long a token lives that the app builds for a member", source: "§7.3, §8 point 10"),
      DeploymentSetting(
        "memberTokenLeeway", \.memberTokenLeeway, .span(.zero ... .hours(1)),
        "by how much a phone's clock may be ahead of the backend's", source: "§7.3"),
      DeploymentSetting(
        "magicLinkLifetime", \.magicLinkLifetime, .span(.seconds(1) ... .days(365)),
        "how long a magic link works", source: "§7.3, §8 point 10"),
      DeploymentSetting(
        "deviceTokenLifetime", \.deviceTokenLifetime, .deviceTokenLifetime,
        "when a device token expires; fixed: after deviceTokenFixed", source: "§7.1, §7.3"),
      DeploymentSetting(
        Setting(
          "deviceTokenFixed", .span(.aDeviceToken), .span(.days(30)),
          "how long a device token lives where deviceTokenLifetime is fixed", source: "§7.1")
      ) { given, deployment in
        guard case .seconds = deployment.deviceTokenLifetime, case .span(let span) = given else {
          return
        }
        deployment.deviceTokenLifetime = .fixed(span)
      },
      DeploymentSetting(
        "searchMaxResults", \.searchMaxResults, .count(1...1_000),
        "how many clubs or teams a search finds at most", source: "§7.3"),
      DeploymentSetting(
        "reenroll", \.reenroll, .word, "what registering again for a followed team does",
        source: "§7.3, §8 point 3"),
      DeploymentSetting(
        "removeTeamsMatch", \.removeTeamsMatch, .word,
        "by what the backend knows teams to remove", source: "§7.3, Q4"),
      DeploymentSetting(
        "syncProtectsClosedTenants", \.syncProtectsClosedTenants, .flag,
        "whether a sync leaves enrollments in closed and ended clubs alone",
        source: "§7.3, §8 point 4"),
      DeploymentSetting(
        "leaderboardRequiresNames", \.leaderboardRequiresNames, .flag,
        "whether a dienst without names counts for nobody", source: "§7.3, §8 point 8"),
    ]
  }
}

extension KantineKoning.Deployment.DeviceTokenLifetime {
  static func fixed(_ span: Span) -> Self { .seconds(span.nanoseconds / 1_000_000_000) }
}

extension ClosedRange where Bound == Span {
  /// For how long a device token may be given out.
  fileprivate static var aDeviceToken: ClosedRange { .minutes(1) ... .days(3_650) }
}

extension SettingKind where Value == KantineKoning.Deployment.DeviceTokenLifetime {
  /// A scenario says `fixed` and names the span beside it; the operator's command takes the span itself.
  fileprivate static var deviceTokenLifetime: SettingKind {
    SettingKind(
      .deviceTokenLifetime, .choice(["seasonEnd", "none", "fixed"]),
      write: { lifetime in
        switch lifetime {
        case .seasonEnd: .choice("seasonEnd")
        case .none: .choice("none")
        case .seconds: .choice("fixed")
        }
      },
      read: { value in
        switch value {
        case .choice("none"): .none
        case .choice("fixed"): .fixed(.days(30))
        default: .seasonEnd
        }
      })
  }
}

extension Coding where Value == KantineKoning.Deployment.DeviceTokenLifetime {
  fileprivate static let deviceTokenLifetime: Coding = Coding<JSON>.json.converted(
    to: { (json) throws(Malformed) -> Value in
      switch json {
      case "seasonEnd": .seasonEnd
      case "none": .none
      default: .fixed(try Coding<Span>.span(.aDeviceToken).read(json))
      }
    },
    from: { (lifetime: Value, _) -> JSON in
      switch lifetime {
      case .seasonEnd: "seasonEnd"
      case .none: "none"
      case .seconds(let seconds): .int(seconds)
      }
    }
  ).called("seasonEnd, none or \(Coding<Span>.span(.aDeviceToken).words)").example("seasonEnd")
}
