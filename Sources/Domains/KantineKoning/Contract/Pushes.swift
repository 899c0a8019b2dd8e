import Contracts
import Timekeeping

/// What a push tells of (§5.5).
public enum PushEvent: String, Hashable, Sendable, CaseIterable {
  case dienstAssigned = "dienst_assigned"
  case dienstChanged = "dienst_changed"
  case dienstCancelled = "dienst_cancelled"
  /// To the former team.
  case dienstTakenOver = "dienst_taken_over"
  /// 7 days before the start while understaffed.
  case reminderWeek = "reminder_week"
  /// 24 hours before the start while understaffed.
  case reminderDay = "reminder_day"
  /// Optional, off by default.
  case volunteersChanged = "volunteers_changed"
  /// An operator's test alert (KK-100).
  case test
}

/// A push on its way to one phone (§2.12).
public struct Push: Hashable, Sendable {
  public var event: PushEvent
  /// Counts the events of a cell: the same for every phone that one event is sent to (KK-99).
  public var eventNumber: Int
  public var tenantSlug: Slug, teamCode: TeamName
  /// `nil` for a test alert.
  public var dienstID: DienstID?
  public var title, body: String
  public var createdAt: Instant
  public var dispatch: ApnsDispatch

  public init(
    event: PushEvent, eventNumber: Int, tenantSlug: Slug, teamCode: TeamName, dienstID: DienstID?,
    title: String, body: String, createdAt: Instant, dispatch: ApnsDispatch
  ) {
    (self.event, self.eventNumber, self.tenantSlug) = (event, eventNumber, tenantSlug)
    (self.teamCode, self.dienstID, self.title, self.body) = (teamCode, dienstID, title, body)
    (self.createdAt, self.dispatch) = (createdAt, dispatch)
  }

  /// The payload that the phone gets (§6.4, KK-96).
  public var payload: JSON { Self.payload.document(of: told, .redacted) }

  private typealias Told = ((title: String, body: String), tenant: Slug, team: TeamName)

  private var told: Told { ((title, body), tenantSlug, teamCode) }

  private static let alert = Shape(
    { (title: $0, body: $1) }, Field("title", { $0.title }, .text),
    Field("body", { $0.body }, .text))
  private static let aps = Shape(
    { $0 },
    Field("alert", { $0 }, alert.coding)
      .then("sound", .text, isChecked: false) { _ in "default" })
  private static let payload: Shape<Told> = Shape(
    { ($0, $1, $2) }, Field("aps", { $0.0 }, aps.coding),
    Field("tenant_slug", { $0.tenant }, .name), Field("team_code", { $0.team }, .name))

  /// As people read it, and a device that listens; the phone gets its payload.
  static let shape = Shape(
    { event, number, dienst, created, dispatch, told in
      Push(
        event: event, eventNumber: number, tenantSlug: told.tenant, teamCode: told.team,
        dienstID: dienst, title: told.0.title, body: told.0.body, createdAt: created,
        dispatch: dispatch)
    }, Field("event", \.event, .word), Field("event_number", \.eventNumber, .int),
    Field("dienst_id", \.dienstID, .optional(.name)), Field("created_at", \.createdAt, .instant),
    Field(\.dispatch, ApnsDispatch.shape), Field("payload", \.told, payload.coding))
}

/// How a push was handed to APNs.
public struct ApnsDispatch: Hashable, Sendable {
  /// The number of its `PushDelivery`.
  public var delivery: Int
  public var token: String
  /// The service that it was sent through.
  public var environment: ApnsEnvironment
  /// What APNs answers. It is decided when the push is sent and known to the backend when it has travelled; only
  /// `delivered` reaches a phone.
  public var fate: PushDelivery.Result

  public init(
    delivery: Int, token: String, environment: ApnsEnvironment, fate: PushDelivery.Result
  ) {
    (self.delivery, self.token, self.environment, self.fate) = (delivery, token, environment, fate)
  }

  static let shape = Shape(
    ApnsDispatch.init, Field("delivery", \.delivery, .int),
    Field("apns_device_token", \.token, .pushToken), Field("apns_env", \.environment, .word),
    Field("result", \.fate, .word))
}

/// One push to one enrollment, with what became of it (§2.12).
public struct PushDelivery: Hashable, Sendable {
  public enum Result: String, Hashable, Sendable, CaseIterable {
    case delivered
    /// 400: no token, or one that was never issued.
    case badDeviceToken = "bad_device_token"
    /// 410: the app was deleted.
    case unregistered
    /// The wrong environment, or APNs does not answer.
    case timeout
    case skippedNoToken = "skipped_no_token"
    case skippedPushDisabled = "skipped_push_disabled"

    /// Whether APNs was asked at all.
    public var wasSent: Bool { self != .skippedNoToken && self != .skippedPushDisabled }
  }

  /// From 0 in order of sending.
  public var number: Int
  public var event: PushEvent
  public var eventNumber: Int
  public var tenantSlug: Slug, teamCode: TeamName
  public var dienstID: DienstID?
  public var title: String, deviceID: EnrollmentID
  public var apnsEnvironment: ApnsEnvironment
  public var sentAt: Instant
  /// `nil` until APNs has answered.
  public var result: Result?
  /// Whole milliseconds until the answer; `nil` before it and for what was skipped.
  public var latencyMilliseconds: Int?

  public init(
    number: Int, event: PushEvent, eventNumber: Int, tenantSlug: Slug, teamCode: TeamName,
    dienstID: DienstID?, title: String, deviceID: EnrollmentID, apnsEnvironment: ApnsEnvironment,
    sentAt: Instant, result: Result? = nil, latencyMilliseconds: Int? = nil
  ) {
    (self.number, self.event, self.eventNumber) = (number, event, eventNumber)
    (self.tenantSlug, self.teamCode, self.dienstID) = (tenantSlug, teamCode, dienstID)
    (self.title, self.deviceID, self.apnsEnvironment) = (title, deviceID, apnsEnvironment)
    (self.sentAt, self.result, self.latencyMilliseconds) = (sentAt, result, latencyMilliseconds)
  }

  static let shape = Shape(
    PushDelivery.init, Field("number", \.number, .int), Field("event", \.event, .word),
    Field("event_number", \.eventNumber, .int), Field("tenant_slug", \.tenantSlug, .name),
    Field("team_code", \.teamCode, .name), Field("dienst_id", \.dienstID, .optional(.name)),
    Field("title", \.title, .text), Field("device_id", \.deviceID, .name),
    Field("apns_env", \.apnsEnvironment, .word), Field("sent_at", \.sentAt, .instant),
    Field("result", \.result, .optional(.word)),
    Field("latency_ms", \.latencyMilliseconds, .optional(.int)))
}

/// The mail that tells a manager what a push tells the phones (§5.5).
public struct Notice: Hashable, Sendable {
  public var to: String
  public var event: PushEvent
  public var tenantSlug: Slug, teamCode: TeamName, dienstID: DienstID, subject, body: String
  /// With which names can be entered without the app (O25); `nil` where there is nothing to enter.
  public var ctaToken: CallToActionToken?
  public var sentAt: Instant

  public init(
    to: String, event: PushEvent, tenantSlug: Slug, teamCode: TeamName, dienstID: DienstID,
    subject: String, body: String, ctaToken: CallToActionToken?, sentAt: Instant
  ) {
    (self.to, self.event, self.tenantSlug, self.teamCode) = (to, event, tenantSlug, teamCode)
    (self.dienstID, self.subject, self.body) = (dienstID, subject, body)
    (self.ctaToken, self.sentAt) = (ctaToken, sentAt)
  }

  static let shape = Shape(
    { to, event, slug, code, dienst, subject, body, sent, token in
      Notice(
        to: to, event: event, tenantSlug: slug, teamCode: code, dienstID: dienst, subject: subject,
        body: body, ctaToken: token, sentAt: sent)
    }, Field("to", \.to, .text), Field("event", \.event, .word),
    Field("tenant_slug", \.tenantSlug, .name), Field("team_code", \.teamCode, .name),
    Field("dienst_id", \.dienstID, .name), Field("subject", \.subject, .text),
    Field("body", \.body, .text), Field("sent_at", \.sentAt, .instant),
    Field("token", \.ctaToken, .omittable(.token))
      .then("link", appLink, isChecked: false, \.ctaToken))

  /// §6.3.
  private static let appLink = Coding<CallToActionToken?>.link(
    "kantinekoning://cta/shift-volunteer?token=")
}

extension KantineKoning {
  /// What APNs tells the backend of a signal, when that signal has travelled.
  public static func environment(on signal: Signal) -> [Request] {
    switch signal {
    case .push(let push):
      [.apns(.feedback(delivery: push.dispatch.delivery, push.dispatch.fate))]
    case .mail, .notice: []
    }
  }
}
