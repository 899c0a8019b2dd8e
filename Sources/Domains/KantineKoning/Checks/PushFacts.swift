import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What is certain about the push tokens of one cell, from registrations, token updates and the operator's commands.
final class PushFacts: Facts {
  static let concerns: Set<Concern> = [.asks(.register), .asks(.apnsToken), .controls]

  init(_ subject: Subject<Nothing<KantineKoning>>) {}

  /// What an enrollment says of its phone at some time.
  struct State: Sendable {
    let token: String
    let buildEnvironment: String?
    let isTestUser: Bool
    let variables: ApnsVariables
    let isOut: Bool

    /// The row of §6.1.
    var expected: ApnsEnvironment {
      .chosen(variables, isTestUser: isTestUser, buildEnvironment: buildEnvironment)
    }
    /// Where the token is valid; `nil` for one that was never issued.
    var home: ApnsEnvironment? { ApnsToken.environment(of: token) }
  }

  private struct Device: Sendable {
    var changes: [(during: ClosedRange<Instant>, token: String, build: String?)]
    var isTestUser = Register<Bool>()
  }

  private var devices: [EnrollmentID: Device] = [:]
  /// Of the few enrollments whose pushes the operator switched.
  private var switches: [EnrollmentID: Register<Bool>] = [:]
  private var hardware: [EnrollmentID: HardwareID] = [:]
  private var devicesOf: [HardwareID: [EnrollmentID]] = [:]
  /// Phones for which an update went unanswered.
  private var unsure: [HardwareID: Instant] = [:]
  private var current = ApnsVariables()
  private var variables = Register<ApnsVariables>()
  private var outage = Register<Bool>()
  private var hasBegun = false

  /// What an enrollment was known by at an instant; `nil` when that is not certain.
  func state(of deviceID: EnrollmentID, at instant: Instant) -> State? {
    guard let device = devices[deviceID], let phone = hardware[deviceID],
      unsure[phone].map({ $0 > instant }) ?? true,
      !device.changes.contains(where: { $0.during.contains(instant) }),
      let last = device.changes.last(where: { $0.during.upperBound < instant }),
      let isTestUser = device.isTestUser.value(during: instant...instant),
      let variables = variables.value(during: instant...instant),
      let isOut = outage.value(during: instant...instant)
    else { return nil }
    return State(
      token: last.token, buildEnvironment: last.build, isTestUser: isTestUser,
      variables: variables, isOut: isOut)
  }

  /// What an enrollment's phone told last before a call, when nothing else can have been told meanwhile.
  func told(of deviceID: EnrollmentID, during call: ClosedRange<Instant>) -> (
    token: String, build: String?
  )? {
    guard let device = devices[deviceID], let phone = hardware[deviceID],
      unsure[phone].map({ $0 > call.upperBound }) ?? true,
      let last = device.changes.last, last.during.upperBound < call.lowerBound,
      device.changes.dropLast().allSatisfy({ $0.during.upperBound < last.during.lowerBound })
    else { return nil }
    return (last.token, last.build)
  }

  /// Whether the operator lets pushes go to an enrollment; `nil` while that changes.
  func isPushEnabled(_ deviceID: EnrollmentID, during interval: ClosedRange<Instant>) -> Bool? {
    guard let switched = switches[deviceID] else { return true }
    return switched.value(during: interval)
  }

  // MARK: Taking in

  func commanded(_ command: KantineKoning.Control, at moment: Moment) {
    let instant = moment.time
    begin(at: instant)
    switch command {
    case .load(let fixture):
      let before = instant - .seconds(2)
      for entry in fixture.enrollments {
        add(
          entry.deviceID, on: entry.hardwareIdentifier, entry.apnsDeviceToken ?? "",
          entry.buildEnvironment, during: before...before)
      }
    case .setTestUser(let deviceID, let isTestUser):
      devices[deviceID]?.isTestUser.follow(isTestUser, at: instant)
    case .setPushEnabled(let deviceID, let isEnabled):
      switches[deviceID, default: Register(true)].follow(isEnabled, at: instant)
    case .setApnsEnvironment(let change):
      if let text = change.forceEnv { current.forceEnv = text.isEmpty ? nil : text }
      if let text = change.env { current.env = text.isEmpty ? nil : text }
      variables.follow(current, at: instant)
    case .setApnsOutage(let isOut): outage.follow(isOut, at: instant)
    default: break
    }
  }

  private func begin(at instant: Instant) {
    guard !hasBegun else { return }
    hasBegun = true
    variables.follow(current, at: instant - .seconds(2))
    outage.follow(false, at: instant - .seconds(2))
  }

  func asked(_ call: KKCall, at moment: Moment) {
    switch call.request {
    case .register(let registration): see(registration, call)
    case .updateApnsToken(let update):
      guard let claims = call.claims, let phone = hardware[claims.deviceID] else { return }
      if call.isUnknown { unsure[phone] = min(unsure[phone] ?? call.sent, call.sent) }
      guard call.isReplied else { return }
      let reached = phone.isEmpty ? [claims.deviceID] : devicesOf[phone] ?? []
      set(reached, update.token, update.buildEnvironment, during: call.during)
    default: break
    }
  }

  private func see(_ registration: Registration, _ call: KKCall) {
    let phone = registration.hardwareIdentifier
    let token = registration.apnsDeviceToken
    if call.isUnknown, !token.isEmpty, !phone.isEmpty {
      unsure[phone] = min(unsure[phone] ?? call.sent, call.sent)
    }
    guard let answer = call.registered else { return }
    if !token.isEmpty, !phone.isEmpty {
      // A phone has one push token: the newest is every enrollment's.
      set(devicesOf[phone] ?? [], token, registration.buildEnvironment, during: call.during)
    }
    add(
      answer.deviceID, on: phone, token, registration.buildEnvironment, during: call.during)
  }

  private func add(
    _ deviceID: EnrollmentID, on phone: HardwareID, _ token: String, _ build: String?,
    during: ClosedRange<Instant>
  ) {
    var device = Device(changes: [(during, token, build)])
    device.isTestUser.follow(false, at: during.lowerBound - .seconds(2))
    devices[deviceID] = device
    hardware[deviceID] = phone
    if !phone.isEmpty { devicesOf[phone, default: []].append(deviceID) }
  }

  private func set(
    _ reached: [EnrollmentID], _ token: String, _ build: String?, during: ClosedRange<Instant>
  ) {
    for deviceID in reached { devices[deviceID]?.changes.append((during, token, build)) }
  }
}
