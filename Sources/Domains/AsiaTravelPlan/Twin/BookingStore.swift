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

/// The bookings, and the orders in which lists show them: kept up by each write, so that no list has to sort.
struct BookingStore: Sendable {
  /// Which bookings an order holds: a list looks through the fewest.
  enum Part: Hashable, Sendable {
    case all
    case stage(Booking.Stage)
    case staff(String)
  }

  private var rows = Rows<String, BookingRow> { BookingRow() }
  private var orders: [Part: Orders] = [:]
  private(set) var byIdempotencyKey: [String: Int] = [:]

  var indices: Range<Int> { rows.indices }
  func known(_ id: String) -> Int? { rows.known(id) }
  subscript(number: Int) -> BookingRow { _read { yield rows[number] } }

  // MARK: Writing

  mutating func insert(_ booking: Booking, _ timeline: [Activity]) -> Int {
    let number = add(booking, timeline)
    for part in Self.parts(of: booking) {
      orders[part, default: Orders()].insert(number, booking)
    }
    return number
  }

  /// Many at once, each of which is new: every part is sorted once.
  /// - Returns: Their numbers.
  mutating func insert(_ all: [(booking: Booking, timeline: [Activity])]) -> [Int] {
    let numbers = all.map { add($0.booking, $0.timeline) }
    var parts: [Part] = []
    var places: [Part: Int] = [:]
    var members: [[Int]] = []
    for (booking, number) in zip(all.lazy.map(\.booking), numbers) {
      for part in Self.parts(of: booking) {
        if let place = places[part] {
          members[place].append(number)
        } else {
          places[part] = parts.count
          parts.append(part)
          members.append([number])
        }
      }
    }
    for (part, numbers) in zip(parts, members) {
      orders[part, default: Orders()].insert(numbers.map { ($0, rows[$0].booking) })
    }
    return numbers
  }

  private mutating func add(_ booking: Booking, _ timeline: [Activity]) -> Int {
    let number = rows.number(of: booking.id)
    rows[number].booking = booking
    rows[number].timeline = timeline
    if let key = booking.idempotencyKey, byIdempotencyKey[key] == nil {
      byIdempotencyKey[key] = number
    }
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

  private mutating func move(_ number: Int, from before: Booking) {
    let after = rows[number].booking
    let (old, new) = (Self.parts(of: before), Self.parts(of: after))
    for part in old where !new.contains(part) { orders[part]?.remove(number, before) }
    for part in new {
      if old.contains(part) {
        orders[part]?.move(number, from: before, to: after)
      } else {
        orders[part, default: Orders()].insert(number, after)
      }
    }
  }

  // MARK: Reading

  /// A page of a part, and how many it has.
  /// - Parameters:
  ///   - stage: Which of the part's bookings are meant; `nil` for all.
  ///   - text: What they must hold; `nil` for anything.
  func page(
    of part: Part, in order: BookingOrder, _ extent: PageExtent, stage: Booking.Stage?,
    holding text: [UInt8]?
  ) -> (numbers: [Int], total: Int) {
    guard let sorted = orders[part]?[order] else { return ([], 0) }
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

/// Some bookings in each order of a list.
private struct Orders: Sendable {
  private var sorted = BookingOrder.allCases.map { _ in SortedNumbers() }

  subscript(order: BookingOrder) -> SortedNumbers {
    sorted[BookingOrder.allCases.firstIndex(of: order)!]
  }

  mutating func insert(_ number: Int, _ booking: Booking) {
    for (place, order) in BookingOrder.allCases.enumerated() {
      sorted[place].insert(order.entry(number, booking))
    }
  }

  mutating func insert(_ bookings: [(number: Int, booking: Booking)]) {
    for (place, order) in BookingOrder.allCases.enumerated() {
      sorted[place].insert(bookings.map { order.entry($0.number, $0.booking) })
    }
  }

  mutating func remove(_ number: Int, _ booking: Booking) {
    for (place, order) in BookingOrder.allCases.enumerated() {
      sorted[place].remove(order.entry(number, booking))
    }
  }

  mutating func move(_ number: Int, from before: Booking, to after: Booking) {
    for (place, order) in BookingOrder.allCases.enumerated() {
      let (from, to) = (order.entry(number, before), order.entry(number, after))
      guard from != to else { continue }
      sorted[place].remove(from)
      sorted[place].insert(to)
    }
  }
}

extension BookingOrder {
  fileprivate func entry(_ number: Int, _ booking: Booking) -> SortedNumbers.Entry {
    let key =
      switch self {
      case .newest: -booking.createdAt.nanoseconds
      case .oldest: booking.createdAt.nanoseconds
      case .latestChange: -booking.updatedAt.nanoseconds
      case .earliestDue: booking.slaDueAt?.nanoseconds ?? .max
      case .latestDue: booking.slaDueAt.map { -$0.nanoseconds } ?? .max
      }
    return SortedNumbers.Entry(key: key, number: number)
  }
}
