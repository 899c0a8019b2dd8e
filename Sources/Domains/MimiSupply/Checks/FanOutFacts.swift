import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Who has to hear of what in one city (§3.5), from subscriptions, push tokens and the changes that clients made; and
/// what arrived.
final class FanOutFacts: Facts {
  static let concerns = Set<Concern>.showing.union([
    .asks(.modifySubscriptions), .asks(.createToken), .asks(.poll), .asks(.signOut),
    .asks(.deleteAccount), .controls, .notes, .signals, .inspections,
  ])

  /// A push token and whose it is.
  struct Device: Sendable {
    let user: UserName
    let device: DeviceName?
    let session: String?
    /// From then on somebody listens.
    var listens = Instant.distantFuture
    /// From then on it may not exist any more.
    var mayBeGone = Instant.distantFuture
    /// Somebody fetches with polls, so that signals do not say all that came.
    var isPolled = false
  }

  /// A subscription whose query goes by one field, as those of §3.5 do.
  final class Subscribed {
    let user: UserName
    let id: String
    let type: RecordType
    let field: FieldName
    let events: [Subscription.Event]
    let since: Instant
    var mayBeGone = Instant.distantFuture

    init(
      _ stored: Subscription, _ field: FieldName, _ id: String, of user: UserName,
      at instant: Instant
    ) {
      self.user = user
      self.id = id
      type = stored.query.recordType
      self.field = field
      events = stored.firesOn
      since = instant
    }
  }

  /// What a notification is about: one of these comes once, or as often as there were such changes.
  struct Key: Hashable, Sendable {
    let record: RecordName
    /// By the numbers of their texts; the label is the status that an order's push shows, and empty for any other record.
    let token, subscription, label: Int32
  }

  enum Kind: Sendable { case order, partner, position, offer, record, leaving }

  /// A notification that has to arrive.
  struct Expected {
    let kind: Kind
    let key: Key
    let during: ClosedRange<Instant>
    /// How many with this key have to have come with it.
    let number: Int32
    /// `nil` for what needs no subscription (MS-116).
    let subscribed: Subscribed?
    /// For a position: whose it is, and its time; whether the subscriber may see it is known only later.
    var position: (driver: RecordName, at: Instant)?
  }

  /// What happened to a key: how often it has to come, and when it came.
  private struct Telling: Sendable {
    private var expected: Int32 = 0
    private(set) var arrivals: Int32 = 0
    /// Whether one of them said that it was new.
    private(set) var hasBegun = false
    private(set) var lastArrival = Instant.distantFuture

    mutating func expect() -> Int32 {
      expected += 1
      return expected
    }

    mutating func arrive(at instant: Instant, asNew: Bool) {
      arrivals += 1
      hasBegun = hasBegun || asNew
      lastArrival = instant
    }
  }

  /// A record with the status that a push about it shows.
  private struct Label: Hashable, Sendable {
    let record: RecordName
    let label: String
  }

  /// A user's subscription by its id.
  private struct Own: Hashable, Sendable {
    let user: UserName
    let id: String
  }

  /// Who caused a change.
  struct Origin: Hashable, Sendable {
    let user: UserName
    let device: DeviceName?
  }

  /// Of push tokens and of subscriptions: keys are looked up all the time, and texts are long.
  private var numbers: [String: Int32] = [:]
  private var texts: [String] = []
  private(set) var devices: [String: Device] = [:]
  private var tokensOfUser: [UserName: [String]] = [:]
  /// By the value that their field must have.
  private var byValue: [RecordName: [Subscribed]] = [:]
  private var byName: [Own: Subscribed] = [:]
  private(set) var expected: [Expected] = []
  private var tellings: [Key: Telling] = [:]
  /// Of orders: who made each change that is told so.
  private var origins: [Label: [Origin]] = [:]
  /// Orders that may have been changed by more than is known.
  private var clouded: Set<RecordName> = []
  private var firings = Firings()
  private var seenOffers: Set<RecordName> = []
  /// Orders by the customer who was told to have left them, with when he did.
  private var leavings: [UserName: ClosedRange<Instant>] = [:]
  private var left: Set<RecordName> = []
  /// Pushes that a device may have caused itself.
  var ripening = Ripening<PushNotification>()
  /// When each position was sent, and by whom: the place of its origin, -1 where nobody knows.
  private var positions: [RecordName: (sent: Instant, origin: Int32)] = [:]
  private var senders: [Origin] = []
  private var numberOfSender: [Origin: Int32] = [:]
  /// Orders that were changed without naming a status, so that one label may come again.
  private var extras: Set<RecordName> = []
  private(set) var customerOfOrder: [RecordName: UserName] = [:]
  private(set) var driverOfUser: [UserName: RecordName] = [:]
  private(set) var ownerOfPartner: [RecordName: UserName] = [:]
  private(set) var partnerOfOrder: [RecordName: RecordName] = [:]
  /// By customer: the orders that he has or may have placed.
  private(set) var ordersOf: [UserName: [RecordName]] = [:]
  private var ended: [RecordName: Instant] = [:]
  private var muted: Set<UserName> = []
  /// Whether nobody subscribed before the records begin.
  private var isWhole = false
  private var deleted: Set<UserName> = []
  private var sightings = Sightings()
  private let accounts: AccountFacts

  /// No client waits longer for an answer.
  private static let longest = Span.seconds(75)
  /// How long a push may take at most; whatever is not there by then does not come any more.
  static let patience = Span.minutes(10)

  init(_ subject: Subject<AccountFacts>) { accounts = subject.known }

  // MARK: Asking

  /// What has to be there by now and was not looked for yet.
  func due(at now: Instant, _ kind: Kind) -> [Expected] {
    let until = now - Self.patience
    return expected.filter {
      $0.kind == kind && $0.during.upperBound <= until && isCertain($0)
    }
  }

  func hasArrived(_ expected: Expected) -> Bool {
    tellings[expected.key]?.arrivals ?? 0 >= expected.number
  }

  /// Whether a device was told of this before: as new, if it is so now, since one push may overtake another.
  func hasArrived(_ push: PushNotification, _ key: Key) -> Bool {
    guard let telling = tellings[key] else { return false }
    return push.fired == .created ? telling.hasBegun : telling.arrivals > 0
  }

  /// `nil` where it is not known at which token it arrived, or no subscription asked for it.
  func key(of push: PushNotification) -> Key? {
    guard let token = push.destination.token else { return nil }
    if case .customerDeleted = push.content { return key(token, "", push.recordName, "") }
    guard let subscription = push.subscription else { return nil }
    return key(token, subscription, push.recordName, push.label)
  }

  private func key(
    _ token: String, _ subscription: String, _ record: RecordName, _ label: String
  ) -> Key {
    Key(
      record: record, token: number(of: token), subscription: number(of: subscription),
      label: number(of: label))
  }

  private func number(of text: String) -> Int32 {
    if let known = numbers[text] { return known }
    let number = Int32(texts.count)
    numbers[text] = number
    texts.append(text)
    return number
  }

  /// What a subscription is called.
  func subscription(of key: Key) -> String { texts[Int(key.subscription)] }
  func label(of key: Key) -> String { texts[Int(key.label)] }

  /// Whether nothing has happened that may have kept it from coming.
  private func isCertain(_ one: Expected) -> Bool {
    guard let device = devices[texts[Int(one.key.token)]], !device.isPolled,
      one.during.upperBound < device.mayBeGone,
      one.during.upperBound < one.subscribed?.mayBeGone ?? .distantFuture,
      !muted.contains(device.user)
    else { return false }
    guard let position = one.position else { return true }
    return sees(device.user, position.driver, at: position.at, throughout: one.during)
  }

  /// Whether a user certainly could see a position of a driver: his own, or one during an active order (§2.13).
  private func sees(
    _ user: UserName, _ driver: RecordName, at: Instant, throughout interval: ClosedRange<Instant>
  ) -> Bool {
    if driverOfUser[user] == driver { return true }
    return ordersOf[user, default: []].contains { name in
      guard let order = sightings.state(of: name, throughout: interval) else { return false }
      return order[Order.driver] == driver && order.status?.isActive == true
        && order.modified.timestamp <= at
    }
  }

  /// Whether only one change can have caused a notification with this label: an order comes to an end once, is carried
  /// once, becomes visible once to who is not its driver.
  func isUnique(_ push: PushNotification) -> Bool {
    switch push.content {
    case .position: return push.fired == .created
    case .offer: return push.fired == .created
    case .order(let id, let status, _, _, _):
      let isFirst = push.fired == .created && ["created", "payment_confirmed"].contains(status)
      let customer = customerOfOrder[id]
      if isFirst { return true }
      guard let status = OrderStatus.of(status), status.isTerminal || status.isCarried,
        let customer, !deleted.contains(customer)
      else { return false }
      return !extras.contains(id)
    case .customerDeleted, .record: return false
    }
  }

  /// Whether a device made every change that a push to it can be about; `nil` when that is not known.
  func isOwnChange(_ push: PushNotification, of device: Device) -> Bool? {
    guard !clouded.contains(push.recordName),
      let known = origins[Label(record: push.recordName, label: push.label)]
    else { return nil }
    return known.allSatisfy { $0.user == device.user && $0.device == device.device }
  }

  /// What is wrong with a push for its subscription; `nil` where nothing is, or nobody knows.
  func misfire(_ push: PushNotification) -> String? {
    guard let user = push.destination.token.flatMap({ devices[$0]?.user }) else { return nil }
    return firings.problem(with: push, to: user, isWhole)
  }

  func origin(of push: PushNotification) -> Origin? {
    guard push.label.isEmpty, let number = positions[push.recordName]?.origin, number >= 0 else {
      return nil
    }
    return senders[Int(number)]
  }

  /// Whether a notification tells somebody of a record that he certainly could not see (§2.13); `nil` when that is not
  /// certain.
  func isLeak(_ push: PushNotification, to user: UserName, at instant: Instant) -> Bool? {
    guard let role = accounts.role(of: user, during: instant...instant), role != .admin else {
      return nil
    }
    switch push.content {
    case .order(let id, _, _, _, _):
      guard let customer = customerOfOrder[id], let partner = partnerOfOrder[id],
        let owner = ownerOfPartner[partner]
      else { return nil }
      if customer == user || owner == user { return false }
      return role == .driver ? nil : true
    case .position(let driver):
      if driverOfUser[user] == driver { return false }
      guard role == .customer else { return nil }
      let orders = ordersOf[user, default: []]
      guard !orders.isEmpty else { return true }
      guard let sent = positions[push.recordName]?.sent else { return nil }
      return orders.allSatisfy { ended[$0].map { $0 < sent } ?? false } ? true : nil
    case .offer(_, _, let driver):
      guard let own = driverOfUser[user] else { return role == .driver ? nil : true }
      return own != driver
    case .customerDeleted, .record: return nil
    }
  }

  // MARK: Taking in

  func noted(_ note: MimiSupply.Note, at moment: Moment) {
    if case .listening(let token) = note, let device = devices[token], moment.time < device.listens
    {
      devices[token]!.listens = moment.time
    }
  }

  func signalled(_ signal: MimiSupply.Signal, at moment: Moment) {
    guard case .notification(let push) = signal, let key = key(of: push) else { return }
    tellings[key, default: Telling()].arrive(
      at: moment.time, asNew: push.fired == .created)
    guard push.subscription != nil, let device = devices[push.destination.token ?? ""] else {
      return
    }
    firings.hear(push, of: device.user)
    // Others may have changed it, too, and wait for their answers.
    let tells = !push.label.isEmpty && push.label != OrderStatus.claim
    if tells, isOwnChange(push, of: device) == true {
      ripening.keep(push, until: moment.time + Self.longest)
    }
  }

  func inspected(_ shown: Inspected, at moment: Moment) {
    expected.removeAll { $0.during.upperBound <= moment.time - Self.patience }
    forget(before: moment.time - .hours(3))
  }

  func commanded(_ command: Control, at moment: Moment) {
    switch command {
    case .setConsent(let user, "notifications", _): muted.insert(user)
    case .load(let fixture):
      isWhole = true
      for entry in fixture.records { take(entry) }
    default: break
    }
  }

  private func take(_ entry: Fixture.Entry) {
    switch entry.type {
    case .partner: ownerOfPartner[entry.name] = entry.creator
    case .driver: if let user = entry.fields[Driver.user] { driverOfUser[user] = entry.name }
    case .order:
      if let customer = entry.fields[Order.customer] {
        ordersOf[customer, default: []].append(entry.name)
      }
    default: break
    }
  }

  func asked(_ call: SeenCall, at moment: Moment) {
    switch call.request {
    case .query(_, let query) where query.query.recordType == .product: return
    case .createToken:
      guard case .tokenCreated(let token)? = call.content,
        let user = accounts.user(of: call)
      else { return }
      devices[token.apnsToken] = Device(
        user: user, device: accounts.device(of: call),
        session: call.credential?.userToken)
      tokensOfUser[user, default: []].append(token.apnsToken)
    case .poll(let poll):
      if let token = poll.token { devices[token]?.isPolled = true }
    case .signOut, .deleteAccount: leave(call)
    case .modifySubscriptions(let place, let operations):
      subscribe(operations, in: place, call)
    case .modify(_, let modification): see(modification, call)
    default: break
    }
    for order in call.orders where order.isWhole {
      if !sightings.see(order.record, in: call) { seeNew(order, in: call) }
      if order.status?.isTerminal == true, ended[order.name] == nil {
        ended[order.name] = call.answered
      }
    }
    for driver in call.drivers {
      if let user = driver[Driver.user] { driverOfUser[user] = driver.name }
    }
    for record in call.shown {
      switch record.type {
      case .partner: ownerOfPartner[record.name] = record.created.userRecordName
      case .driverOffer: see(offer: record, in: call)
      default: break
      }
    }
  }

  /// The instants at which a record may have been changed last.
  private static func moment(_ stamp: Stamp) -> ClosedRange<Instant> {
    let instant = stamp.timestamp.toMilliseconds
    return instant...(instant + .milliseconds(1))
  }

  /// What nobody asked for is seen by its marks: the system ended an order, or took its driver; a customer left it.
  private func seeNew(_ order: ShownOrder, in call: SeenCall) {
    let record = order.record
    guard record.modified.userRecordName == .system, let status = order.status,
      let customer = order.customer, call.sent - record.modified.timestamp < .hours(1)
    else { return }
    let during = Self.moment(record.modified)
    if let former = customerOfOrder[order.name], former != customer {
      if status.isActive, let when = leavings[former], left.insert(order.name).inserted {
        tellOwner(of: order, when)
      }
      return
    }
    guard customerOfOrder[order.name] != nil, !clouded.contains(order.name) else { return }
    let isLost =
      order.driver == nil && status.isBeforePickup && status != .paymentConfirmed
      && status != .created && status != .paymentProcessing
    guard status == .cancelled || status == .failed || isLost else { return }
    let label = isLost ? OrderStatus.claim : status.rawValue
    tell(
      .order, of: .order, order.name, label, .customerId, RecordName(customer), .update, nil, during
    )
    if let driver = order.driver {
      tell(.order, of: .order, order.name, label, .driverId, driver, .update, nil, during)
    }
  }

  /// MS-116.
  private func tellOwner(of order: ShownOrder, _ when: ClosedRange<Instant>) {
    guard let owner = order.partner.flatMap({ ownerOfPartner[$0] }) else { return }
    for token in tokensOfUser[owner] ?? [] {
      guard let device = devices[token], device.listens < when.lowerBound else { continue }
      expect(.leaving, key(token, "", order.name, ""), when, nil)
    }
  }

  private func see(offer: CloudRecord, in call: SeenCall) {
    guard let driver = offer[DriverOffer.driver], seenOffers.insert(offer.name).inserted,
      call.sent - offer.created.timestamp < .hours(1)
    else { return }
    tell(
      .offer, of: .driverOffer, offer.name, "", .driverId, driver, .create, nil,
      Self.moment(offer.created))
  }

  private func leave(_ call: SeenCall) {
    guard call.isUnknown || call.outcome.isReplied,
      let user = accounts.user(of: call)
    else { return }
    var isDeleted = false
    if case .deleteAccount = call.request { isDeleted = true }
    if isDeleted {
      deleted.insert(user)
      // The system changes them then.
      clouded.formUnion(ordersOf[user] ?? [])
      if !call.isUnknown { leavings[user] = call.during }
    }
    for token in tokensOfUser[user, default: []]
    where isDeleted || devices[token]?.session == call.credential?.userToken {
      devices[token]!.mayBeGone = min(devices[token]!.mayBeGone, call.sent)
    }
  }

  // MARK: Subscriptions

  private func subscribe(
    _ operations: [SubscriptionOperation], in place: Location, _ call: SeenCall
  ) {
    guard call.isUnknown || call.outcome.isReplied,
      let user = accounts.user(of: call)
    else { return }
    var results: [SubscriptionResult]?
    if case .subscriptions(let list)? = call.content { results = list }
    for (index, operation) in operations.enumerated() {
      let result = results.flatMap { $0.indices.contains(index) ? $0[index] : nil }
      if case .failed? = result { continue }
      let id: String?
      switch operation.subject {
      case .subscription(let subscription): id = subscription.id
      case .name(let name): id = name
      case .unreadable: id = nil
      }
      if let id, let old = byName[Own(user: user, id: id)] {
        old.mayBeGone = min(old.mayBeGone, call.sent)
      }
      if case .subscription(let asked) = operation.subject {
        firings.note(asked, id, of: user, isStored: result != nil)
      }
      if case .stored(let stored)? = result { add(stored, of: user, at: call.answered) }
    }
  }

  private func add(_ stored: Subscription, of user: UserName, at instant: Instant) {
    guard let id = stored.id, !stored.firesOnce, stored.query.filters.count == 1,
      let values = stored.query.filters.first?.equals,
      let field = FieldName(stored.query.filters[0].fieldName)
    else { return }
    let subscribed = Subscribed(stored, field, id, of: user, at: instant)
    byName[Own(user: user, id: id)] = subscribed
    for value in values { byValue[value, default: []].append(subscribed) }
  }

  // MARK: Changes

  private func see(_ modification: Modification, _ call: SeenCall) {
    for item in modification.items where item.record.type == .order && item.kind == .create {
      // Also one whose answer was lost.
      guard let customer = item.record[Order.customer],
        let name = item.record.name
      else { continue }
      if call.isUnknown || call.outcome.isReplied {
        ordersOf[customer, default: []].append(name)
      }
    }
    if call.isUnknown {
      for item in modification.items {
        guard let name = item.record.name else { continue }
        extras.insert(name)
        clouded.insert(name)
      }
      return
    }
    let origin = accounts.user(of: call).map {
      Origin(user: $0, device: accounts.device(of: call))
    }
    for (item, result) in call.writes {
      guard let saved = result?.record else { continue }
      switch saved.type {
      case .order where saved.isWhole: change(saved, by: item, origin, call)
      case .driverLocation: positioned(saved, origin, call)
      case .driverOffer: answered(saved, item, origin, call)
      case .product:
        guard let partner = saved[Product.partner], let origin else { continue }
        tell(
          .record, of: .product, saved.name, "", .partnerId, partner,
          item.kind == .create ? .create : .update, origin, call.during)
      default: break
      }
    }
  }

  /// A driver takes an order by its offer: he and its customer hear of it.
  private func answered(
    _ offer: CloudRecord, _ item: Modification.Item, _ origin: Origin?, _ call: SeenCall
  ) {
    guard item.record.fields[.state] == .some(.string("accepted")), let origin,
      let order = offer[DriverOffer.order], let driver = offer[DriverOffer.driver],
      let customer = customerOfOrder[order]
    else { return }
    tell(
      .order, of: .order, order, OrderStatus.claim, .customerId, RecordName(customer), .update,
      origin, call.during)
    tell(
      .order, of: .order, order, OrderStatus.claim, .driverId, driver, .create, origin, call.during)
  }

  private func change(
    _ order: CloudRecord, by item: Modification.Item, _ origin: Origin?, _ call: SeenCall
  ) {
    guard let customer = order[Order.customer], let partner = order[Order.partner],
      let status = order[Order.status]
    else { return }
    customerOfOrder[order.name] = customer
    partnerOfOrder[order.name] = partner
    let named = item.record.fields[.status]
    let isMove = named != nil && named != .some(.string(OrderStatus.claim))
    let isNew = item.kind == .create
    if !isNew, !isMove { extras.insert(order.name) }
    guard let origin, let (label, hasNewDriver) = telling(of: order, after: item) else {
      clouded.insert(order.name)
      return
    }
    origins[Label(record: order.name, label: label), default: []].append(origin)
    let (name, during) = (order.name, call.during)
    tell(
      .order, of: .order, name, label, .customerId, RecordName(customer),
      isNew ? .create : .update, origin, during)
    if let driver = order[Order.driver] {
      tell(
        .order, of: .order, name, label, .driverId, driver, hasNewDriver ? .create : .update,
        origin, during)
    }
    if status == "payment_confirmed", isNew || isMove {
      tell(.partner, of: .order, name, label, .partnerId, partner, .create, origin, during)
    }
  }

  /// What the push about a write says its status is, and whether another driver has the order then: a write may name the
  /// driver whom it has, or none where it has none, and then changes nothing of that. `nil` where the state was not seen on
  /// which such a write rested.
  private func telling(
    of order: CloudRecord, after item: Modification.Item
  ) -> (label: String, hasNewDriver: Bool)? {
    let status = order[Order.status] ?? ""
    guard item.mayAssign else { return (status, false) }
    guard item.desiredKeys == nil,
      let before = item.base.flatMap({ sightings.state(of: order.name, tag: $0) }),
      // Some looks leave out what nobody wished to see.
      order.fields.names.declared.allSatisfy({
        before.fields[$0] != nil || Self.comesAndGoes.contains($0)
      })
    else { return nil }
    guard before[Order.driver] != order[Order.driver] else { return (status, false) }
    var (former, present) = (before.fields, order.fields)
    for field in [FieldName.driverId, .updatedAt] {
      former[field] = nil
      present[field] = nil
    }
    return (former == present ? OrderStatus.claim : status, order[Order.driver] != nil)
  }

  /// What an order may be without (§2.5).
  private static let comesAndGoes: FieldNames = [
    .driverId, .tipCents, .deliveryInstructions, .actualDeliveryTime,
  ]

  private func positioned(
    _ position: CloudRecord, _ origin: Origin?, _ call: SeenCall
  ) {
    guard let driver = position[DriverLocation.driver],
      let at = position[DriverLocation.timestamp]
    else { return }
    positions[position.name] = (call.sent, origin.map { number(of: $0) } ?? -1)
    guard let origin else { return }
    tell(
      .position, of: .driverLocation, position.name, "", .driverId, driver, .create, origin,
      call.during, (driver, at))
  }

  private func number(of origin: Origin) -> Int32 {
    if let known = numberOfSender[origin] { return known }
    let number = Int32(senders.count)
    numberOfSender[origin] = number
    senders.append(origin)
    return number
  }

  /// Everybody whose subscription fits has to hear of a change, on every device but the one that made it; what the system
  /// does no device made.
  private func tell(
    _ kind: Kind, of type: RecordType, _ record: RecordName, _ label: String, _ field: FieldName,
    _ value: RecordName, _ event: Subscription.Event, _ origin: Origin?,
    _ during: ClosedRange<Instant>, _ position: (driver: RecordName, at: Instant)? = nil
  ) {
    for subscription in byValue[value] ?? [] {
      guard subscription.type == type, subscription.field == field,
        subscription.since < during.lowerBound, during.upperBound < subscription.mayBeGone,
        subscription.events.contains(event), isOwn(field, value, of: subscription.user, type)
      else { continue }
      for token in tokensOfUser[subscription.user, default: []] {
        guard let device = devices[token], device.listens < during.lowerBound,
          device.user != origin?.user || device.device != origin?.device
        else { continue }
        expect(
          kind, key(token, subscription.id, record, label), during, subscription, position)
      }
    }
  }

  private func expect(
    _ kind: Kind, _ key: Key, _ during: ClosedRange<Instant>, _ subscribed: Subscribed?,
    _ position: (driver: RecordName, at: Instant)? = nil
  ) {
    expected.append(
      Expected(
        kind: kind, key: key, during: during, number: tellings[key, default: Telling()].expect(),
        subscribed: subscribed, position: position))
  }

  /// Whether the subscriber is the one whom the field names, and so sees the record.
  private func isOwn(
    _ field: FieldName, _ value: RecordName, of user: UserName, _ type: RecordType
  ) -> Bool {
    switch field {
    case .customerId: UserName(value) == user
    // Everybody sees what is sold.
    case .partnerId: type == .product || ownerOfPartner[value] == user
    // Of a position it is judged when it is known who could see it.
    case .driverId: type == .driverLocation || driverOfUser[user] == value
    default: false
    }
  }

  /// What no later look can be about.
  private func forget(before instant: Instant) {
    let old = tellings.compactMap { key, telling in
      telling.lastArrival < instant ? key : nil
    }
    for key in old {
      tellings[key] = nil
      origins[Label(record: key.record, label: label(of: key))] = nil
    }
    positions = positions.filter { $0.value.sent >= instant }
    for value in byValue.keys { byValue[value]?.removeAll { $0.mayBeGone < instant } }
  }
}

extension Modification.Item {
  /// Whether it may change who carries an order that is there.
  fileprivate var mayAssign: Bool {
    switch kind {
    case .create: false
    case .replace, .forceReplace: true
    default:
      record.fields[.driverId] != nil
        || record.fields[.status] == .some(.string(OrderStatus.claim))
    }
  }
}
