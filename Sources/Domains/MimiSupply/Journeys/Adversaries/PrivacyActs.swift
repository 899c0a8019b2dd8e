import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What is tried against §4.12: the audit log, exports, deletions, locks and consents.
enum PrivacyActs {
  static let all: [Act] = AuditActs.all + [export, leaving, locked, hermit]

  // MS-115: an export has what is one's own, and nothing else.
  private static let export = Act { adversary, me throws(JourneyEnded) in
    let order = adversary.order(at: me.now)
    _ = try await adversary.place(order, me)
    for role in [Corner.Role.customer, .owner, .driver] {
      try await adversary.ask(.exportAccount, as: role, me)
    }
    try await adversary.clear(order.name, me)
  }

  // MS-116: somebody orders, leaves, and comes anew; one order is under way, one is over.
  private static let leaving = Act { adversary, me throws(JourneyEnded) in
    let apple = adversary.fresh("apple").text
    let device = DeviceName(adversary.fresh("device"))
    guard let answer = try await adversary.enter(apple, on: device, me) else { return }
    let leaver = MimiSupply.Credential(
      apiToken: "mimi-app", userToken: answer.userToken, deviceID: device)
    var names: [RecordName] = []
    for _ in 1...2 {
      var order = adversary.order(at: me.now)
      order.customer = answer.userRecordName
      order.instructions = "ring twice"
      let create = Modification.Item(.create, order.draft(at: me.now))
      try await adversary.ask(
        .modify(Location(database: "private"), Modification([create])), with: leaver, me)
      names.append(order.name)
    }
    try await adversary.clear(names[0], me)
    let watch = AuditWatch(.user, answer.userRecordName.text, from: me.now)
    try await adversary.list(watch, me)
    try await adversary.ask(.deleteAccount, with: leaver, me)
    try await adversary.list(watch, me)
    for name in names {
      _ = try await adversary.look(name, as: .owner, me)
      _ = try await adversary.look(name, as: .admin, me)
    }
    _ = try await adversary.look(answer.userRecordName.profile, as: .admin, me)
    try await adversary.ask(.currentUser(Location(database: "public")), with: leaver, me)
    try await adversary.clear(names[1], me)
    _ = try await adversary.look(names[1], as: .admin, me)
    guard let again = try await adversary.enter(apple, on: device, me) else { return }
    let newcomer = MimiSupply.Credential(
      apiToken: "mimi-app", userToken: again.userToken, deviceID: device)
    try await adversary.ask(.deleteAccount, with: newcomer, me)
  }

  // MS-117: above a score of 0.8 an account is locked, at 0.8 it is not; that it was is in the log.
  private static let locked = Act { adversary, me throws(JourneyEnded) in
    let current = MimiSupply.Request.currentUser(Location(database: "public"))
    for role in [Corner.Role.suspect, .subject] {
      try await adversary.ask(current, as: role, me)
    }
    _ = try await adversary.look(adversary.corner.user(.suspect).profile, as: .suspect, me)
    for role in [Corner.Role.suspect, .subject] {
      let user = adversary.corner.user(role).text
      try await adversary.list(AuditWatch(.user, user, from: me.now - .days(28)), me)
    }
  }

  // MS-118: without consent to location nobody goes online, without consent to notifications nobody is told anything.
  private static let hermit = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let driver: RecordName = "\(corner.name)-hermit"
    let outcome = try await adversary.ask(
      .createToken(Location(database: nil), apnsEnvironment: "production"), as: .hermit, me)
    if case .tokenCreated(let token)? = outcome.reply?.content {
      me.listen(at: .device(token: token.apnsToken))
    }
    let subscription = Subscription(
      adversary.fresh("quiet").text,
      RecordQuery(.driver, [Filter(.userId, .equals, .name(corner.user(.hermit)))]))
    try await adversary.ask(
      .modifySubscriptions(
        Location(database: "private"), [.init(.create, .subscription(subscription))]),
      as: .hermit, me)
    try await adversary.update(driver, [.isOnline: .int64(1)], as: .hermit, me)
    try await adversary.update(
      driver, [.name: .string(adversary.fresh("Hermit").text)], as: .admin, me)
    try await me.think(.seconds(10))
    try await adversary.update(
      driver, [.isOnline: .int64(0), .isAvailable: .int64(0)], as: .hermit, me)
    if let id = subscription.id {
      try await adversary.ask(
        .modifySubscriptions(Location(database: "private"), [.init(.delete, .name(id))]),
        as: .hermit, me)
    }
  }
}
