import Contracts
import Timekeeping

/// What a push tells of (§5.5).
package enum PushEvent: String, Hashable, Sendable, CaseIterable {
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
package struct Push: Hashable, Sendable {
  package var event: PushEvent
  /// Counts the events of a cell: the same for every phone that one event is sent to (KK-99).
  package var eventNumber: Int
  package var tenantSlug: String
  package var teamCode: String
  /// `nil` for a test alert.
  package var dienstID: String?
  package var title: String
  package var body: String
  package var createdAt: Instant
  package var dispatch: ApnsDispatch

  package init(
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
  package var payload: JSON {
    [
      "aps": ["alert": ["title": .string(title), "body": .string(body)], "sound": "default"],
      "tenant_slug": .string(tenantSlug), "team_code": .string(teamCode),
    ]
  }
}

/// How a push was handed to APNs.
package struct ApnsDispatch: Hashable, Sendable {
  /// The number of its `PushDelivery`.
  package var delivery: Int
  package var token: String
  /// The service that it was sent through.
  package var environment: ApnsEnvironment
  /// What APNs answers. It is decided when the push is sent and known to the backend when it has travelled; only
  /// `delivered` reaches a phone.
  package var fate: PushDelivery.Result

  package init(
    delivery: Int, token: String, environment: ApnsEnvironment, fate: PushDelivery.Result
  ) {
    self.delivery = delivery
    self.token = token
    self.environment = environment
    self.fate = fate
  }
}

/// One push to one enrollment, with what became of it (§2.12).
package struct PushDelivery: Hashable, Sendable {
  package enum Result: String, Hashable, Sendable, CaseIterable {
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
    package var wasSent: Bool { self != .skippedNoToken && self != .skippedPushDisabled }
  }

  /// From 0 in order of sending.
  package var number: Int
  package var event: PushEvent
  package var eventNumber: Int
  package var tenantSlug: String
  package var teamCode: String
  package var dienstID: String?
  package var title: String
  package var deviceID: String
  package var apnsEnvironment: ApnsEnvironment
  package var sentAt: Instant
  /// `nil` until APNs has answered.
  package var result: Result?
  /// Whole milliseconds until the answer; `nil` before it and for what was skipped.
  package var latencyMilliseconds: Int?

  package init(
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
package struct Notice: Hashable, Sendable {
  package var to: String
  package var event: PushEvent
  package var tenantSlug: String
  package var teamCode: String
  package var dienstID: String
  package var subject: String
  package var body: String
  /// With which names can be entered without the app (O25); `nil` where there is nothing to enter.
  package var ctaToken: CallToActionToken?
  package var sentAt: Instant

  package init(
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
  package static func environment(on signal: Signal) -> [Request] {
    switch signal {
    case .push(let push):
      [.apns(.feedback(delivery: push.dispatch.delivery, push.dispatch.fate))]
    case .mail, .notice: []
    }
  }
}
