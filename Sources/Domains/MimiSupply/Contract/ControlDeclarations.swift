import Contracts

/// The operator's commands as `rehearse commands mimi-supply` lists them (§11).
extension MimiSupply {
  private typealias Parameter = ControlDeclaration.Parameter

  private static let user = Parameter("user", "record name", "the user, who has a profile")

  public static let controls: [ControlDeclaration] =
    worldControls + peopleControls + faultControls + showingControls

  private static let worldControls = [
    ControlDeclaration(
      "load",
      """
      Entities with given names; one that does not fit the schema, and an order that does not add up, refuses the whole \
      load. A field is a bare value or {value, type}; createdAt, updatedAt, lastActiveAt, ratings and counters may be left \
      out.
      """,
      [
        Parameter(
          "users", "list", optional: true,
          "{userRecordName, appleUserID, role, fields}: a profile each; appleUserID is the name when left out, role customer"
        ),
        Parameter(
          "sessions", "list", optional: true,
          "{ckWebAuthToken, userRecordName, deviceID, expiresAt}: signed in without a sign-in"),
        Parameter(
          "records", "list", optional: true,
          "{recordName, recordType, createdBy, zoneName, fields}: of any type"),
      ]),
    ControlDeclaration(
      "loadSampleWorld",
      """
      The sample world of section 12 in Berlin: partners partner-1 to partner-10 of user-partner-1 to -10 with products \
      product-1-1 …, drivers driver-1 to driver-3 of user-driver-1 to -3, customers user-customer-1 (Berlin) and \
      user-customer-2 (München), user-admin; each is signed in with the token session-NAME on device-NAME, e.g. \
      session-customer-1.
      """),
    ControlDeclaration(
      "configure",
      "Sets values of section 10, each under its own name; spans as \"30s\", sizes in bytes.",
      MimiSupply.settingNames.map { Parameter($0.name, $0.type, optional: true, $0.meaning) }),
    ControlDeclaration(
      "setRule", "Switches a rule of the twin off or on.",
      [
        Parameter("id", "limit", "the rule, e.g. MS-28"),
        Parameter("binds", "bool", "whether its guard is obeyed"),
      ]),
    ControlDeclaration(
      "setApiTokens",
      "Which API tokens are known. At first every one is, but the word 'unknown'.",
      [
        Parameter(
          "tokens", "list or null", optional: true, "all of them; null: every one but 'unknown'")
      ]),
    ControlDeclaration(
      "inspect", "Shows the state: records, flags, ledgers, offers, counters.",
      [Parameter("types", "list", optional: true, "record types; every one when left out")]),
  ]

  private static let peopleControls = [
    ControlDeclaration(
      "setConsent", "Grants or withdraws a consent (MS-118).",
      [
        user,
        Parameter(
          "kind", "essential, analytics, marketing, location, notifications or personalization",
          "what it is about"),
        Parameter("granted", "bool", "whether it is given"),
      ]),
    ControlDeclaration(
      "setRiskScore", "The risk of an account; above 0.8 it is locked (MS-117).",
      [user, Parameter("score", "0…1", "the score")]),
    ControlDeclaration(
      "setPayment", "What the payment stub answers from now on.",
      [
        Parameter("order", "record name", optional: true, "the order; all when left out"),
        Parameter("refused", "bool", "whether the payment is refused"),
      ]),
    ControlDeclaration(
      "delivered", "The environment brought a notification to its device.",
      [
        Parameter("token", "text", "the device's push token"),
        Parameter("notification", "text", "the notification's nid"),
      ]),
  ]

  private static let faultControls = [
    ControlDeclaration(
      "injectFault", "A fault that requests meet which fit (§11).",
      [
        Parameter(
          "kind",
          InjectedFault.Kind.allCases.map(\.rawValue).joined(separator: ", "), "what happens"),
        Parameter("user", "record name", optional: true, "whose requests; everybody's"),
        Parameter("zone", "zone name", optional: true, "of which zone; every one"),
      ] + FaultSelection.parameters + [
        Parameter("retryAfter", "span", optional: true, "what busy zones and outages ask for; 30s"),
        Parameter("delay", "span", optional: true, "how much later answers come, for latency"),
      ]),
    ControlDeclaration("endFaults", "Ends all injected faults."),
  ]

  private static let showingControls = [
    ControlDeclaration("outbox", "The push log: every notification with its time and device."),
    ControlDeclaration(
      "audit", "The audit log.",
      [Parameter("user", "record name", optional: true, "of one user alone")]),
    ControlDeclaration(
      "counters", "Admitted and refused requests, bytes, conflicts, matches, notifications."),
    ControlDeclaration(
      "commitLog",
      "The commit log since it is kept: each change with its commit, time, actor, cause, and the record before and after.",
      [
        Parameter(
          "kept", "bool", optional: true,
          "whether it is kept from now on; at first it is not. false forgets it")
      ]),
  ]
}
