import AsiaTravelPlanContract
import Contracts
import Observations
import Timekeeping

/// How many bookings there are, by staff record and stage: of those that nobody has touched lately without a look at each.
struct BookingCounts {
  /// All first, then by staff record; each by stage.
  private var rows: ContiguousArray<[Int]> = [Self.none]

  private static let none = [Int](repeating: 0, count: Booking.Stage.allCases.count)

  mutating func add(_ count: Int, _ staff: Int, _ stage: Booking.Stage) {
    let place = stage.place
    rows[0][place] += count
    guard staff >= 0 else { return }
    while rows.count <= staff + 1 { rows.append(Self.none) }
    rows[staff + 1][place] += count
  }

  /// - Parameter staff: `nil` for all bookings, whoever has them.
  func count(_ staff: Int?, _ stage: Booking.Stage?) -> Int {
    let row = staff.map { $0 + 1 } ?? 0
    guard rows.indices.contains(row) else { return 0 }
    return stage.map { rows[row][$0.place] } ?? rows[row].reduce(0, +)
  }
}

extension Booking.Stage {
  fileprivate var place: Int { Self.allCases.firstIndex(of: self)! }
}

/// What a list may show.
struct BookingFilter {
  var staff: Int?
  var owner: Int?
  var stage: Booking.Stage?
  var search: String?
}

extension AgencyChecks {
  /// Counts a booking as what was heard of it last.
  mutating func count(_ number: Int) {
    if let old = bookings[number].counted { counts.add(-1, old.staff, old.stage) }
    guard let stage = bookings[number].staged.latest?.stage else {
      bookings[number].counted = nil
      return
    }
    let record = bookings[number].staff.latest ?? nobody
    bookings[number].counted = (record, stage)
    counts.add(1, record, stage)
  }

  /// A booking was changed, or may have been.
  mutating func touch(_ number: Int) {
    bookings[number].touched = touched.count
    touched.append(number)
  }

  /// Forgets those that are certain again, and have been throughout all calls that are still to be judged.
  mutating func settleTouched(before instant: Instant) {
    guard touched.count > touchedAtMost else { return }
    var kept: ContiguousArray<Int> = []
    for (place, number) in touched.enumerated() where bookings[number].touched == place {
      if bookings[number].isSettled(by: instant) {
        bookings[number].touched = -1
      } else {
        bookings[number].touched = kept.count
        kept.append(number)
      }
    }
    touched = kept
    touchedAtMost = max(64, 2 * kept.count)
  }

  // MARK: Which bookings a list shows

  /// - Returns: `nil` where that is not certain.
  func fits(_ number: Int, _ filter: BookingFilter, during interval: ClosedRange<Instant>) -> Bool?
  {
    guard let exists = bookings[number].exists else { return nil }
    if exists.lowerBound > interval.upperBound { return false }
    var isCertain = exists.upperBound <= interval.lowerBound
    if let stage = filter.stage {
      switch bookings[number].staged.holds(during: interval, { $0.stage == stage }) {
      case false?: return false
      case nil: isCertain = false
      case true?: break
      }
    }
    for record in [filter.staff, filter.owner] {
      guard let record else { continue }
      switch bookings[number].staff.holds(during: interval, { $0 == record }) {
      case false?: return false
      case nil: isCertain = false
      case true?: break
      }
    }
    if let search = filter.search {
      switch holds(number, search, during: interval) {
      case false?: return false
      case nil: isCertain = false
      case true?: break
      }
    }
    return isCertain ? true : nil
  }

  /// What a search looks through (3.2).
  private func holds(_ number: Int, _ search: String, during interval: ClosedRange<Instant>)
    -> Bool?
  {
    guard let first = bookings[number].first,
      let record = bookings[number].staff.value(during: interval)
    else { return nil }
    let customer = customers.known(first.customerID).map { customers[$0] }
    guard customer?.isCertain(during: interval) ?? false else { return nil }
    let names = record == nobody ? [] : staff[record].names
    guard record == nobody || names.count == 1 else { return nil }
    let texts: [String?] = [
      first.id, first.destination, first.style, names.first, first.notes, customer?.name,
      customer?.email,
    ]
    let text = texts.map { $0 ?? "" }.joined(separator: " ").lowercased()
    return Array(text.utf8).holds(Array(search.utf8))
  }

  /// How many bookings a filter lets through, at least and at most; `nil` where counting them would take too long.
  func total(
    _ filter: BookingFilter, during interval: ClosedRange<Instant>
  ) -> ClosedRange<Int>? {
    var (certain, perhaps) = (0, 0)
    func weigh(_ number: Int) {
      switch fits(number, filter, during: interval) {
      case true?: certain += 1
      case nil: perhaps += 1
      case false?: break
      }
    }
    if filter.search == nil {
      let isNobodys = filter.staff != nil && filter.owner != nil && filter.staff != filter.owner
      certain = isNobodys ? 0 : counts.count(filter.staff ?? filter.owner, filter.stage)
      for (place, number) in touched.enumerated() where bookings[number].touched == place {
        if let counted = bookings[number].counted, filter.counts(counted) { certain -= 1 }
        weigh(number)
      }
    } else {
      guard bookings.indices.count <= 2_000 else { return nil }
      for number in bookings.indices { weigh(number) }
    }
    return certain...(certain + perhaps + perhapsBookings.count(by: interval.upperBound))
  }
}

extension BookingFilter {
  fileprivate func counts(_ counted: (staff: Int, stage: Booking.Stage)) -> Bool {
    (stage == nil || counted.stage == stage) && (staff == nil || counted.staff == staff)
      && (owner == nil || counted.staff == owner)
  }
}

extension BookingFacts {
  fileprivate func isSettled(by instant: Instant) -> Bool {
    let at = instant...instant
    guard let exists, exists.upperBound <= instant, let last = staff.value(during: at),
      let staged = staged.value(during: at)
    else { return false }
    return staff.latest == last && self.staged.latest == staged
      && (lastWrite?.end ?? .distantPast) <= instant
  }
}
