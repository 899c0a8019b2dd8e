import AsiaTravelPlanContract
import Contracts
import Testing
import Timekeeping

@testable import AsiaTravelPlanTwin

@Suite struct `A list of bookings` {
  /// Sixty more, in an agency that has three: every second one of ada's.
  private static func office(without rules: [AsiaTravelPlan.Rule] = []) throws -> Office {
    var office = try Office(without: rules)
    try office.tell(
      .load(
        Fixture(
          bookings: (0..<60).map { number in
            let isHers = number % 2 == 0
            return Office.booking(
              "booking_\(number)", isHers ? "staff_a" : nil, isHers ? "Ada Alpha" : nil,
              // Two of each minute: equal keys.
              at: 100 + Int64(number / 2), Booking.Stage.allCases[number % 9])
          })))
    return office
  }

  private static func numbers(_ list: BookingList) -> [String] {
    list.page.items.map { String($0.id.dropFirst("booking_".count)) }
  }

  @Test func `has the size, the page and the pages that are asked for (3.2)`() throws {
    var office = try Self.office()
    let cases: [(page: Int?, size: Int?, items: Int, BookingQueryEcho)] = [
      (nil, nil, 25, .init(1, 25, 3)), (1, 20, 20, .init(1, 20, 4)), (4, 20, 3, .init(4, 20, 4)),
      (5, 20, 0, .init(5, 20, 4)), (0, 0, 25, .init(1, 25, 3)), (-3, -3, 1, .init(1, 1, 63)),
      (1, 1_000, 63, .init(1, 100, 1)), (1_000_000, 100, 0, .init(100_000, 100, 1)),
    ]
    for (page, size, items, echo) in cases {
      let list = try office.list(BookingQuery(page: page, pageSize: size))
      #expect(list.page.items.count == items && list.page.total == 63)
      #expect(
        BookingQueryEcho(list.page.page, list.page.pageSize, list.page.totalPages) == echo,
        "\(String(describing: page)), \(String(describing: size))")
    }
    let empty = try office.list(BookingQuery(ownerID: "visitor"))
    #expect(empty.page.total == 0 && empty.page.totalPages == 1)
  }

  struct BookingQueryEcho: Equatable {
    let page: Int
    let size: Int
    let pages: Int

    init(_ page: Int, _ size: Int, _ pages: Int) {
      (self.page, self.size, self.pages) = (page, size, pages)
    }
  }

  @Test func `reads its query leniently, the first of a repeated parameter (3.2, O-06)`() {
    let cases: [(String, BookingQuery)] = [
      ("page=2&page=3", BookingQuery(page: 2)), ("page=x&page_size=1.5", BookingQuery()),
      ("page=-1&page_size=0", BookingQuery(page: -1, pageSize: 0)),
      ("page=&stage=", BookingQuery(stage: "")), ("staff=a&owner_id=b", BookingQuery(ownerID: "b")),
      ("search=a+b%20c&sort=x", BookingQuery(search: "a b c", sort: "x")),
    ]
    for (query, asked) in cases {
      let wire = WireRequest("GET", "/api/v1/bookings?" + query)
      #expect(AsiaTravelPlan.read(wire).request == .bookings(asked), "\(query)")
    }
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp92])
  func `comes in the order that is asked for, equal keys as inserted (ATP-92)`(
    rule: AsiaTravelPlan.Rule?
  ) throws {
    var office = try Self.office(without: rule.map { [$0] } ?? [])
    // Of the last of created minutes: 58 and 59, in this order in both directions.
    let newest = try office.list(BookingQuery(pageSize: 4, sort: "created_at_desc"))
    let oldest = try office.list(BookingQuery(pageSize: 5, sort: "created_at_asc"))
    let first = ["a", "b", "c", "0"]
    #expect(Self.numbers(newest) == (rule == nil ? ["58", "59", "56", "57"] : first))
    #expect(Self.numbers(oldest) == first + ["1"])
    guard rule == nil else { return }

    office.wait(.minutes(1))
    _ = try office.ask(.addActivity(.note("x", on: "booking_7")), as: "mia")
    office.wait(.minutes(1))
    _ = try office.ask(.changeStage(StageChange("booking_31", to: .new)), as: "mia")
    let changed = try office.list(BookingQuery(pageSize: 3, sort: "updated_at_desc"))
    #expect(Self.numbers(changed) == ["31", "7", "58"])

    let earliest = try office.list(BookingQuery(pageSize: 100, sort: "sla_due_at_asc"))
    let latest = try office.list(BookingQuery(pageSize: 100, sort: "sla_due_at_desc"))
    let due = earliest.page.items.compactMap(\.slaDueAt)
    #expect(
      due == due.sorted() && earliest.page.items.prefix(due.count).allSatisfy { $0.slaDueAt != nil }
    )
    #expect(latest.page.items.compactMap(\.slaDueAt) == due.sorted(by: >))
    #expect(latest.page.items.prefix(due.count).allSatisfy { $0.slaDueAt != nil })
    #expect(due.count < 63)

    let odd = try office.list(BookingQuery(pageSize: 4, sort: "by luck"))
    #expect(odd.sort == "by luck" && Self.numbers(odd) == Self.numbers(newest))
    #expect(try office.list(BookingQuery()).sort == "created_at_desc")
  }

  @Test func `has its pages tile it`() throws {
    var office = try Self.office()
    for order in BookingOrder.allCases {
      for user in ["alma", "ada"] {
        let total = user == "alma" ? 63 : 31
        let all = try (1...11).flatMap { page in
          Self.numbers(
            try office.list(BookingQuery(page: page, pageSize: 7, sort: order.rawValue), as: user))
        }
        #expect(all.count == total && Set(all).count == total, "\(order), \(user)")
      }
    }
  }

  @Test func `is filtered by stage, record and search together (3.2)`() throws {
    var office = try Self.office()
    let won = try office.list(BookingQuery(pageSize: 100, stage: " won "))
    #expect(won.page.total == 6 + 1 && won.filters == .init(stage: .won))
    let hers = try office.list(BookingQuery(pageSize: 100, stage: "WON", ownerID: "staff_a"))
    #expect(hers.page.items.allSatisfy { $0.stage == .won && $0.staff == "staff_a" })
    #expect(hers.page.total == 3 && hers.filters == .init(stage: .won, ownerID: "staff_a"))
    let unknown = try office.list(BookingQuery(stage: "unknown"))
    #expect(unknown.page.total == 63 && unknown.filters == .init())
    // Two neighbouring fields: the destination's end and the style's beginning.
    let found = try office.list(BookingQuery(ownerID: "staff_a", search: "  AOS foo "))
    #expect(found.page.total == 31 && found.filters?.search == "aos foo")
    for (text, total) in [
      ("booking_59", 1), ("ada alpha", 31), ("grace@example", 63), ("hopper grace", 63),
      ("2026-11", 0), ("none grace", 63),
    ] {
      #expect(try office.list(BookingQuery(search: text)).page.total == total, "\(text)")
    }
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp36])
  func `shows and counts only their own for field staff (ATP-36)`(rule: AsiaTravelPlan.Rule?) throws
  {
    var office = try Self.office(without: rule.map { [$0] } ?? [])
    let whole = rule == nil ? 31 : 63
    #expect(try office.list(BookingQuery(), as: "ada").page.total == whole)
    #expect(try office.list(BookingQuery(search: "laos"), as: "ada").page.total == whole)
    #expect(
      try office.list(BookingQuery(ownerID: "staff_b"), as: "ada").page.total
        == (rule == nil ? 0 : 1))
    #expect(try office.list(BookingQuery(ownerID: "staff_a"), as: "ada").page.total == 31)
    let shown = try office.list(BookingQuery(pageSize: 100), as: "ada").page.items
    #expect(shown.allSatisfy { $0.staff == "staff_a" } == (rule == nil))
  }

  @Test func `is the same as a plain sort of whatever was written (ATP-92)`() {
    let seed: UInt64 = 27
    var stream = RandomStream(seed: seed, owner: 0, purpose: 0)
    var store = BookingStore()
    var plain: [Booking] = []
    for step in 0..<3_000 {
      let isNew = plain.isEmpty || stream.chance(0.4)
      let (time, staff) = (
        Instant(unixSeconds: Int64(stream.pick(0..<200))), "staff_\(stream.pick(0..<4))"
      )
      let stage = Booking.Stage.allCases[stream.pick(0..<9)]
      if isNew {
        // One in fifty times many come at once.
        let count = stream.chance(0.02) ? stream.pick(2..<200) : 1
        var bookings: [Booking] = []
        for number in 0..<count {
          var booking = Booking(
            id: "b\(step)-\(number)", customerID: "c", stage: stage, createdAt: time,
            updatedAt: time)
          if number % 3 == 0 { booking.assign(staff, nil) }
          booking.createdAt = time - Span.seconds(Int64(number % 7))
          if number % 2 == 1 { booking.slaDueAt = time + Span.seconds(Int64(number)) }
          bookings.append(booking)
        }
        plain += bookings
        if bookings.count > 1 {
          let numbers = store.insert(bookings.map { ($0, []) })
          #expect(numbers == Array(plain.indices.suffix(bookings.count)))
        } else {
          _ = store.insert(bookings[0], [])
        }
      } else {
        let number = stream.pick(0..<plain.count)
        plain[number].stage = stage
        plain[number].staff = stream.chance(0.2) ? nil : staff
        plain[number].updatedAt = time
        plain[number].slaDueAt = stream.chance(0.3) ? nil : time
        let changed = plain[number]
        store.change(number) { $0.booking = changed }
      }
      guard step % 50 == 0 else { continue }
      let order = BookingOrder.allCases[stream.pick(0..<5)]
      let extent = PageExtent(page: stream.pick(1..<5), size: stream.pick(1..<40))
      for part in [.all, .stage(stage), .staff(staff)] as [BookingStore.Part] {
        let expected = plain.indices.filter { part.holds(plain[$0]) }.sorted {
          let (a, b) = (order.key(plain[$0]), order.key(plain[$1]))
          return a != b ? a < b : $0 < $1
        }
        let found = store.page(of: part, in: order, extent, stage: nil, holding: nil)
        #expect(found.total == expected.count, "seed \(seed), step \(step), \(part), \(order)")
        #expect(
          found.numbers == Array(expected.dropFirst(extent.offset).prefix(extent.size)),
          "seed \(seed), step \(step), \(part), \(order)")
      }
    }
  }
}

extension BookingStore.Part {
  fileprivate func holds(_ booking: Booking) -> Bool {
    switch self {
    case .all: true
    case .stage(let stage): booking.stage == stage
    case .staff(let id): booking.staff == id
    }
  }
}

extension BookingOrder {
  /// Ascending in each order.
  fileprivate func key(_ booking: Booking) -> Int64 {
    switch self {
    case .newest: -booking.createdAt.nanoseconds
    case .oldest: booking.createdAt.nanoseconds
    case .latestChange: -booking.updatedAt.nanoseconds
    case .earliestDue: booking.slaDueAt?.nanoseconds ?? .max
    case .latestDue: booking.slaDueAt.map { -$0.nanoseconds } ?? .max
    }
  }
}
