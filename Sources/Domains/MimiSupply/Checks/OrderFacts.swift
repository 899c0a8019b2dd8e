import Contracts
import MimiSupplyContract
import Timekeeping

/// What is certain about one order from the records so far: who placed it, when, and which versions of it were seen.
final class OrderFacts {
  /// One stored state of the order, known by its change tag.
  struct Version: Sendable {
    let tag: String
    let status: OrderStatus
    let payment: String
    let driver: RecordName?
    let tip: Int64
    let total: Int64
    let estimate: Instant?
    let updatedAt: Instant
    /// Who wrote it; `_system` for what nobody asked for.
    let author: UserName
    /// The intervals in which the first and the last answer showed it: at some instant of each it was the present one.
    let first: ClosedRange<Instant>
    var last: ClosedRange<Instant>
    /// The interval in which it was committed, where the write that made it was seen.
    var committed: ClosedRange<Instant>?
  }

  let name: RecordName
  var customer: UserName
  /// The customer as he was called before he may have left (MS-116).
  let placedBy: UserName
  let partner: RecordName
  let paymentMethod: String
  /// As its customer says.
  let createdAt: Instant?
  let subtotal: Int64
  let deliveryFee: Int64
  let platformFee: Int64
  let tax: Int64
  /// Empty until the order was seen whole.
  let lines: [OrderLine]
  /// The interval of its creation; `nil` when that was not seen.
  var created: ClosedRange<Instant>?
  /// The state in which it began, where its creation was seen.
  var began: OrderStatus?
  /// A write whose outcome nobody knows may have changed it.
  var isUncertain = false
  /// The last versions that were seen, in the order in which they became known.
  private(set) var versions: [Version] = []
  /// The driver who had it at pickup, and so has it for good.
  private(set) var carrier: RecordName?
  /// From when on it certainly was paid for, or due in cash, before it ended; `nil` when that was not seen.
  private(set) var confirmedBy: Instant?
  /// The terminal state in which it was seen.
  var ended: Version? { versions.last { $0.status.isTerminal } }
  private static let most = 24

  /// - Returns: `nil` unless all fields are there that every order has.
  init?(_ record: CloudRecord) {
    guard record.type == .order, let customer = record[Order.customer],
      let partner = record[Order.partner], let method = record[Order.paymentMethod],
      let items = record[Order.items], let subtotal = record[Order.subtotalCents],
      let delivery = record[Order.deliveryFeeCents], let platform = record[Order.platformFeeCents],
      let tax = record[Order.taxCents]
    else { return nil }
    name = record.name
    (self.customer, placedBy) = (customer, customer)
    self.partner = partner
    paymentMethod = method
    createdAt = record[Order.createdAt]
    self.subtotal = subtotal
    deliveryFee = delivery
    platformFee = platform
    self.tax = tax
    lines = OrderLine.lines(parsing: items) ?? []
  }

  var latest: Version? { versions.last }

  func version(_ tag: String) -> Version? { versions.last { $0.tag == tag } }

  /// Takes note of an answer that shows the order.
  ///
  /// - Parameter isWritten: The request made this version.
  func see(_ record: CloudRecord, during: ClosedRange<Instant>, isWritten: Bool) {
    if let index = versions.lastIndex(where: { $0.tag == record.changeTag }) {
      if versions[index].last.lowerBound < during.lowerBound { versions[index].last = during }
      if isWritten { versions[index].committed = during }
      return
    }
    guard let version = Version(record, during: during, isWritten: isWritten) else { return }
    if let customer = record[Order.customer] { self.customer = customer }
    versions.append(version)
    let isConfirmed =
      version.status == .delivered
      || (version.status.isActive && version.status.place >= OrderStatus.paymentConfirmed.place)
    if isConfirmed { confirmedBy = min(confirmedBy ?? .distantFuture, during.upperBound) }
    if versions.count > Self.most { versions.removeFirst() }
    if version.status.isCarried || version.status == .delivered { carrier = version.driver }
  }

  /// The states in which the order may have been at some instant of an interval: the last one that was seen before it,
  /// and all that were seen since; `nil` when it was not seen before.
  func statuses(during window: ClosedRange<Instant>) -> Set<OrderStatus>? {
    guard
      let before = versions.last(where: { $0.first.upperBound < window.lowerBound })
    else { return nil }
    var statuses: Set = [before.status]
    for version in versions
    where version.last.upperBound >= window.lowerBound
      && version.first.lowerBound <= window.upperBound
    {
      statuses.insert(version.status)
    }
    return statuses
  }

  /// Whether a version that was seen before a request was still the present one after it.
  func stood(_ tag: String, throughout window: ClosedRange<Instant>) -> Bool {
    guard let version = version(tag) else { return false }
    return version.first.upperBound <= window.lowerBound
      && version.last.lowerBound >= window.upperBound
  }
}

extension OrderFacts.Version {
  init?(_ record: CloudRecord, during: ClosedRange<Instant>, isWritten: Bool) {
    guard let status = record.status, let payment = record[Order.paymentStatus],
      let total = record[Order.totalCents],
      let updatedAt = record[Order.updatedAt]
    else { return nil }
    tag = record.changeTag
    self.status = status
    self.payment = payment
    driver = record[Order.driver]
    tip = record[Order.tipCents] ?? 0
    self.total = total
    estimate = record[Order.estimatedDeliveryTime]
    self.updatedAt = updatedAt
    author = record.modified.userRecordName
    first = during
    last = during
    committed = isWritten ? during : nil
  }
}
