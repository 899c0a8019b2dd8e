import AsiaTravelPlanContract
import Contracts
import Timekeeping

/// One agency before the run: its records, the provider's users, and the people (5.9).
public struct Agency {
  /// What the operator says first.
  public private(set) var commands: [AsiaTravelPlan.Request] = []
  public private(set) var apps: [UserSeed] = []
  public private(set) var desks: [UserSeed] = []
  public private(set) var corner: Corner?
  /// What the operator does while the adversary is at work.
  public private(set) var calendar: [(at: Instant, command: AsiaTravelPlan.Request)] = []
  public let habits: AgencyHabits

  /// - Parameter adversaries: Whether there is one.
  public init(
    population: Settings, parameters: Settings, quirks: Set<String>,
    rules: Rules<AsiaTravelPlan.Rule>, adversaries: Double, tokens: any TokenCodec,
    starts: Instant, ends: Instant, drawing stream: inout RandomStream
  ) {
    habits = AgencyHabits(parameters, rules, quirks: quirks, tokens)
    if let decided = AsiaTravelPlan.Deployment.adjustment(parameters) {
      commands.append(.configure(decided))
    }
    for difference in AsiaTravelPlan.Difference.allCases
    where quirks.contains(difference.rawValue) {
      commands.append(.setDifference(.init(difference, isOn: true)))
    }
    let oldApps = parameters.share("oldApps")
    let groups: [(name: String, count: String, role: Role?)] = [
      ("staff", "staff", .staff), ("manager", "managers", .manager),
      ("accountant", "accountants", .accountant), ("admin", "administrators", .admin),
      ("outsider", "outsiders", nil),
    ]
    for (name, count, role) in groups {
      for number in stride(from: 1, through: population.count(count), by: 1) {
        let account = Account(
          username: "\(name)-\(number)", password: "\(stream.next())",
          roles: role.map { [$0.rawValue] } ?? ["atp_guest"], realm: habits.deployment.realm)
        let isOld = stream.chance(oldApps)
        let seed = UserSeed(
          account: account, role: role, version: Self.version(isOld, drawing: &stream),
          begins: starts, habits: habits)
        apps.append(seed)
        commands.append(.setUser(account.change))
        if [.manager, .accountant, .admin].contains(role) { desks.append(seed) }
      }
    }
    var records = AgencyRecords(
      staff: apps.filter { $0.role == .staff }.map(\.account.username), starts, drawing: &stream)
    records.add(population)
    if adversaries > 0 {
      let corner = Corner(habits, &records, isBooked: population.count("bookings") > 0)
      commands += corner.accounts.map { .setUser($0.change) }
      self.corner = corner
      calendar = corner.calendar(from: starts, to: ends)
    }
    commands.append(.load(records.fixture))
    stream = records.stream
  }

  /// Most have the newest; spelt otherwise it is the same.
  private static func version(_ isOld: Bool, drawing stream: inout RandomStream) -> AppVersion {
    if isOld { return AppVersion("0.9.12") }
    return AppVersion(
      stream.choose([("1.0.0", 0.6), ("1.0", 0.2), ("1.10", 0.1), ("1.2.3-beta", 0.1)]))
  }
}

/// The records of an agency, as they are loaded (5.9).
struct AgencyRecords {
  static let destinations: [(value: String, weight: Double)] = [
    ("Vietnam", 0.45), ("Thailand", 0.2), ("Cambodia", 0.12), ("Laos", 0.08),
    ("Multi-country", 0.15),
  ]
  static let styles = ["Adventure", "Culture", "Beach", "Family", "Luxury", "Budget", "Food"]
  static let languages: [(value: String, weight: Double)] = [
    ("English", 0.5), ("German", 0.2), ("French", 0.15), ("Spanish", 0.1), ("Other", 0.05),
  ]
  /// Before the digits of an invoice (2.4).
  private static let numbers = "ATP" + "-"
  private static let stages: [(value: Booking.Stage, weight: Double)] = [
    (.new, 0.12), (.qualified, 0.12), (.proposalSent, 0.14), (.negotiation, 0.1),
    (.invoiceSent, 0.07), (.paymentReceived, 0.05), (.won, 0.15), (.lost, 0.15), (.postTrip, 0.1),
  ]

  private(set) var fixture = Fixture()
  let starts: Instant
  var stream: RandomStream

  init(staff usernames: [String], _ starts: Instant, drawing stream: inout RandomStream) {
    self.starts = Instant(unixMilliseconds: starts.unixMilliseconds)
    self.stream = stream
    for (number, name) in usernames.enumerated() {
      let first = number % (Self.destinations.count - 1)
      // As people write them: in any case, with blanks around them.
      let spelt = number % 3 == 0 ? " \(name.uppercased())" : name
      addStaff(
        name, spelt,
        [Self.destinations[first].value, Self.destinations[(first + 1) % 4].value])
    }
  }

  mutating func addStaff(
    _ name: String, _ username: String, _ destinations: [String] = [], isActive: Bool = true
  ) {
    fixture.staff.append(
      StaffRecord(
        id: "staff_" + name, name: name.prefix(1).uppercased() + name.dropFirst(),
        isActive: isActive, usernames: [username], destinations: destinations,
        languages: ["English"]))
  }

  mutating func add(_ population: Settings) {
    let count = population.count("bookings")
    let (mean, unassigned) = (
      Double(population.count("activities")), population.share("unassigned")
    )
    let staff = fixture.staff
    for number in stride(from: 1, through: population.count("tours"), by: 1) {
      fixture.tours.append(
        Tour(
          id: id("tour"), title: "Tour \(number)",
          destinationCountries: [stream.choose(Self.destinations)],
          styles: [stream.pick(Self.styles)], durationDays: 3 + number % 15,
          priceFrom: 500 + 10 * number, createdAt: starts, updatedAt: starts))
    }
    for number in stride(from: 0, to: count, by: 1) {
      // One after the other over the last 120 days, each before the start.
      let age = .days(120) * (Double(count - number) / Double(count + 1))
      let isFree = staff.isEmpty || stream.chance(unassigned)
      let record = isFree ? nil : stream.pick(staff)
      _ = addBooking(
        to: record, stream.choose(Self.stages), stream.poisson(mean: mean), age: age)
    }
  }

  /// - Returns: Its id.
  mutating func addBooking(
    to record: StaffRecord?, _ stage: Booking.Stage, _ further: Int, age: Span
  ) -> String {
    let (booking, customer) = (id("booking"), id("cust"))
    let number = fixture.customers.count + 1
    let made = Instant(unixMilliseconds: (starts - age).unixMilliseconds)
    var timeline: [Activity] = []
    var last = made
    func add(_ type: String, _ detail: String, _ actor: String, _ id: String) {
      timeline.append(
        Activity(
          id: id, bookingID: booking, type: type, detail: detail, actor: actor, createdAt: last))
    }
    add("BOOKING_CREATED", "Booking created from website form", "public_api", id("act"))
    let step = Span.milliseconds(max(1, age.nanoseconds / 1_000_000 / Int64(further + 4)))
    for note in stride(from: 1, through: further, by: 1) {
      last += step
      add("NOTE", "Note \(note) of earlier days", "office", id("act"))
    }
    let author = record?.usernames[0].trimmed.lowercased() ?? "office"
    if let record {
      last += step
      add("STAFF_CHANGED", "Staff set to \(record.name)", "office", id("act"))
    }
    if stage != .new {
      last += step
      add("STAGE_CHANGED", "Stage updated to \(stage.rawValue)", author, id("act"))
    }
    fixture.customers.append(
      Customer(
        id: customer, name: "Traveller \(customer.suffix(12))",
        email: "traveller-\(number)@example.test", phone: "+49 30 \(1_000_000 + number)",
        language: stream.choose(Self.languages), createdAt: made, updatedAt: made))
    fixture.bookings.append(
      Booking(
        id: booking, customerID: customer, stage: stage, staff: record?.id,
        staffName: record?.name, slaDueAt: stage.sla.map { (stage == .new ? made : last) + $0 },
        destination: stream.choose(Self.destinations), style: stream.pick(Self.styles),
        travelMonth: "2026-\(10 + number % 3)", travelers: 1 + number % 6, duration: "9-12 days",
        budget: "$900-$1,400", notes: "", createdAt: made, updatedAt: last, activities: timeline))
    if [.invoiceSent, .paymentReceived, .won, .postTrip].contains(stage) {
      let roll = stream.unit()
      for _ in 0..<(roll < 0.08 ? 2 : roll < 0.53 ? 1 : 0) { addInvoice(booking, customer, last) }
    }
    return booking
  }

  private mutating func addInvoice(_ booking: String, _ customer: String, _ made: Instant) {
    let number = 1_000 + fixture.invoices.count
    let cents = max(100, Int(stream.lognormal(median: 240_000, sigma: 0.7)))
    let name = id("inv")
    fixture.invoices.append(
      Invoice(
        id: name, bookingID: booking, customerID: customer,
        invoiceNumber: "\(AgencyRecords.numbers)00\(number)",
        status: "INVOICE_SENT", sentToCustomer: true, sentToCustomerAt: made,
        totalAmountCents: cents, dueAmountCents: cents, pdfURL: "/api/v1/invoices/\(name)/pdf",
        createdAt: made, updatedAt: made,
        items: [
          Invoice.Item(
            id: id("inv_item"), description: "Tour", quantity: 1, unitAmountCents: cents,
            totalAmountCents: cents)
        ]))
  }

  /// As the server would make one.
  private mutating func id(_ prefix: String) -> String {
    let words = [stream.next(), stream.next()]
    return String(unsafeUninitializedCapacity: prefix.utf8.count + 37) { buffer in
      var end = buffer.update(fromContentsOf: prefix.utf8)
      for digit in 0..<32 {
        switch digit {
        case 0, 8, 12, 16, 20:
          buffer[end] = UInt8(ascii: digit == 0 ? "_" : "-")
          end += 1
        default: break
        }
        let value = UInt8(truncatingIfNeeded: words[digit / 16] >> (4 * (digit % 16))) & 15
        buffer[end] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
        end += 1
      }
      return end
    }
  }
}

/// Where adversaries do what they do: accounts, staff records and bookings of their own.
public struct Corner: Sendable {
  /// By standing; `other` and `own` are one.
  public let accounts: [Account]
  /// Bookings of the adversary's record, of a colleague's, and of nobody; none where the agency begins without any.
  let own: [String]
  let others: [String]
  let record: String
  let colleague: String
  let inactive: String
  /// The adversary's own record.
  private let staff: StaffRecord
  public let habits: AgencyHabits

  init(_ habits: AgencyHabits, _ records: inout AgencyRecords, isBooked: Bool) {
    self.habits = habits
    let realm = habits.deployment.realm
    accounts = [
      ("adversary-admin", ["atp_admin"]), ("adversary-manager", ["atp_manager"]),
      ("adversary-accountant", ["atp_accountant"]), ("adversary-staff", ["atp_staff"]),
      ("adversary-unmapped", ["atp_staff"]),
      ("adversary-outsider", ["ATP_ADMIN", "atp_admins", "atp_"]),
    ].map { Account(username: $0.0, password: "p-" + $0.0, roles: $0.1, realm: realm) }
    (record, colleague) = ("staff_adversary", "staff_colleague")
    inactive = "staff_inactive"
    records.addStaff("adversary", "Adversary-Staff ")
    records.addStaff("colleague", "adversary-colleague")
    records.addStaff("inactive", "adversary-inactive", isActive: false)
    let staff = records.fixture.staff.suffix(3)
    self.staff = staff.first!
    let hours = isBooked ? 1..<4 : 1..<1
    own = hours.map { hour in
      records.addBooking(to: staff.first, .negotiation, 2, age: .hours(Int64(hour)))
    }
    others = hours.map { hour in
      records.addBooking(
        to: hour == 3 ? nil : staff.dropFirst().first, .negotiation, 2, age: .hours(Int64(hour)))
    }
  }

  /// Every half an hour something is taken from the adversary who is signed in, and given back ten minutes later: the mapping of the
  /// user name, the record's activity, the role, the account, the sessions.
  func calendar(
    from starts: Instant, to ends: Instant
  ) -> [(at: Instant, command: AsiaTravelPlan.Request)] {
    let user = accounts[3]
    var unmapped = staff
    unmapped.usernames = ["adversary-elsewhere"]
    var inactive = staff
    inactive.isActive = false
    let roleless = UserChange(username: user.username, realmRoles: [])
    let disabled = UserChange(username: user.username, isEnabled: false)
    let pairs: [(AsiaTravelPlan.Request, AsiaTravelPlan.Request)] = [
      (.setStaff(unmapped), .setStaff(staff)), (.setStaff(inactive), .setStaff(staff)),
      (.setUser(roleless), .setUser(user.change)),
      (.setUser(disabled), .setUser(UserChange(username: user.username, isEnabled: true))),
      (.endSessions(username: user.username), .setUser(user.change)),
    ]
    var calendar: [(at: Instant, command: AsiaTravelPlan.Request)] = []
    var (at, turn) = (starts + .minutes(30), 0)
    while at + .minutes(10) < ends {
      calendar.append((at, pairs[turn % pairs.count].0))
      calendar.append((at + .minutes(10), pairs[turn % pairs.count].1))
      (at, turn) = (at + .minutes(30), turn + 1)
    }
    return calendar
  }

  func account(_ standing: AsiaTravelPlan.Standing) -> Account? {
    switch standing {
    case .admin: accounts[0]
    case .manager: accounts[1]
    case .accountant: accounts[2]
    case .own, .other: accounts[3]
    case .unmapped: accounts[4]
    case .outsider: accounts[5]
    case .anonymous: nil
    }
  }
}
