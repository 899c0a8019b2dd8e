import Contracts
import Timekeeping

extension Kilwinning {
  /// The operator's commands (§2.9); the clock moves by `advance`, faults come by `setFault`, as everywhere.
  static let commands: [Command<Self>] = [
    Command(
      "load", "Entities as they are given; one that is wrong refuses the whole load.",
      Fixture.shape, Request.load, answers: [loaded]
    ).needingSome(),
    Command(
      "populate", "A lodge with its fratelli, past seasons and presenze (§5.4), drawn from a seed.",
      DefaultLodge.shape, Request.populate, answers: [loaded]),
    .configure(Request.configure),
    .setRule(Request.setRule),
    Command(
      "inspect", "Every fratello, tornata, presenza and session of the last day.", LookExtent.asked,
      Request.inspect(since:),
      answers: [.answer(Inspection.shape.coding, Reply.inspection, \.inspection)]),
  ]

  private static let loaded = ReplyForm<Self>.answer(Loaded.shape.coding, Reply.loaded, \.loaded)

  public static let done: Reply? = .done
  public static let doneDocument: JSON = ["done": true]
  public static let sessionMember = "token"
  public static let sessionOperations = ["logIn"]

  /// As the twin makes them: 32 hexadecimal digits (§2.7).
  public static func isToken(_ text: String) -> Bool {
    text.utf8.count == 32 && text.allSatisfy(\.isHexDigit)
  }
}

/// Entities as a file gives them (§2.9); identifiers that are left out are given in the file's order.
public struct Fixture: Hashable, Sendable {
  public var fratelli: [Fratello]
  public var tornate: [Tornata]
  public var presenze: [Presenza]

  public init(
    fratelli: [Fratello] = [], tornate: [Tornata] = [], presenze: [Presenza] = []
  ) { (self.fratelli, self.tornate, self.presenze) = (fratelli, tornate, presenze) }

  static let shape: Shape<Fixture> = Shape(
    Fixture.init,
    Field(
      "fratelli", \.fratelli, .list(Fratello.given.coding).otherwise([]),
      "nome and grado, and what else of §2.1 is to be said"),
    Field(
      "tornate", \.tornate, .list(Tornata.given.coding).otherwise([]),
      "discussione and data, and what else of §2.2 is to be said"),
    Field(
      "presenze", \.presenze, .list(Presenza.given.coding).otherwise([]),
      "fratello_id, tornata_id, and status or presente"))
}

/// What a load brought.
public struct Loaded: Hashable, Sendable {
  public var fratelli, tornate, presenze: Int
  /// That nobody is administrator (KW-027).
  public var warning: String?

  public init(_ fixture: Fixture, warning: String?) {
    (fratelli, tornate) = (fixture.fratelli.count, fixture.tornate.count)
    (presenze, self.warning) = (fixture.presenze.count, warning)
  }

  private init(fratelli: Int, tornate: Int, presenze: Int, warning: String?) {
    (self.fratelli, self.tornate) = (fratelli, tornate)
    (self.presenze, self.warning) = (presenze, warning)
  }

  static let shape: Shape<Loaded> = Shape(
    Loaded.init(fratelli:tornate:presenze:warning:), Field("fratelli", \.fratelli, .int),
    Field("tornate", \.tornate, .int), Field("presenze", \.presenze, .int),
    Field("warning", \.warning, .omittable(.text)))
}

/// All that a lodge holds, as nobody but the harness is shown it; or what has changed of it.
public struct Inspection: Hashable, Sendable {
  public struct Session: Hashable, Sendable {
    public var fratelloID: Fratello.ID
    public var createdAt, lastVerifiedAt: Instant
    public var isRevoked: Bool

    public init(
      fratelloID: Fratello.ID, createdAt: Instant, lastVerifiedAt: Instant, isRevoked: Bool
    ) {
      (self.fratelloID, self.createdAt) = (fratelloID, createdAt)
      (self.lastVerifiedAt, self.isRevoked) = (lastVerifiedAt, isRevoked)
    }

    static let shape: Shape<Session> = Shape(
      Session.init, Field("fratello_id", \.fratelloID, .fratello),
      Field("created_at", \.createdAt, .instant),
      Field("last_verified_at", \.lastVerifiedAt, .instant), Field("revoked", \.isRevoked, .flag))
  }

  /// In the order of their identifiers.
  public var fratelli: [Fratello]
  public var tornate: [Tornata]
  /// By fratello, then by tornata from the newest.
  public var presenze: [Presenza]
  /// In the order of their logins: those that began or were verified within a day, or those that changed.
  public var sessions: [Session]
  /// What is no longer there.
  public var gone: Gone
  public var extent: LookExtent

  public struct Gone: Hashable, Sendable {
    public var tornate: [Tornata.ID]
    public var presenze: [Presenza.Place]

    public init(tornate: [Tornata.ID] = [], presenze: [Presenza.Place] = []) {
      (self.tornate, self.presenze) = (tornate, presenze)
    }

    static let shape: Shape<Gone> = Shape(
      Gone.init, Field("tornate", \.tornate, .list(.tornata)),
      Field("presenze", \.presenze, .list(Presenza.Place.shape.coding)))
  }

  public init(
    fratelli: [Fratello], tornate: [Tornata], presenze: [Presenza], sessions: [Session],
    gone: Gone = Gone(), extent: LookExtent = LookExtent()
  ) {
    (self.fratelli, self.tornate) = (fratelli, tornate)
    (self.presenze, self.sessions) = (presenze, sessions)
    (self.gone, self.extent) = (gone, extent)
  }

  static let shape: Shape<Inspection> = Shape(
    Inspection.init, Field("fratelli", \.fratelli, .list(Fratello.shape.coding)),
    Field("tornate", \.tornate, .list(Tornata.shape.coding)),
    Field("presenze", \.presenze, .list(Presenza.shape.coding)),
    Field("sessions", \.sessions, .list(Session.shape.coding)),
    Field("gone", \.gone, Gone.shape.coding.leftOut(for: Gone())),
    Field(\.extent, LookExtent.shape))
}
