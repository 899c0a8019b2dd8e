import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// What inspection shows of the market (§11), read once for a census.
struct MarketLedger {
  /// A record as the inspection shows it.
  struct Row {
    let name: RecordName
    let document: JSON

    init?(_ document: JSON) {
      guard let name: RecordName = document["recordName"]?.name() else { return nil }
      self.name = name
      self.document = document
    }

    subscript(field: FieldKey<String>) -> String? { document.field(field.name)?.string }
    subscript<Kind>(field: FieldKey<Name<Kind>>) -> Name<Kind>? {
      document.field(field.name)?.name()
    }
    subscript(field: FieldKey<Int64>) -> Int64? { document.field(field.name)?.wholeNumber }
    subscript(field: FieldKey<Double>) -> Double? { document.field(field.name)?.double }
    var status: OrderStatus? { self[Order.status].flatMap(OrderStatus.init) }
  }

  let records: JSON
  let market: JSON

  /// - Returns: `nil` when the inspection shows no market.
  init?(_ shown: JSON) {
    guard let records = shown["records"], let market = shown["market"] else { return nil }
    self.records = records
    self.market = market
  }

  func rows(_ type: RecordType) -> [Row] { (records[type.text]?.array ?? []).compactMap(Row.init) }

  /// What the market notes of the records of one kind, by name.
  func notes(_ kind: String) -> [RecordName: JSON] {
    var notes: [RecordName: JSON] = [:]
    for (name, note) in market[kind]?.object?.members ?? [] { notes[RecordName(name)] = note }
    return notes
  }
}

// MARK: - Money

extension MarketLedger {
  /// MS-36: what every delivery paid, by an own reading of §5.4.
  @Sendable static func judgePay(
    _ ledger: MarketLedger, _ facts: LedgerFacts, _ judge: inout Judge
  ) {
    let notes = ledger.notes("orders")
    let zone = ledger.market["timeZone"]?.string.flatMap { CivilZone($0) } ?? .berlin
    let partners = Dictionary(
      ledger.rows(.partner).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let drivers = Dictionary(
      ledger.rows(.driver).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for order in ledger.rows(.order) where order.status == .delivered {
      guard let note = notes[order.name], let paid = note["payCents"]?.wholeNumber,
        let pickedUp = note["pickedUpAt"]?.moment,
        let partner = order[Order.partner].flatMap({ partners[$0] }),
        let driver = order[Order.driver].flatMap({ drivers[$0] }),
        !facts.changed.contains(partner.name), !facts.changed.contains(driver.name),
        let due = pay(
          order, from: partner, vehicle: driver[Driver.vehicleType], note: note,
          pickedUp: pickedUp, in: zone)
      else { continue }
      judge.expect(
        due.contains(paid), "\(order.name) paid its driver \(paid) cents instead of \(due)")
    }
  }

  /// What a delivery pays. Waiting is known in whole milliseconds, and so a full minute may be one more or less.
  private static func pay(
    _ order: Row, from partner: Row, vehicle: String?, note: JSON, pickedUp: Instant,
    in zone: CivilZone
  ) -> ClosedRange<Int64>? {
    guard let text = order[Order.deliveryAddress],
      case .success(let address) = DeliveryAddress.reading(text),
      let north = partner[Partner.latitude], let east = partner[Partner.longitude]
    else { return nil }
    let metres = Int64(Geography.metres(Geography.Point(north, east), address.point))
    var pay = 350 + 80 * metres / 1_000
    if vehicle == "bicycle" { pay += 50 }
    let local = zone.civil(at: pickedUp)
    let minute = local.timeOfDay.nanoseconds / 60_000_000_000
    if minute >= 690, minute < 810 { pay += 100 }
    if minute >= 1_080, minute < 1_260 { pay += 150 }
    if local.date.weekday > 5 { pay += 75 }
    pay = pay.plus(order[Order.tipCents] ?? 0)
    guard let since = note["waitingSince"]?.moment else { return pay...pay }
    let waited = pickedUp - since
    func bonus(_ time: Span) -> Int64 { 20 * max(0, time.nanoseconds / 60_000_000_000 - 5) }
    return pay.plus(
      bonus(waited - .milliseconds(1)))...pay.plus(bonus(waited + .milliseconds(1)))
  }

  /// MS-38: what came in is what went out, stays with partners, drivers and the platform, or belongs to orders that are
  /// still under way.
  @Sendable static func judgeConservation(_ shown: JSON, _ judge: inout Judge) {
    guard let ledger = MarketLedger(shown) else { return }
    let notes = ledger.notes("orders")
    var (received, spoken): (Int64, Int64) = (0, 0)
    var first: RecordName?
    for order in ledger.rows(.order) {
      guard let note = notes[order.name], let paid = note["paidCents"]?.wholeNumber,
        let refunded = note["refundedCents"]?.wholeNumber, let status = order.status,
        let amounts = Sums({ order[$0] })
      else { continue }
      var due = refunded
      let isPaid = order[Order.paymentStatus] == "completed"
      if status == .delivered {
        due &+=
          amounts.subtotal &+ amounts.tip &+ amounts.delivery &+ amounts.platform &+ amounts.tax
      } else if status.isActive, isPaid {
        due &+= amounts.total
      }
      received &+= paid
      spoken &+= due
      if paid != due, first == nil { first = order.name }
    }
    guard received != 0 else { return }
    judge.expect(
      received == spoken,
      "\(received) cents came in, and \(spoken) are spoken for; the first that differs is \(first ?? "none")"
    )
  }
}
