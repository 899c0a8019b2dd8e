import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// What is certain about one city from the records so far: its people, its catalogue, its orders, and what has been tried
/// so long ago that it can be judged.
///
/// Other requests may be under way while one is answered, and their outcomes become known later: what was tried is told
/// of when they must be known.
final class MarketFacts: Facts {
  static let concerns = Set<Concern>.showing.union([
    .asks(.refresh), .asks(.signOut), .asks(.deleteAccount), .asks(.partnerStats), .controls,
  ])

  private(set) var rules = MarketRules()
  private let accounts: AccountFacts
  private(set) var partners: [RecordName: PartnerFacts] = [:]
  private(set) var products: [RecordName: ProductFacts] = [:]
  private(set) var orders: [RecordName: OrderFacts] = [:]
  private(set) var ordersOfPartner: [RecordName: [RecordName]] = [:]
  /// By partner: orders of which nobody knows whether they were taken.
  private(set) var unclearOrders: [RecordName: Int64] = [:]
  /// Partners that had orders when they were loaded.
  private(set) var partnersWithPast: Set<RecordName> = []
  /// User by Driver record.
  private(set) var driverUsers: [RecordName: UserName] = [:]
  /// Completions by order, in the order in which their writes became known.
  private(set) var completions: [RecordName: [CompletionWrite]] = [:]
  /// Writes of ratings by order, in the same order.
  private(set) var ratings: [RecordName: [CompletionWrite]] = [:]
  /// Whether every order that was rated has been seen, and so its partner.
  private(set) var knowsRatedOrders = true
  private(set) var orderOfCompletion: [RecordName: RecordName] = [:]
  var ripening = Ripening<Attempt>()
  /// A client waits no longer than ten seconds for an answer.
  private static let patience = Span.seconds(15)

  init(_ subject: Subject<AccountFacts>) { accounts = subject.known }

  /// What was under way while the operator changed a rule is not judged.
  private func wait(
    _ attempt: Attempt, of during: ClosedRange<Instant>, since now: Instant
  ) {
    if during.lowerBound >= rules.since { ripening.keep(attempt, until: now + Self.patience) }
  }

  // MARK: Who is who

  /// How the writer of an order stands to it, with the driver that it has (§5.1); `nil` when nobody knows who wrote.
  func parties(_ step: Step, to order: OrderFacts, driver: RecordName?) -> Set<Party>? {
    guard let user = step.user, let role = step.role else { return nil }
    var parties: Set<Party> = []
    if role == .admin { parties.insert(.admin) }
    if order.customer == user { parties.insert(.customer) }
    if partners[order.partner]?.owner == user { parties.insert(.partner) }
    if let driver, driverUsers[driver] == user { parties.insert(.driver) }
    return parties
  }

  // MARK: Requests

  func asked(_ call: SeenCall, at moment: Moment) {
    let now = moment.time
    switch call.request {
    case .modify: seeWrites(call, at: now)
    case .lookup:
      for order in call.orders { see(order.record, during: call.during) }
      for product in call.shown(.product) { look(at: product, call.during, now) }
    case .query(_, let asked) where asked.query.recordType == .order:
      for record in call.shown { see(record, during: call.during) }
    case .changes: for order in call.orders { see(order.record, during: call.during) }
    case .partnerStats(let partner):
      if case .stats(let figures)? = call.content {
        wait(
          .figures(FiguresLook(partner: partner, figures: figures, during: call.during)),
          of: call.during, since: now)
      }
    default: break
    }
  }

  private func see(
    _ record: CloudRecord, during: ClosedRange<Instant>, isWritten: Bool = false
  ) {
    if orders[record.name] == nil {
      guard let facts = OrderFacts(record) else { return }
      orders[record.name] = facts
      ordersOfPartner[facts.partner, default: []].append(record.name)
    }
    orders[record.name]!.see(record, during: during, isWritten: isWritten)
    guard let facts = orders[record.name], let latest = facts.latest,
      latest.tag == record.changeTag
    else { return }
    for line in facts.lines where products[line.productID]?.stock != nil {
      follow(line.productID, facts, latest, during, isWritten: isWritten)
    }
  }

  /// What an order's state says about the stock that it reserved.
  private func follow(
    _ product: RecordName, _ order: OrderFacts, _ version: OrderFacts.Version,
    _ during: ClosedRange<Instant>, isWritten: Bool
  ) {
    if order.carrier != nil {
      products[product]!.stock!.use(order.name)
    } else if version.status == .cancelled || (version.status == .failed && version.driver == nil)
      || (version.status == .failed && isWritten)
    {
      products[product]!.stock!.giveBack(
        order.name, from: isWritten ? during.lowerBound : nil, until: during.upperBound)
    } else if !version.status.isTerminal {
      products[product]!.stock!.saw(active: order.name, from: during.lowerBound)
    }
  }

  private func look(
    at record: CloudRecord, _ during: ClosedRange<Instant>, _ now: Instant
  ) {
    guard products[record.name] != nil, let flag = record.fields[.isAvailable]?.int
    else { return }
    let stock = ProductFacts.finite(record.fields[.stockQuantity])
    products[record.name]!.shown = (record.changeTag, flag == 1, stock)
    wait(
      .look(
        ProductLook(
          product: record.name, stock: record[Product.stockQuantity], isAvailable: flag == 1,
          during: during)), of: during, since: now)
  }
}

/// Who wrote, as far as his session tells.
private struct Writer {
  let user: UserName?
  let role: Role?
}

// MARK: - Writes

extension MarketFacts {
  private func seeWrites(_ call: SeenCall, at now: Instant) {
    guard case .modify(_, let modification) = call.request else { return }
    let during = call.during
    let results = call.writes
    for (index, item) in modification.items.enumerated() {
      let fate: Fate
      if results.isEmpty {
        if case .unsent = call.outcome { return }
        fate = .unknown
      } else {
        switch results[index].result {
        case .saved(let record)?: fate = .done(record)
        case .deleted?: fate = .deleted
        case .failed(let failed)?: fate = .refused(failed.failure)
        case nil:
          guard let failure = call.failure else { continue }
          fate = .refused(failure)
        }
      }
      see(item, fate, during, call, at: now)
    }
  }

  private func see(
    _ item: Modification.Item, _ fate: Fate, _ during: ClosedRange<Instant>, _ call: SeenCall,
    at now: Instant
  ) {
    // A new record without a name, and without an answer that tells it, is still a record.
    let name = item.record.name ?? fate.record?.name ?? ""
    let type = fate.record?.type ?? item.record.type ?? knownType(name)
    // Most writes are positions, which say nothing here.
    if type == .driverLocation { return }
    switch type {
    case .order:
      let writer = Writer(user: accounts.user(of: call), role: accounts.role(of: call))
      seeOrder(item, name, fate, during, writer, at: now)
    case .product:
      if products[name] != nil {
        products[name]!.wrote(item.record, fate, during: during)
      } else if let record = fate.record {
        products[name] = ProductFacts(record.fields, during: during)
        if !item.mayCreate { products[name]!.beganUnseen() }
      }
    case .partner: seePartner(item, name, fate, during)
    case .driver:
      if let record = fate.record, let user = record[Driver.user] { driverUsers[name] = user }
    case .deliveryCompletion:
      seeCompletion(item, name, fate, during, accounts.user(of: call), at: now)
    default: break
    }
  }

  private func knownType(_ name: RecordName) -> RecordType? {
    if orders[name] != nil { return .order }
    if products[name] != nil { return .product }
    if partners[name] != nil { return .partner }
    if orderOfCompletion[name] != nil { return .deliveryCompletion }
    return nil
  }

  private func seeOrder(
    _ item: Modification.Item, _ name: RecordName, _ fate: Fate, _ during: ClosedRange<Instant>,
    _ writer: Writer, at now: Instant
  ) {
    guard item.kind == .create else {
      if let record = fate.record { see(record, during: during, isWritten: true) }
      if case .unknown = fate {
        orders[name]?.isUncertain = true
        mayEnd(name, from: during.lowerBound)
      }
      wait(
        .step(
          Step(
            order: name, kind: item.kind, draft: item.record, during: during, fate: fate,
            user: writer.user, role: writer.role)), of: during, since: now)
      return
    }
    let isReplay = orders[name]?.created.map { $0.upperBound < during.lowerBound } ?? false
    var lines: [OrderLine]?
    if let items = item.record[Order.items] {
      lines = OrderLine.lines(parsing: items)
    }
    if fate.isPossible, !isReplay { reserve(lines ?? [], name, fate, during) }
    if case .unknown = fate, let partner = item.record[Order.partner] {
      unclearOrders[partner, default: 0] += 1
    }
    if let record = fate.record {
      see(record, during: during, isWritten: true)
      if orders[name]?.created == nil {
        orders[name]?.created = during
        orders[name]?.began = record.status
      }
    }
    wait(
      .placing(
        Placing(
          name: name, draft: item.record, lines: lines, during: during, fate: fate,
          isReplay: isReplay)), of: during, since: now)
  }

  private func reserve(
    _ lines: [OrderLine], _ order: RecordName, _ fate: Fate, _ during: ClosedRange<Instant>
  ) {
    for line in lines where products[line.productID]?.stock != nil {
      products[line.productID]!.stock!.reserve(
        line.quantity, for: order, during: during, isCertain: fate.record != nil,
        grace: rules.shortestLife)
    }
  }

  /// A write whose outcome nobody knows may have ended the order.
  private func mayEnd(_ name: RecordName, from start: Instant) {
    for line in orders[name]?.lines ?? [] where products[line.productID]?.stock != nil {
      products[line.productID]!.stock!.giveBack(name, from: start, until: .distantFuture)
    }
  }

  private func seePartner(
    _ item: Modification.Item, _ name: RecordName, _ fate: Fate, _ during: ClosedRange<Instant>
  ) {
    switch fate {
    case .done(let record):
      guard let terms = PartnerTerms(record.fields) else { return }
      if partners[name] == nil {
        partners[name] = PartnerFacts(
          owner: record.created.userRecordName, reviews: .init(rating: 0, count: 0))
      }
      partners[name]!.terms.note(terms, during: during)
    case .deleted:
      guard var gone = partners[name]?.terms.latest else { return }
      gone.exists = false
      partners[name]!.terms.note(gone, during: during)
    case .unknown:
      // What exactly was written is not known: from now on anything may be.
      partners[name]?.terms = Register()
    case .refused: break
    }
  }

  private func seeCompletion(
    _ item: Modification.Item, _ name: RecordName, _ fate: Fate, _ during: ClosedRange<Instant>,
    _ user: UserName?, at now: Instant
  ) {
    var order = fate.record?[DeliveryCompletion.order]
    if order == nil, let named = item.record[DriverOffer.order] { order = named }
    if order == nil {
      order = orderOfCompletion[name]
    }
    guard let order else { return }
    let write = CompletionWrite(
      name: name, order: order, isCreation: item.kind == .create, draft: item.record,
      during: during, fate: fate, user: user)
    if write.isCreation, fate.isPossible {
      completions[order, default: []].append(write)
      orderOfCompletion[name] = order
    } else if fate.isPossible {
      ratings[order, default: []].append(write)
      if orders[order] == nil { knowsRatedOrders = false }
    }
    wait(.completion(write), of: during, since: now)
  }
}

// MARK: - Control

extension MarketFacts {
  func commanded(_ command: Control, at moment: Moment) {
    let now = moment.time
    switch command {
    case .configure(let values):
      rules.configure(values, at: now)
      ripening.forgetKept()
    case .load(let fixture): load(fixture, at: now)
    default: break
    }
  }

  private func load(_ fixture: Fixture, at now: Instant) {
    for entry in fixture.records {
      switch entry.type {
      case .partner:
        guard let terms = PartnerTerms(entry.fields) else { continue }
        var facts = PartnerFacts(
          owner: entry.creator,
          reviews: .init(
            rating: entry.fields[Partner.rating] ?? 0,
            count: entry.fields[Partner.reviewCount] ?? 0))
        facts.terms.note(terms, during: now...now)
        partners[entry.name] = facts
      case .product: products[entry.name] = ProductFacts(entry.fields, during: now...now)
      case .driver: driverUsers[entry.name] = entry.creator
      case .order:
        let stamp = Stamp(now, by: entry.creator, on: nil)
        if let partner = entry.fields[Order.partner] {
          partnersWithPast.insert(partner)
        }
        orders[entry.name] = OrderFacts(
          CloudRecord(
            name: entry.name, type: .order, changeTag: "", zone: Zone(), fields: entry.fields,
            created: stamp, modified: stamp))
      default: break
      }
    }
  }
}
