import AsiaTravelPlanContract
import Contracts
import Observations
import Timekeeping

/// Lists of bookings, in both directions: what they must show is missed when it is absent (ATP-36, ATP-92).
extension AgencyChecks {
  static let listingRules: [JudgedRule<AsiaTravelPlan>] = [
    JudgedRule(.atp36, everything), JudgedRule(.atp92, everything),
  ]

  @inline(never)
  mutating func judgeList(_ query: BookingQuery, _ asked: Asked) {
    guard let list = asked.reply?.bookings else { return }
    let page = list.page
    for booking in page.items { see(booking, by: asked.look) }
    let extent = PageExtent(page: query.page, size: query.pageSize)
    let sort = query.sort.flatMap { $0.isEmpty ? nil : $0 } ?? BookingOrder.newest.rawValue
    let order = BookingOrder(rawValue: sort) ?? .newest
    expect(
      .atp92,
      page.page == extent.page && page.pageSize == extent.size
        && page.totalPages == extent.pages(of: page.total)
        && page.items.count == max(0, min(extent.size, page.total - extent.offset)),
      "page \(page.page) of \(page.totalPages) of \(page.total) bookings has \(page.items.count), asked for page \(extent.page) by \(extent.size)"
    )
    expect(.atp92, order.isKept(by: page.items), "a list is not in the order of \(sort)")
    judgeEcho(query, sort, list)
    guard let caller = asked.caller, acceptance(of: asked) == .yes,
      let filter = filter(query, asked, caller)
    else { return }
    judgeShown(page, filter, asked)
    guard isLoaded else { return }
    judgeTotal(page.total, filter, asked)
    guard order == .newest || order == .oldest else { return }
    if order == .newest, extent.page == 1 {
      judgeNewest(page.items, filter, extent, asked)
    } else {
      judgePlaces(page.items, order, filter, extent, asked)
    }
  }

  private func judgeEcho(_ query: BookingQuery, _ sort: String, _ list: BookingList) {
    if let shown = list.sort { expect(.atp92, shown == sort, "a list says that it is by \(shown)") }
    guard let shown = list.filters else { return }
    expect(
      .atp92,
      shown.stage == query.stage.flatMap { Booking.Stage(said: $0) }
        && shown.ownerID == query.ownerID.flatMap { $0.isEmpty ? nil : $0 }
        && shown.search == query.search?.trimmed.lowercased().orNil,
      "a list says that it has other filters than those that were asked for")
  }

  /// `nil` where it is not certain what the caller may see.
  private func filter(
    _ query: BookingQuery, _ asked: Asked, _ caller: CallerFacts
  ) -> BookingFilter? {
    var filter = BookingFilter()
    if caller.roles == [.staff] {
      guard case .to(let record) = mapping(of: caller, during: asked.during) else { return nil }
      filter.staff = record
    }
    if let owner = query.ownerID.orNil { filter.owner = staff.known(owner) ?? somebody }
    filter.stage = query.stage.flatMap { Booking.Stage(said: $0) }
    filter.search = query.search?.trimmed.lowercased().orNil
    return filter
  }

  private func judgeShown(_ page: Paged<Booking>, _ filter: BookingFilter, _ asked: Asked) {
    if let own = filter.staff {
      let foreign = page.items.first { $0.staff != staff.names[own] }
      expect(
        .atp36, foreign == nil,
        "\(staff.names[own]) is shown \(foreign?.id ?? ""), which \(foreign?.staff ?? "nobody") has"
      )
    }
    let wrong = page.items.first { booking in
      filter.stage.map { booking.stage != $0 } ?? false
        || filter.owner.map { booking.staff != ($0 >= 0 ? staff.names[$0] : "") } ?? false
    }
    expect(.atp92, wrong == nil, "\(wrong?.id ?? "") is listed, and is none of those asked for")
    if filter.search != nil {
      let strange = page.items.first {
        bookings.known($0.id).map { fits($0, filter, during: asked.during) == false } ?? false
      }
      expect(.atp92, strange == nil, "\(strange?.id ?? "") is found by what it does not hold")
    }
  }

  private func judgeTotal(_ total: Int, _ filter: BookingFilter, _ asked: Asked) {
    guard let range = self.total(filter, during: asked.during) else { return }
    let what =
      "a list has \(total) bookings, and there are \(range.lowerBound) to \(range.upperBound)"
    expect(.atp92, range.contains(total), what)
    if filter.staff != nil { expect(.atp36, total <= range.upperBound, what) }
  }

  /// Of the newest bookings none is left out.
  private func judgeNewest(
    _ items: [Booking], _ filter: BookingFilter, _ extent: PageExtent, _ asked: Asked
  ) {
    var (looked, place, missing) = (0, 0, nobody)
    for number in newest.reversed() {
      looked += 1
      guard looked <= 2 * extent.size, missing == nobody, let first = bookings[number].first else {
        break
      }
      if items.count == extent.size, let last = items.last,
        first.createdAt <= last.createdAt
      {
        continue
      }
      if place < items.count, items[place].id == bookings.names[number] {
        place += 1
      } else if fits(number, filter, during: asked.during) == true,
        !items.contains(where: { $0.id == bookings.names[number] })
      {
        missing = number
      }
    }
    expect(
      .atp92, missing == nobody,
      "\(bookings.names[missing]) is missing from a list of the newest")
  }
}

extension AgencyChecks {
  /// How far into a list its places are counted.
  private static let mostPlaces = 300

  /// The first and the last of a page stand where they must: as many others come before them as there are.
  private func judgePlaces(
    _ items: [Booking], _ order: BookingOrder, _ filter: BookingFilter, _ extent: PageExtent,
    _ asked: Asked
  ) {
    guard let first = items.first, let last = items.last,
      extent.offset + items.count <= Self.mostPlaces
    else { return }
    expect(
      .atp92, Set(items.map(\.id)).count == items.count, "a page shows a booking more than once")
    for (place, booking) in [(0, first), (items.count - 1, last)] {
      let before = before(booking, order, filter, asked)
      expect(
        .atp92, before.contains(extent.offset + place),
        "\(booking.id) is number \(extent.offset + place + 1) of a list, and \(before.lowerBound) to \(before.upperBound) come before it"
      )
    }
  }

  /// How many bookings come before one in the order of their making, at least and at most.
  private func before(
    _ booking: Booking, _ order: BookingOrder, _ filter: BookingFilter, _ asked: Asked
  ) -> ClosedRange<Int> {
    let at = booking.createdAt
    var (certain, possible) = (0, perhapsBookings.count(by: asked.call.answered) + unordered)
    for place in newest.indices {
      let number = newest[order == .newest ? newest.count - 1 - place : place]
      guard let known = bookings[number].first, known.id != booking.id else { continue }
      // Of one that nobody has seen only when it was asked for is known.
      let latest =
        bookings[number].isUnseenTrip
        ? (bookings[number].exists?.upperBound ?? .distantFuture) + .minutes(1) : known.createdAt
      let isEarlier = order == .newest ? known.createdAt > at : latest < at
      let isLater = order == .newest ? latest < at : known.createdAt > at
      // They are known nearly in that order.
      if isLater, abs((known.createdAt - at).seconds) > 600 { break }
      if isLater { continue }
      switch fits(number, filter, during: asked.during) {
      case true? where isEarlier: certain += 1
      case false?: break
      default: possible += 1
      }
    }
    return certain...(certain + possible)
  }
}

extension BookingOrder {
  fileprivate func isKept(by items: [Booking]) -> Bool {
    zip(items, items.dropFirst()).allSatisfy { a, b in
      switch self {
      case .newest: a.createdAt >= b.createdAt
      case .oldest: a.createdAt <= b.createdAt
      case .latestChange: a.updatedAt >= b.updatedAt
      case .earliestDue: a.slaDueAt ?? .distantFuture <= b.slaDueAt ?? .distantFuture
      case .latestDue: a.slaDueAt ?? .distantPast >= b.slaDueAt ?? .distantPast
      }
    }
  }
}

extension String {
  fileprivate var orNil: String? { isEmpty ? nil : self }
}

extension String? {
  fileprivate var orNil: String? { flatMap(\.orNil) }
}
