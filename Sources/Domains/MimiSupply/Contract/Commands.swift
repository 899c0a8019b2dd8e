import Contracts
import Timekeeping

// What the operator, the environment and the harness tell the twin (§11), as scenarios, `replay` and the control plane name it.
extension MimiSupply {
  static let commands = world + people + faults + showing

  private static let world: [Command<Self>] = [
    command(
      "load",
      """
      Entities with given names; one that does not fit the schema, and an order that does not add up, refuses the whole \
      load. A field is a bare value or {value, type}; createdAt, updatedAt, lastActiveAt, ratings and counters may be left \
      out.
      """, Control.load, Field(Fixture.shape)
    ).needingSome(),
    command(
      "loadSampleWorld",
      """
      The sample world of section 12 in Berlin: partners partner-1 to partner-10 of user-partner-1 to -10 with products \
      product-1-1 …, drivers driver-1 to driver-3 of user-driver-1 to -3, customers user-customer-1 (Berlin) and \
      user-customer-2 (München), user-admin; each is signed in with the token session-NAME on device-NAME, e.g. \
      session-customer-1.
      """, .loadSampleWorld),
    .configure({ .control(.configure($0)) }, answers: [.shown]),
    .setRule({ .control(.setRule($0, binds: $1)) }, answers: [.shown]),
    command(
      "setApiTokens", "Which API tokens are known. At first every one is, but the word 'unknown'.",
      Control.setApiTokens,
      Field("tokens", .optional(.strings).hidden, "all of them; null: every one but 'unknown'")),
    Command(
      "inspect", "Shows the state: records, flags, ledgers, offers, counters.",
      Request.inspect(types:since:),
      Field("types", .omittable(.list(.documented)), "record types; every one when left out"),
      LookExtent.since { $0 },
      answers: [.shown]),
  ]

  private static let people: [Command<Self>] = [
    command(
      "setConsent", "Grants or withdraws a consent (MS-118).", Control.setConsent,
      Field("user", .recordName, ofUser),
      Field("kind", .text(among: consentKinds), "what it is about"),
      Field("granted", .flag, "whether it is given")),
    command(
      "setRiskScore", "The risk of an account; above 0.8 it is locked (MS-117).",
      Control.setRiskScore, Field("user", .recordName, ofUser),
      Field("score", .number(0...1), "the score")),
    command(
      "setPayment", "What the payment stub answers from now on.", Control.setPayment,
      Field("order", .omittable(.recordName), "the order; all when left out"),
      Field("refused", .flag, "whether the payment is refused")),
    command(
      "delivered", "The environment brought a notification to its device.", Control.delivered,
      Field("token", .text.hidden, "the device's push token"),
      Field("notification", .text, "the notification's nid")),
  ]

  private static let faults: [Command<Self>] = [
    command(
      "injectFault", "A fault that requests meet which fit (§11).", Control.injectFault,
      Field(InjectedFault.shape)),
    command("endFaults", "Ends all injected faults.", .endFaults),
  ]

  private static let showing: [Command<Self>] = [
    command(
      "outbox", "The push log: every notification with its time and device.", .outbox),
    command(
      "audit", "The audit log.", Control.audit(user:),
      Field("user", .omittable(.recordName), "of one user alone")),
    command(
      "counters", "Admitted and refused requests, bytes, conflicts, matches, notifications.",
      .counters),
    command(
      "commitLog",
      "The commit log since it is kept: each change with its commit, time, actor, cause, and the record before and after.",
      Control.commitLog(kept:),
      Field(
        "kept", .omittable(.flag),
        "whether it is kept from now on; at first it is not. false forgets it")),
  ]

  /// MS-118.
  public static let consentKinds = [
    "essential", "analytics", "marketing", "location", "notifications", "personalization",
  ]
  private static let ofUser = "the user, who has a profile"

  private static func command<each Parameter: Sendable>(
    _ name: String, _ meaning: String,
    _ make: @escaping @Sendable (repeat each Parameter) -> Control,
    _ fields: repeat Field<each Parameter, each Parameter>
  ) -> Command<Self> {
    Command(
      name, meaning, Shape(repeat each fields),
      { parameters in
        let control = make(repeat each parameters)
        return .control(control)
      }, answers: [.shown])
  }

  private static func command(
    _ name: String, _ meaning: String, _ control: Control
  ) -> Command<Self> { Command(name, meaning, .control(control), answers: [.shown]) }
}

extension Coding where Value: Naming {
  fileprivate static var recordName: Coding { name.called("record name") }
}
