import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

// Push tokens and subscriptions: what acts about pushes are made of. A device's token is made once and kept, because only
// the end of a session would end it.
extension Adversary {
  /// A second device of somebody.
  func tablet(of role: Corner.Role) -> DeviceName { "\(corner.device(role))-tablet" }

  /// The push token of a device; `nil` when none was given.
  func pushToken(
    on device: DeviceName, as role: Corner.Role, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> String? {
    if let token = pushTokens[device] { return token }
    try await pause(me)
    let outcome = try await me.ask(
      .createToken(Location(database: nil), apnsEnvironment: "production"),
      with: corner.credential(role, device: device))
    guard case .tokenCreated(let token)? = outcome.reply?.content else { return nil }
    pushTokens[device] = token.apnsToken
    return token.apnsToken
  }

  /// From now on what comes to a device is heard.
  func listen(
    on device: DeviceName, as role: Corner.Role, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    let isNew = pushTokens[device] == nil
    guard let token = try await pushToken(on: device, as: role, me), isNew else { return }
    me.listen(at: .device(token: token))
    me.note(.listening(token: token))
  }

  func subscribe(
    _ id: String, to query: RecordQuery, on events: [Subscription.Event],
    with fields: [String]? = nil, in database: String = "private", as role: Corner.Role,
    _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    let info = fields.map { Subscription.NotificationInfo(additionalFields: $0) }
    let subscription = Subscription(id, query, firesOn: events, notificationInfo: info)
    try await ask(
      .modifySubscriptions(
        Location(database: database), [.init(.create, .subscription(subscription))]),
      as: role, me)
  }

  func unsubscribe(
    _ ids: [String], in database: String = "private", as role: Corner.Role, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    try await ask(
      .modifySubscriptions(Location(database: database), ids.map { .init(.delete, .name($0)) }),
      as: role, me)
  }

  /// Fetches what waits for a device.
  func poll(_ token: String, _ me: Person<MimiSupply>) async throws(JourneyEnded) {
    _ = try await me.ask(
      .poll(Poll(following: Poll.path(of: token), timeoutSeconds: 0)), with: corner.nobody)
  }
}

extension RecordQuery {
  /// Records of a type by the value of one field.
  static func of<Kind>(
    _ type: RecordType, _ field: FieldName, _ value: Name<Kind>
  ) -> RecordQuery {
    RecordQuery(type, [Filter(field, .equals, .name(value))])
  }
}
