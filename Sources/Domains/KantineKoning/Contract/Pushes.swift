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
  public var tenantSlug: String
  public var teamCode: String
  /// `nil` for a test alert.
  public var dienstID: String?
  public var title: String
  public var body: String
  public var createdAt: Instant
  public var dispatch: ApnsDispatch

  public init(
    event: PushEvent, eventNumber: Int, tenantSlug: String, teamCode: String, dienstID: String?,
    title: String, body: String, createdAt: Instant, dispatch: ApnsDispatch
  ) {
    self.event = event
    self.eventNumber = eventNumber
    self.tenantSlug = tenantSlug
    self.teamCode = teamCode
    self.dienstID = dienstID
    self.title = title
    self.body = body
    self.createdAt = createdAt
    self.dispatch = dispatch
  }

  /// The payload that the phone gets (§6.4, KK-96).
  public var payload: JSON {
    [
      "aps": ["alert": ["title": .string(title), "body": .string(body)], "sound": "default"],
      "tenant_slug": .string(tenantSlug), "team_code": .string(teamCode),
    ]
  }
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
    self.delivery = delivery
    self.token = token
    self.environment = environment
    self.fate = fate
  }
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
  public var tenantSlug: String
  public var teamCode: String
  public var dienstID: String?
  public var title: String
  public var deviceID: String
  public var apnsEnvironment: ApnsEnvironment
  public var sentAt: Instant
  /// `nil` until APNs has answered.
  public var result: Result?
  /// Whole milliseconds until the answer; `nil` before it and for what was skipped.
  public var latencyMilliseconds: Int?

  public init(
    number: Int, event: PushEvent, eventNumber: Int, tenantSlug: String, teamCode: String,
    dienstID: String?, title: String, deviceID: String, apnsEnvironment: ApnsEnvironment,
    sentAt: Instant, result: Result? = nil, latencyMilliseconds: Int? = nil
  ) {
    self.number = number
    self.event = event
    self.eventNumber = eventNumber
    self.tenantSlug = tenantSlug
    self.teamCode = teamCode
    self.dienstID = dienstID
    self.title = title
    self.deviceID = deviceID
    self.apnsEnvironment = apnsEnvironment
    self.sentAt = sentAt
    self.result = result
    self.latencyMilliseconds = latencyMilliseconds
  }
}

/// The mail that tells a manager what a push tells the phones (§5.5).
public struct Notice: Hashable, Sendable {
  public var to: String
  public var event: PushEvent
  public var tenantSlug: String
  public var teamCode: String
  public var dienstID: String
  public var subject: String
  public var body: String
  /// With which names can be entered without the app (O25); `nil` where there is nothing to enter.
  public var ctaToken: CallToActionToken?
  public var sentAt: Instant

  public init(
    to: String, event: PushEvent, tenantSlug: String, teamCode: String, dienstID: String,
    subject: String, body: String, ctaToken: CallToActionToken?, sentAt: Instant
  ) {
    self.to = to
    self.event = event
    self.tenantSlug = tenantSlug
    self.teamCode = teamCode
    self.dienstID = dienstID
    self.subject = subject
    self.body = body
    self.ctaToken = ctaToken
    self.sentAt = sentAt
  }
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
