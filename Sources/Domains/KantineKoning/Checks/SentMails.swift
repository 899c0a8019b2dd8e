import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// KK-120: a manager gets the mail of what is pushed to his team (§5.5), unless he does without it and the push can be sent.
///
/// Judged at addresses of one enrollment: the records of pushes say what was told to it, and whether a push could be sent.
/// Mails are seen where somebody reads them, from the first that came to the last.
struct SentMails: History {
  static let scope = Scope<KantineKoning>.cell
  static let concerns = Set<Concern>.asking(.register, .emailPreferences)
    .union([.controls, .signals, .inspections])

  /// What is known of the only enrollment of an address.
  private struct Box {
    let device: EnrollmentID
    var wishes: [TeamName: Register<Bool>] = [:]
    var told: [PushDelivery] = []
    var mails: [Notice] = []
  }

  private let clubs: Clubs
  private var boxes: [String: Box] = [:]
  private var addresses: [EnrollmentID: String] = [:]
  /// Addresses with several enrollments.
  private var shared: Set<String> = []
  private var next = 0
  private static let slack = Span.seconds(1)

  init(_ clubs: Clubs) { self.clubs = clubs }

  mutating func commanded(
    _ command: KantineKoning.Control, at moment: Moment, _ judge: inout Judge
  ) {
    guard case .load(let fixture) = command else { return }
    for entry in fixture.enrollments { take(entry.deviceID, entry.teamManagerEmail) }
  }

  private mutating func take(_ device: EnrollmentID, _ email: String?) {
    guard let address = email?.lowercased(), !shared.contains(address) else { return }
    if boxes[address] == nil {
      boxes[address] = Box(device: device)
      addresses[device] = address
    } else {
      boxes[address] = nil
      shared.insert(address)
    }
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    switch call.request {
    case .register(let asked):
      if call.isReplied || call.isUnknown { take("", asked.token.claims?.email) }
    case .setEmailPreference(let wish):
      guard call.isReplied || call.isUnknown, let claims = call.claims,
        let address = addresses[claims.deviceID],
        let code = clubs[claims.tenantSlug]?.code(of: wish.team)
      else { return }
      boxes[address]?.wishes[code, default: Register(true)]
        .set(wish.enabled, during: call.during, isCertain: call.isReplied)
    default: break
    }
  }

  mutating func inspected(_ inspection: Inspected, at moment: Moment, _ judge: inout Judge) {
    for delivery in inspection.deliveries where delivery.number >= next {
      next = delivery.number + 1
      guard delivery.dienstID != nil, let address = addresses[delivery.deviceID] else { continue }
      boxes[address]?.told.append(delivery)
    }
  }

  mutating func signalled(
    _ signal: KantineKoning.Signal, at moment: Moment, _ judge: inout Judge
  ) {
    if case .notice(let mail) = signal { boxes[mail.to]?.mails.append(mail) }
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) {
    for address in boxes.keys.sorted() {
      guard let box = boxes[address], let first = box.mails.map(\.sentAt).min(),
        let last = box.mails.map(\.sentAt).max()
      else { continue }
      for push in box.told where push.sentAt > first && push.sentAt < last {
        look(for: push, in: box, &judge)
      }
    }
  }

  private func look(for push: PushDelivery, in box: Box, _ judge: inout Judge) {
    let during = (push.sentAt - Self.slack)...(push.sentAt + Self.slack)
    let isWished = box.wishes[push.teamCode].map { $0.value(during: during) } ?? true
    guard let isWished else { return }
    let isDue = isWished || !(push.result?.wasSent ?? true)
    let wasSent = box.mails.contains { mail in
      mail.event == push.event && mail.dienstID == push.dienstID && mail.teamCode == push.teamCode
        && during.contains(mail.sentAt)
    }
    judge.expect(
      wasSent == isDue,
      "\(push.event.rawValue) of \(push.teamCode) was \(wasSent ? "" : "not ")mailed, where mails are "
        + (isWished ? "wished" : isDue ? "forced on" : "off"))
  }
}
