import Contracts
import KantineKoningContract
import KantineKoningTwin
import Testing
import Timekeeping

/// What the tests of pushes and takeovers ask a canteen for.
extension Canteen {
  /// A token that iOS issued for one environment, by a number.
  static func token(_ number: UInt64, for environment: ApnsEnvironment = .production) -> String {
    var stream = RandomStream(seed: number, owner: 7, purpose: 7)
    return ApnsToken.issue(for: environment, drawing: &stream)
  }

  /// Gives a phone its push token.
  @discardableResult
  mutating func hand(
    _ token: String, build: String? = "production", with bearer: DeviceToken
  ) -> KKAnswer {
    ask(.updateApnsToken(ApnsTokenUpdate(token: token, buildEnvironment: build)), with: bearer)
  }

  /// A member of one team with a push token.
  @discardableResult
  mutating func listener(
    _ codes: [TeamName] = ["JO11-3"], on phone: HardwareID = "phone-1", number: UInt64 = 1,
    for environment: ApnsEnvironment = .production, build: String? = "production"
  ) -> KKAnswer {
    let answer = follow(codes, on: phone)
    hand(Self.token(number, for: environment), build: build, with: answer.token)
    return answer
  }

  /// The pushes of the last call, and to which address they went.
  var pushes: [(push: Push, address: KantineKoning.Address)] {
    lastEffects.signals.compactMap { addressed in
      guard case .push(let push) = addressed.signal else { return nil }
      return (push, addressed.address)
    }
  }

  /// The pushes of the last call that reach a phone, as `event to number`.
  var reached: [String] {
    pushes.compactMap { push, address in
      guard case .push(let token) = address else { return nil }
      let number = (1...9).first { number in
        [.sandbox, .production].contains { Self.token(number, for: $0) == token }
      }
      return "\(push.event.rawValue) to \(number.map(String.init) ?? "?")"
    }
  }

  var lastNotices: [Notice] {
    lastEffects.signals.compactMap { addressed in
      guard case .notice(let notice) = addressed.signal else { return nil }
      return notice
    }
  }

  /// Lets time pass, and what is due by itself happen.
  @discardableResult
  mutating func pass(to instant: Instant) -> [String] {
    now = instant
    lastEffects = twin.advance(to: instant)
    return reached
  }

  /// What the environment answers to the pushes of the last call.
  mutating func answerPushes() {
    for addressed in lastEffects.signals {
      for request in KantineKoning.environment(on: addressed.signal) {
        _ = send(request, from: .environment)
      }
    }
  }

  mutating func deliveries(of deviceID: EnrollmentID? = nil) -> [PushDelivery] {
    guard case .success(.pushDeliveries(let list)) = operate(.pushDeliveries(deviceID: deviceID))
    else { return [] }
    return list
  }

  mutating func results(of deviceID: EnrollmentID? = nil) -> [PushDelivery.Result?] {
    deliveries(of: deviceID).map(\.result)
  }

  mutating func status(_ token: DeviceToken) -> EnrollmentStatus? {
    guard case .success(.status(let status)) = ask(.status, with: token) else { return nil }
    return status
  }

  // MARK: Takeover

  mutating func available(_ bearer: DeviceToken, for team: TeamName? = nil) -> [Dienst]? {
    guard
      case .success(.diensten(let list)) = ask(.availableDiensten(currentTeam: team), with: bearer)
    else { return nil }
    return list
  }

  /// The notification token of a dienst on the list.
  mutating func ticket(_ id: DienstID, with bearer: DeviceToken) -> NotificationToken {
    available(bearer)?.first { $0.id == id }?.notificationToken ?? .text("none")
  }

  @discardableResult
  mutating func claim(
    _ id: DienstID, for team: TeamName, by token: NotificationToken, with bearer: DeviceToken
  ) -> KKAnswer {
    ask(.claimDienst(DienstClaim(dienstID: id, team: team, token: token)), with: bearer)
  }

  @discardableResult
  mutating func offer(
    _ id: DienstID = "d-future", _ offered: Bool = true, with bearer: DeviceToken
  ) -> KKAnswer {
    ask(.offerTransfer(TransferOffer(dienstID: id, offered: offered)), with: bearer)
  }

  mutating func preview(
    _ id: DienstID, by token: NotificationToken, with bearer: DeviceToken
  ) -> KKAnswer {
    ask(.takeover(TakeoverQuery(dienstID: id, token: token)), with: bearer)
  }
}

extension Result where Success == KKReply, Failure == KKRefusal {
  var removal: TeamRemoval? {
    if case .success(.teamsRemoved(let removal)) = self { removal } else { nil }
  }

  var revoked: Int? {
    if case .success(.enrollmentsRevoked(let count)) = self { count } else { nil }
  }

  var updated: Int? { if case .success(.apnsTokenUpdated(let count)) = self { count } else { nil } }

  var transfer: Transfer? {
    if case .success(.transfer(let transfer)) = self { transfer } else { nil }
  }

  var preferences: [TeamPreference]? {
    if case .success(.emailPreferences(let list)) = self { list } else { nil }
  }
}
