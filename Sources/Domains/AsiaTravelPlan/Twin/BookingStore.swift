import AsiaTravelPlanContract
import Contracts
import Timekeeping

/// A booking with what belongs to it.
struct BookingRow: Sendable {
  /// Without its timeline.
  var booking = Booking(id: "", customerID: "", createdAt: .distantPast, updatedAt: .distantPast)
  /// Oldest first.
  var timeline: [Activity] = []
  var invoices: [Invoice] = []
  /// What a search looks through (3.2), in lower case.
  var text: [UInt8] = []
}

/// The bookings, and the orders in which lists show them.
struct BookingStore: Sendable {
  /// Which bookings an order holds: a list looks through the fewest.
  enum Part: Hashable, Sendable {
    case all
    case stage(Booking.Stage)
    case staff(String)
  }

  private var rows = Rows<String, BookingRow> { BookingRow() }
  /// By part, in the order of `BookingOrder.allCases`; `nil` until it is asked for, but for the first.
  private var orders: [Part: [SortedNumbers?]] = [:]
  private(set) var byIdempotencyKey: [String: Int] = [:]

  var indices: Range<Int> { rows.indices }
  func known(_ id: String) -> Int? { rows.known(id) }
  subscript(number: Int) -> BookingRow { _read { yield rows[number] } }

  // MARK: Writing

  mutating func insert(_ booking: Booking, _ timeline: [Activity]) -> Int {
    let number = rows.number(of: booking.id)
    rows[number].booking = booking
    rows[number].timeline = timeline
    if let key = booking.idempotencyKey, byIdempotencyKey[key] == nil {
      byIdempotencyKey[key] = number
    }
    for part in Self.parts(of: booking) { insert(number, into: part) }
    return number
  }

  mutating func change(_ number: Int, _ body: (inout BookingRow) -> Void) {
    let before = rows[number].booking
    body(&rows[number])
    move(number, from: before)
  }

  mutating func setText(_ number: Int, _ text: [UInt8]) { rows[number].text = text }

  private static func parts(of booking: Booking) -> [Part] {
    [.all, .stage(booking.stage)] + (booking.staff.map { [.staff($0)] } ?? [])
  }

  private static func entry(_ number: Int, _ booking: Booking, _ order: BookingOrder)
    -> SortedNumbers.Entry
  {
    let key =
      switch order {
      case .newest: -booking.createdAt.nanoseconds
      case .oldest: booking.createdAt.nanoseconds
      case .latestChange: -booking.updatedAt.nanoseconds
      case .earliestDue: booking.slaDueAt?.nanoseconds ?? .max
      case .latestDue: booking.slaDueAt.map { -$0.nanoseconds } ?? .max
      }
    return SortedNumbers.Entry(key: key, number: number)
  }

  private mutating func insert(_ number: Int, into part: Part) {
    let booking = rows[number].booking
    for (index, order) in BookingOrder.allCases.enumerated()
    where index == 0 || orders[part]?[index] != nil {
      let entry = Self.entry(number, booking, order)
      if orders[part]?[index]?.insert(entry) != nil { continue }
      orders[part, default: Self.none][index] = SortedNumbers([entry])
    }
  }

  private mutating func remove(_ number: Int, _ before: Booking, from part: Part) {
    for (index, order) in BookingOrder.allCases.enumerated() {
      orders[part]?[index]?.remove(Self.entry(number, before, order))
    }
  }

  private mutating func move(_ number: Int, from before: Booking) {
    let after = rows[number].booking
    let (old, new) = (Self.parts(of: before), Self.parts(of: after))
    for part in old where !new.contains(part) { remove(number, before, from: part) }
    for part in new where !old.contains(part) { insert(number, into: part) }
    for (index, order) in BookingOrder.allCases.enumerated() {
      let (from, to) = (Self.entry(number, before, order), Self.entry(number, after, order))
      guard from != to else { continue }
      for part in new where old.contains(part) && orders[part]?[index] != nil {
        orders[part]?[index]?.remove(from)
        orders[part]?[index]?.insert(to)
      }
    }
  }

  private static let none = [SortedNumbers?](repeating: nil, count: BookingOrder.allCases.count)

  // MARK: Reading

  /// A page of a part, and how many it has.
  /// - Parameters:
  ///   - stage: Which of the part's bookings are meant; `nil` for all.
  ///   - text: What they must hold; `nil` for anything.
  mutating func page(
    of part: Part, in order: BookingOrder, _ extent: PageExtent, stage: Booking.Stage?,
    holding text: [UInt8]?
  ) -> (numbers: [Int], total: Int) {
    let index = BookingOrder.allCases.firstIndex(of: order)!
    guard let whole = orders[part]?[0] else { return ([], 0) }
    if orders[part]?[index] == nil {
      var entries: [SortedNumbers.Entry] = []
      entries.reserveCapacity(whole.count)
      whole.visit { entries.append(Self.entry($0, rows[$0].booking, order)) }
      orders[part]?[index] = SortedNumbers(entries)
    }
    let sorted = orders[part]?[index] ?? whole
    guard stage != nil || text != nil else {
      return (sorted.page(from: extent.offset, count: extent.size), sorted.count)
    }
    var (page, total) = ([Int](), 0)
    sorted.visit { number in
      guard stage == nil || rows[number].booking.stage == stage,
        text.map({ rows[number].text.holds($0) }) ?? true
      else { return }
      if total >= extent.offset, page.count < extent.size { page.append(number) }
      total += 1
    }
    return (page, total)
  }
}
