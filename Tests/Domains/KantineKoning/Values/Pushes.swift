import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What an enrollment's phone said of its push token, and when.
struct PushRow {
  var changes: [(during: ClosedRange<Instant>, token: String, build: String?)]
  var isTestUser = Register<Bool>()

  init(_ token: String, _ build: String?, during: ClosedRange<Instant>) {
    changes = [(during, token, build)]
    isTestUser.follow(false, at: during.lowerBound - .seconds(2))
  }
}

/// What is known of the way of pushes, and those that are under way.
struct PushWays {
  var variables = Register<ApnsVariables>()
  var outage = Register<Bool>()
  /// An update of a phone without an identifier went unanswered.
  var unsureOfNameless: Instant?
  /// Those that inspections showed and that are not judged, in order of sending.
  var unsettled: ContiguousArray<PushDelivery> = []
  private var current = ApnsVariables()
  private var hasBegun = false
  /// The number of the first push that was not judged yet.
  private var next = 0

  mutating func begin(at instant: Instant) {
    guard !hasBegun else { return }
    hasBegun = true
    variables.follow(current, at: instant - .seconds(2))
    outage.follow(false, at: instant - .seconds(2))
  }

  mutating func set(_ change: ApnsVariables, at instant: Instant) {
    if let text = change.forceEnv { current.forceEnv = text.isEmpty ? nil : text }
    if let text = change.env { current.env = text.isEmpty ? nil : text }
    variables.follow(current, at: instant)
  }

  mutating func show(_ deliveries: [PushDelivery]) {
    for delivery in deliveries where delivery.number >= next {
      let place = unsettled.lowerBound { $0.number < delivery.number }
      if place < unsettled.count, unsettled[place].number == delivery.number {
        unsettled[place] = delivery
      } else {
        unsettled.insert(delivery, at: place)
      }
    }
  }

  /// The newest may still be under way, and the next look shows what became of them.
  mutating func settle(before instant: Instant) -> [PushDelivery] {
    let settled = unsettled.filter { $0.sentAt < instant }
    unsettled.removeAll { $0.sentAt < instant }
    if let last = settled.last { next = last.number + 1 }
    return settled
  }
}

/// KK-92, KK-94 and KK-95: each push with what APNs answered, in the light of what its phone is known by.
extension CanteenChecks {
  mutating func judgePushes(_ deliveries: [PushDelivery]) {
    ways.show(deliveries)
    for delivery in ways.settle(before: verdicts.moment.time - .minutes(1)) { judge(delivery) }
  }

  @inline(never)
  private func judge(_ delivery: PushDelivery) {
    guard delivery.result?.wasSent ?? false, let row = enrollments.known(delivery.deviceID),
      let (token, build, isTestUser, variables, isOut) = state(of: row, at: delivery.sentAt)
    else { return }
    let due = ApnsEnvironment.chosen(variables, isTestUser: isTestUser, buildEnvironment: build)
    expect(
      .kk92, delivery.apnsEnvironment == due,
      "a push to a phone of build '\(build ?? "")' went through "
        + delivery.apnsEnvironment.rawValue)
    guard !isOut else { return }
    let home = ApnsToken.environment(of: token)
    if let home, home != delivery.apnsEnvironment {
      if delivery.result == .timeout { held(.kk94) }
      if delivery.result == .delivered {
        violated(
          .kk94, "\(delivery.apnsEnvironment.rawValue) delivered to a token of \(home.rawValue)")
      }
    }
    if home == nil, !token.isEmpty {
      expect(
        .kk95, delivery.result == .badDeviceToken,
        "a token that APNs never issued was answered as \(delivery.result?.rawValue ?? "")")
    }
  }

  /// What an enrollment was known by at an instant; `nil` when that is not certain.
  private func state(of row: Int, at instant: Instant) -> (
    token: String, build: String?, isTestUser: Bool, variables: ApnsVariables, isOut: Bool
  )? {
    let phone = enrollments[row].phone
    let unsureSince = phone == nobody ? ways.unsureOfNameless : phones[phone].unsureSince
    guard unsureSince.map({ $0 > instant }) ?? true, let pushes = enrollments[row].pushes,
      !pushes.changes.contains(where: { $0.during.contains(instant) }),
      let last = pushes.changes.last(where: { $0.during.upperBound < instant }),
      let isTestUser = pushes.isTestUser.value(during: instant...instant),
      let variables = ways.variables.value(during: instant...instant),
      let isOut = ways.outage.value(during: instant...instant)
    else { return nil }
    return (last.token, last.build, isTestUser, variables, isOut)
  }

  // MARK: Taking in

  mutating func learnPushes(_ command: KantineKoning.Control, at instant: Instant) {
    ways.begin(at: instant)
    switch command {
    case .load(let fixture):
      let before = instant - .seconds(2)
      for entry in fixture.enrollments {
        enrollments[enrollments.number(of: entry.deviceID)].pushes = PushRow(
          entry.apnsDeviceToken ?? "", entry.buildEnvironment, during: before...before)
      }
    case .setTestUser(let id, let isTestUser):
      guard let row = enrollments.known(id) else { return }
      enrollments[row].pushes?.isTestUser.follow(isTestUser, at: instant)
    case .setApnsEnvironment(let change): ways.set(change, at: instant)
    case .setApnsOutage(let isOut): ways.outage.follow(isOut, at: instant)
    default: break
    }
  }

  /// A phone has one push token: the newest is every enrollment's.
  mutating func learnToken(_ registration: Registration, _ asked: Asked) {
    let (identifier, token) = (registration.hardwareIdentifier, registration.apnsDeviceToken)
    if !token.isEmpty, !identifier.isEmpty, asked.isReplied || asked.isUnknown {
      let phone = phones.number(of: identifier)
      if asked.isUnknown { phones[phone].doubtToken(since: asked.call.sent) }
      if asked.registered != nil { tell(token, registration.buildEnvironment, on: phone, asked) }
    }
    guard let answer = asked.registered else { return }
    enrollments[enrollments.number(of: answer.deviceID)].pushes = PushRow(
      token, registration.buildEnvironment, during: asked.during)
  }

  mutating func learnToken(_ update: ApnsTokenUpdate, _ asked: Asked) {
    guard asked.enrollment != nobody, enrollments[asked.enrollment].pushes != nil else { return }
    let (phone, sent) = (enrollments[asked.enrollment].phone, asked.call.sent)
    guard phone != nobody else {
      if asked.isUnknown { ways.unsureOfNameless = min(ways.unsureOfNameless ?? sent, sent) }
      guard asked.isReplied else { return }
      enrollments[asked.enrollment].pushes?.changes.append(
        (asked.during, update.token, update.buildEnvironment))
      return
    }
    if asked.isUnknown { phones[phone].doubtToken(since: sent) }
    if asked.isReplied { tell(update.token, update.buildEnvironment, on: phone, asked) }
  }

  private mutating func tell(
    _ token: String, _ build: String?, on phone: Int, _ asked: Asked
  ) {
    for right in phones[phone].rights {
      enrollments[right.enrollment].pushes?.changes.append((asked.during, token, build))
    }
  }
}
