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
      """, Fixture.shape, Control.load, \.fixture),
    command(
      "loadSampleWorld",
      """
      The sample world of section 12 in Berlin: partners partner-1 to partner-10 of user-partner-1 to -10 with products \
      product-1-1 …, drivers driver-1 to driver-3 of user-driver-1 to -3, customers user-customer-1 (Berlin) and \
      user-customer-2 (München), user-admin; each is signed in with the token session-NAME on device-NAME, e.g. \
      session-customer-1.
      """, .loadSampleWorld),
    .configure({ .control(.configure($0)) }, { $0.control?.adjustment }, answers: [.shown]),
    .setRule(
      { .control(.setRule($0.rule, binds: $0.binds)) }, { $0.control?.rule }, answers: [.shown]),
    command(
      "setApiTokens",
      "Which API tokens are known. At first every one is, but the word 'unknown'.",
      Shape(
        { $0 },
        Field(
          "tokens", \.self, .optional(.strings).hidden,
          "all of them; null: every one but 'unknown'")), Control.setApiTokens, \.apiTokens),
    Command(
      "inspect", "Shows the state: records, flags, ledgers, offers, counters.",
      Shape(
        { (types: $0, since: $1) },
        Field(
          "types", { $0.types }, .omittable(.list(.documented)),
          "record types; every one when left out"), LookExtent.since { $0.since }),
      Request.inspect(types:since:),
      { if case .inspect(let types, let since) = $0 { (types, since) } else { nil } },
      answers: [.shown]),
  ]

  private static let people: [Command<Self>] = [
    command(
      "setConsent", "Grants or withdraws a consent (MS-118).",
      Shape(
        { (user: $0, kind: $1, granted: $2) }, Field("user", { $0.user }, .recordName, ofUser),
        Field("kind", { $0.kind }, .text(among: consentKinds), "what it is about"),
        Field("granted", { $0.granted }, .flag, "whether it is given")),
      { .setConsent(user: $0.user, kind: $0.kind, granted: $0.granted) }, \.consent),
    command(
      "setRiskScore", "The risk of an account; above 0.8 it is locked (MS-117).",
      Shape(
        { (user: $0, score: $1) }, Field("user", { $0.user }, .recordName, ofUser),
        Field("score", { $0.score }, .number(0...1), "the score")),
      { .setRiskScore(user: $0.user, score: $0.score) }, \.risk),
    command(
      "setPayment", "What the payment stub answers from now on.",
      Shape(
        { (order: $0, isRefused: $1) },
        Field("order", { $0.order }, .omittable(.recordName), "the order; all when left out"),
        Field("refused", { $0.isRefused }, .flag, "whether the payment is refused")),
      { .setPayment(order: $0.order, isRefused: $0.isRefused) }, \.payment),
    command(
      "delivered", "The environment brought a notification to its device.",
      Shape(
        { (token: $0, notification: $1) },
        Field("token", { $0.token }, .text.hidden, "the device's push token"),
        Field("notification", { $0.notification }, .text, "the notification's nid")),
      { .delivered(token: $0.token, notification: $0.notification) }, \.delivery),
  ]

  private static let faults: [Command<Self>] = [
    command(
      "injectFault", "A fault that requests meet which fit (§11).", InjectedFault.shape,
      Control.injectFault, \.fault),
    command("endFaults", "Ends all injected faults.", .endFaults),
  ]

  private static let showing: [Command<Self>] = [
    command(
      "outbox", "The push log: every notification with its time and device.", .outbox),
    command(
      "audit", "The audit log.",
      Shape({ $0 }, Field("user", \.self, .omittable(.recordName), "of one user alone")),
      Control.audit(user:), \.audited),
    command(
      "counters", "Admitted and refused requests, bytes, conflicts, matches, notifications.",
      .counters),
    command(
      "commitLog",
      "The commit log since it is kept: each change with its commit, time, actor, cause, and the record before and after.",
      Shape(
        { $0 },
        Field(
          "kept", \.self, .omittable(.flag),
          "whether it is kept from now on; at first it is not. false forgets it")),
      Control.commitLog(kept:), \.kept),
  ]

  /// MS-118.
  public static let consentKinds = [
    "essential", "analytics", "marketing", "location", "notifications", "personalization",
  ]
  private static let ofUser = "the user, who has a profile"

  private static func command<Asked: Sendable>(
    _ name: String, _ meaning: String, _ shape: Shape<Asked>,
    _ make: @escaping @Sendable (Asked) -> Control,
    _ get: @escaping @Sendable (Control) -> Asked?
  ) -> Command<Self> {
    Command(
      name, meaning, shape, { .control(make($0)) }, { $0.control.flatMap(get) }, answers: [.shown])
  }

  /// One without parameters.
  private static func command(
    _ name: String, _ meaning: String, _ control: Control
  ) -> Command<Self> {
    command(name, meaning, .empty, { _ in control }, { $0 == control ? NoMembers() : nil })
  }
}

// What a command says, by its case.
extension Control {
  fileprivate var fixture: Fixture? { if case .load(let it) = self { it } else { nil } }
  fileprivate var adjustment: Adjustment<MimiSupply.Deployment>? {
    if case .configure(let it) = self { it } else { nil }
  }
  fileprivate var rule: RuleSwitch<MimiSupply.Rule>? {
    if case .setRule(let rule, let binds) = self { RuleSwitch(rule, binds: binds) } else { nil }
  }
  fileprivate var apiTokens: [String]?? {
    if case .setApiTokens(let it) = self { .some(it) } else { nil }
  }
  fileprivate var consent: (user: UserName, kind: String, granted: Bool)? {
    if case .setConsent(let user, let kind, let granted) = self {
      (user, kind, granted)
    } else {
      nil
    }
  }
  fileprivate var risk: (user: UserName, score: Double)? {
    if case .setRiskScore(let user, let score) = self { (user, score) } else { nil }
  }
  fileprivate var payment: (order: RecordName?, isRefused: Bool)? {
    if case .setPayment(let order, let isRefused) = self { (order, isRefused) } else { nil }
  }
  fileprivate var delivery: (token: String, notification: String)? {
    if case .delivered(let token, let id) = self { (token, id) } else { nil }
  }
  fileprivate var fault: InjectedFault? { if case .injectFault(let it) = self { it } else { nil } }
  fileprivate var audited: UserName?? { if case .audit(let it) = self { .some(it) } else { nil } }
  fileprivate var kept: Bool?? { if case .commitLog(let it) = self { .some(it) } else { nil } }
}

extension Coding where Value: Naming {
  fileprivate static var recordName: Coding { name.called("record name") }
}
