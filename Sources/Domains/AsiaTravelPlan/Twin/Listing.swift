import AsiaTravelPlanContract
import Contracts
import Timekeeping

/// Lists of bookings and what a booking shows (OP-02, OP-03, OP-06, OP-08).
extension AgencyTwin {
  static let ofReading = RulesOfFile<AsiaTravelPlan.Rule>(
    .atp05, .atp34, .atp85, .atp92, .atp93, .atp94, .atp96)

  /// The number of a booking that is there.
  func booking(_ id: String) throws(AsiaTravelPlan.Refusal) -> Int {
    try require(bookings.known(id), or: rules.binds(.atp93) ? .bookingNotFound : .forbidden)
  }

  /// Of a booking that the caller may read.
  private func booking(
    _ id: String, _ right: AsiaTravelPlan.Right, for caller: Principal?
  ) throws(AsiaTravelPlan.Refusal) -> Int {
    let number = try booking(id)
    try require(allows(right, caller, booking: number), or: .forbidden)
    return number
  }

  mutating func list(
    _ asked: BookingQuery, for caller: Principal?
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    try require(allows(.list, caller), or: .forbidden)
    let extent = PageExtent(page: asked.page, size: asked.pageSize)
    let filters = BookingList.Filters(
      stage: asked.stage.flatMap { Booking.Stage(said: $0) },
      ownerID: asked.ownerID.flatMap { $0.isEmpty ? nil : $0 },
      search: asked.search.map { $0.trimmed.lowercased() }.flatMap { $0.isEmpty ? nil : $0 })
    let sort = asked.sort.flatMap { $0.isEmpty ? nil : $0 } ?? BookingOrder.newest.rawValue
    let order =
      rules.binds(.atp92) ? BookingOrder(rawValue: sort) ?? .newest : BookingOrder.oldest
    let found = page(filters, order, extent, sight(of: caller))
    work.rowsRead += found.numbers.count
    var shown: [Booking] = []
    shown.reserveCapacity(found.numbers.count)
    // A closure would copy the twin for each of them.
    for number in found.numbers { shown.append(self.shown(bookings[number].booking)) }
    return .bookings(
      BookingList(Paged(shown, of: found.total, extent), filters: filters, sort: sort))
  }

  /// Of the bookings in sight that pass the filters.
  private func page(
    _ filters: BookingList.Filters, _ order: BookingOrder, _ extent: PageExtent, _ sight: Sight?
  ) -> (numbers: [Int], total: Int) {
    var part = BookingStore.Part.all
    switch sight {
    case nil: return ([], 0)
    case .all?: part = filters.ownerID.map { .staff($0) } ?? .all
    case .of(let id)?:
      guard filters.ownerID == nil || filters.ownerID == id else { return ([], 0) }
      part = .staff(id)
    }
    var stage = filters.stage
    if part == .all, let wanted = stage { (part, stage) = (.stage(wanted), nil) }
    return bookings.page(
      of: part, in: order, extent, stage: stage, holding: filters.search.map { Array($0.utf8) })
  }

  func detail(
    _ id: String, for caller: Principal?, at now: Instant
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    let (booking, timeline) = seen(try self.booking(id, .detail, for: caller), by: caller, at: now)
    var shown = self.shown(booking)
    shown.activities = self.shown(timeline)
    return .booking(
      BookingDetail(booking: shown, customer: customers.customer(booking.customerID)))
  }

  func timeline(
    _ id: String, for caller: Principal?, at now: Instant
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    let number = try booking(id, .activities, for: caller)
    return .activities(shown(seen(number, by: caller, at: now).timeline))
  }

  func invoices(
    _ id: String, for caller: Principal?
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    let invoices = bookings[try booking(id, .invoices, for: caller)].invoices
    // Latest change first; of equal ones the one that came first.
    let byChange = invoices.enumerated().sorted {
      let (a, b) = ($0.element.updatedAt ?? .distantPast, $1.element.updatedAt ?? .distantPast)
      return a != b ? a > b : $0.offset < $1.offset
    }.map(\.element)
    return .invoices(rules.binds(.atp94) ? byChange : byChange.reversed())
  }

  // MARK: What is shown

  /// A booking as answers hold it.
  func shown(_ booking: Booking) -> Booking {
    guard deployment.usesHashes else { return booking }
    var booking = booking
    booking.bookingHash = hash(of: booking)
    return booking
  }

  private func shown(_ timeline: [Activity]) -> [Activity] {
    guard rules.binds(.atp34) else { return [] }
    return rules.binds(.atp85) ? timeline : timeline.reversed()
  }

  /// What a caller sees of a booking: as it is, unless writes are not seen at once.
  private func seen(
    _ number: Int, by caller: Principal?, at now: Instant
  ) -> (booking: Booking, timeline: [Activity]) {
    if let before = unseen[number], now < before.until,
      !rules.binds(.atp96) || before.writer != caller?.sub
    {
      return (before.booking, before.timeline)
    }
    return (bookings[number].booking, bookings[number].timeline)
  }

  // MARK: Searching

  /// What a search of bookings looks through (3.2).
  mutating func describe(_ number: Int) {
    let booking = bookings[number].booking
    let customer = customers.customer(booking.customerID)
    let texts = [
      booking.id, booking.destination, booking.style, booking.staffName, booking.notes,
      customer?.name, customer?.email,
    ]
    bookings.setText(
      number, Array(texts.map { $0 ?? "" }.joined(separator: " ").lowercased().utf8))
  }
}
