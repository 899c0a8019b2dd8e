import Contracts
import MimiSupplyContract
import Timekeeping

// What the deletion of an account does to orders, completions, the driver and his positions (MS-116).
extension Market {
  /// Why a user cannot leave now.
  ///
  /// A partner is given up without active orders alone (§2.14), and with the account nobody is left to work on them.
  func refusal(ofLeaving user: UserName, on shelf: some Shelf) -> Failure? {
    for name in shelf.partners(ownedBy: user) {
      guard let order = partners[name]?.activeOrders.min() else { continue }
      return .constraint(
        "partner_busy", "\(name) has active orders, \(order) for one: they end first")
    }
    guard let driver = driverOfUser[user].flatMap({ drivers[$0] }) else { return nil }
    let isCarrying = driver.activeOrders.contains { orders[$0]?.status.isCarried == true }
    return isCarrying ? .constraint("driver_busy", "a picked up order is delivered first") : nil
  }

  /// Owners of partners with active orders of a customer, each with the order: they are told that the customer left.
  func ordersToAnnounce(ofLeaving user: UserName, on shelf: some Shelf)
    -> [(order: RecordName, owner: UserName)]
  {
    shelf.names(of: .order, where: .customerId, is: user).compactMap { name in
      guard let facts = orders[name], facts.status.isActive,
        let owner = partners[facts.partner]?.owner
      else { return nil }
      return (name, owner)
    }
  }

  /// The changes of the commit that deletes an account; profile, tokens and subscriptions are the store's.
  ///
  /// - Parameter placeholder: Fresh; stands for the customer from now on.
  mutating func leave(
    _ user: UserName, placeholder: UserName, on shelf: some Shelf, at now: Instant
  ) -> [Change] {
    self.now = max(self.now, now)
    var commit = Commit(on: shelf, at: now)
    for name in shelf.names(of: .order, where: .customerId, is: user) {
      guard let order = shelf.record(name), let status = order.status else { continue }
      orders[name]?.isOrphan = true
      var fields: FieldChanges = [
        .customerId: .name(placeholder), .updatedAt: .timestamp(later(than: order, now)),
      ]
      if status.isTerminal { fields = fields.merging(anonymising(order)) }
      change(name, fields, in: &commit)
      guard status.isTerminal else { continue }
      for completion in shelf.names(of: .deliveryCompletion, where: .orderId, is: name) {
        change(completion, [.customerFeedback: nil], in: &commit)
      }
    }
    if let driver = driverOfUser[user] { leave(driver: driver, in: &commit) }
    // What was sold stays in the public database; without an owner it takes no orders, and nobody is called.
    for partner in shelf.partners(ownedBy: user) where placeholder != user {
      change(
        partner, publicly: true, [.isActive: .int64(0), .phoneNumber: nil, .email: nil],
        in: &commit)
    }
    stir(in: &commit)
    return commit.changes
  }

  private mutating func leave(driver: RecordName, in commit: inout Commit<some Shelf>) {
    change(driver, [.isOnline: .int64(0), .isAvailable: .int64(0)], in: &commit)
    if let offer = drivers[driver]?.openOffer, let order = offers[offer]?.order {
      change(offer, [.state: .string("withdrawn")], in: &commit)
      commit.searching.insert(order)
    }
    for order in (drivers[driver]?.activeOrders ?? []).sorted() {
      removeDriver(from: order, in: &commit)
    }
    for position in commit.shelf.names(of: .driverLocation, where: .driverId, is: driver) {
      write(nil, for: position, in: &commit)
    }
    write(nil, for: driver, in: &commit)
  }

  /// Whether nothing personal is left in an order: neither in itself nor, therefore, in what it once was.
  func isAnonymised(_ record: CloudRecord) -> Bool {
    record.type == .order && record.status?.isTerminal == true
      && orders[record.name]?.isOrphan == true
  }

  /// What is personal in an order, taken away. Instructions may hold anything.
  func anonymising(_ order: CloudRecord) -> FieldChanges {
    var fields: FieldChanges = [.deliveryInstructions: nil]
    if let bare = order[Order.items].flatMap(OrderLine.withoutInstructions) {
      fields[.items] = .string(bare)
    }
    if let text = order[Order.deliveryAddress],
      case .success(let address) = DeliveryAddress.reading(text)
    {
      fields[.deliveryAddress] = .string(address.anonymised)
    }
    return fields
  }

  /// Whether a field has lost what was personal in it because the customer has left, whoever's commit ended the order.
  func isAnonymised(_ field: FieldName, from before: CloudRecord, to after: CloudRecord) -> Bool {
    guard orders[after.name]?.isOrphan == true, let left = anonymising(before)[field] else {
      return false
    }
    return left == after.fields[field]
  }
}
