import Contracts
import MimiSupplyContract
import Timekeeping

/// Push tokens, their queues, and who waits at them (§3.5).
struct PushQueues: Undoable, Sendable {
  struct Device: Sendable {
    let user: UserName
    let device: DeviceName
    let session: String
    let environment: String
    /// The oldest first.
    var queue: [PushNotification] = []
  }

  /// Somebody who waits at a token.
  private struct Poll: Sendable {
    let ticket: Ticket
    let until: Instant
  }

  /// One line of the push log (§11).
  struct Sent: Sendable {
    let at: Instant
    let token: String
    let user: UserName
    let device: DeviceName
    let notification: PushNotification
  }

  private(set) var devices: UndoTable<String, Device> = [:]
  private var byUser: [UserName: [String]] = [:]
  /// Who waits, by token.
  private var polls: UndoTable<String, Poll> = [:]
  private(set) var log: [Sent] = []

  /// How long the push log is.
  static let longestLog = 10_000

  mutating func mark(_ marking: Marking) {
    devices.mark(marking)
    polls.mark(marking)
  }

  // MARK: Devices

  /// A user's tokens in the order of their making.
  func tokens(of user: UserName) -> [String] { byUser[user] ?? [] }
  func device(of token: String) -> DeviceName? { devices[token]?.device }
  func has(_ token: String) -> Bool { devices[token] != nil }
  func user(of token: String) -> UserName? { devices[token]?.user }

  mutating func add(_ token: String, _ device: Device) {
    devices[token] = device
    byUser[device.user, default: []].append(token)
  }

  mutating func remove(ofSession session: String, csn: Int) -> [Completion<MimiSupply>] {
    remove(csn) { $0.session == session }
  }

  mutating func remove(of user: UserName, csn: Int) -> [Completion<MimiSupply>] {
    remove(csn) { $0.user == user }
  }

  /// Who waits at a token that goes is answered with nothing.
  private mutating func remove(
    _ csn: Int, _ isGone: (Device) -> Bool
  ) -> [Completion<MimiSupply>] {
    var completions: [Completion<MimiSupply>] = []
    for (token, device) in devices.all.sorted(by: { $0.key < $1.key }) where isGone(device) {
      if let poll = polls.removeValue(forKey: token) {
        completions.append(
          Completion(poll.ticket, .success(MimiSupply.Reply(.notifications([]), csn: csn))))
      }
      devices[token] = nil
      byUser[device.user]?.removeAll { $0 == token }
    }
    return completions
  }

  /// Puts a placeholder wherever the push log or a waiting notification names a user (MS-116).
  mutating func anonymise(_ user: UserName, as placeholder: UserName) {
    log = log.map { sent in
      let isOwn = sent.user == user
      return Sent(
        at: sent.at, token: sent.token, user: isOwn ? placeholder : sent.user,
        device: isOwn ? "" : sent.device,
        notification: sent.notification.anonymised(user, as: placeholder))
    }
    for token in devices.keys.sorted() {
      devices[token]!.queue = devices[token]!.queue.map { $0.anonymised(user, as: placeholder) }
    }
  }

  // MARK: Queues

  func unfetched(of token: String) -> Int { devices[token]?.queue.count ?? 0 }

  /// Queues a notification; beyond the bound the older of two about one record goes, or else the oldest of all.
  ///
  /// - Returns: How many went.
  mutating func queue(
    _ notification: PushNotification, for token: String, atMost limit: Int, at now: Instant
  ) -> Int {
    guard let (user, device) = devices[token].map({ ($0.user, $0.device) }) else { return 0 }
    log.append(
      Sent(at: now, token: token, user: user, device: device, notification: notification))
    trim()
    return Self.queue(notification, in: &devices[token]!.queue, atMost: limit)
  }

  private static func queue(
    _ notification: PushNotification, in queue: inout [PushNotification], atMost limit: Int
  ) -> Int {
    queue.append(notification)
    var gone = 0
    while queue.count > limit {
      queue.remove(at: superseded(in: queue))
      gone += 1
    }
    return gone
  }

  /// Within a batch the log only grows, so that it can be cut.
  mutating func trim() {
    guard !devices.isMarked, log.count > 2 * Self.longestLog else { return }
    log.removeFirst(log.count - Self.longestLog)
  }

  mutating func cut(to length: Int) { log.removeSubrange(length...) }

  private static func superseded(in queue: [PushNotification]) -> Int {
    var counts: [RecordName: Int] = [:]
    for notification in queue { counts[notification.recordName, default: 0] += 1 }
    return queue.firstIndex { counts[$0.recordName]! > 1 } ?? 0
  }

  mutating func fetch(from token: String) -> [PushNotification] {
    guard let queue = devices[token]?.queue else { return [] }
    devices[token]?.queue = []
    return queue
  }

  /// One notification reached its device by another way.
  mutating func delivered(_ notification: String, to token: String) -> Bool {
    guard let index = devices[token]?.queue.firstIndex(where: { $0.id == notification }) else {
      return false
    }
    devices[token]?.queue.remove(at: index)
    return true
  }

  // MARK: Polls

  /// The next instant at which somebody has waited long enough.
  var nextDue: Instant? {
    polls.isEmpty ? nil : polls.all.values.lazy.map(\.until).min()
  }

  /// Lets somebody wait; who waited there before is answered with nothing.
  mutating func wait(at token: String, _ ticket: Ticket, until: Instant) -> Ticket? {
    let old = polls[token]?.ticket
    polls[token] = Poll(ticket: ticket, until: until)
    return old
  }

  mutating func takePoll(of token: String) -> Ticket? {
    polls.isEmpty ? nil : polls.removeValue(forKey: token)?.ticket
  }

  /// Whose time is up, in the order of tokens.
  mutating func takeOverdue(at now: Instant) -> [Ticket] {
    guard !polls.isEmpty else { return [] }
    let overdue = polls.all.filter { $0.value.until <= now }.keys.sorted()
    return overdue.compactMap { takePoll(of: $0) }
  }

  mutating func abandon(_ ticket: Ticket) {
    for token in polls.keys.sorted() where polls[token]?.ticket == ticket {
      _ = takePoll(of: token)
    }
  }
}

extension PushNotification {
  fileprivate func anonymised(_ user: UserName, as placeholder: UserName) -> PushNotification {
    var notification = self
    notification.zone = zone.anonymised(user, as: placeholder)
    return notification
  }
}

extension MimiSupplyTwin {
  mutating func createToken(_ environment: String, as identity: Identity) -> Answer {
    guard case .user(let user, let device, let session) = identity else {
      return .failure(.missing)
    }
    guard Self.isApnsEnvironment(environment) else {
      return .failure(.invalid("apnsEnvironment is development or production"))
    }
    let token = freshSecret("")
    pushQueues.add(
      token,
      PushQueues.Device(user: user, device: device, session: session, environment: environment))
    return .success(
      .tokenCreated(
        CourierToken(
          apnsEnvironment: environment, apnsToken: token,
          webcourierURL: addresses.origin + Poll.path(of: token))))
  }

  /// A token of one's own is registered already; any other does not exist.
  mutating func registerToken(
    _ token: String, _ environment: String, as identity: Identity
  ) -> Answer {
    guard Self.isApnsEnvironment(environment) else {
      return .failure(.invalid("apnsEnvironment is development or production"))
    }
    guard pushQueues.user(of: token) == identity.user else {
      return .failure(Failure(.notFound, .unknownItem, "there is no such push token"))
    }
    return .success(.done)
  }

  private static func isApnsEnvironment(_ text: String) -> Bool {
    text == "development" || text == "production"
  }

  /// The long poll of §3.5: at once when something waits, else when it comes or the time is up.
  mutating func wait(_ poll: Poll, at now: Instant) -> Handled<MimiSupply>.Answer {
    guard let token = poll.token, pushQueues.has(token) else {
      return .now(
        wrap(.failure(Failure(.notFound, .unknownItem, "there is no such push token")), .poll))
    }
    let longest = MimiSupply.longestPollSeconds
    let seconds = min(poll.timeoutSeconds ?? longest, longest)
    guard pushQueues.unfetched(of: token) == 0, seconds > 0 else {
      return .now(.success(fetch(from: token)))
    }
    let ticket = nextTicket()
    if let old = pushQueues.wait(at: token, ticket, until: now + .seconds(Int64(seconds))) {
      effects.completions.append(
        Completion(old, .success(MimiSupply.Reply(.notifications([]), csn: csn))))
    }
    return .later(ticket)
  }
}
