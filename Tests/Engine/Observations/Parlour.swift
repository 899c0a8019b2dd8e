import Contracts
import Observations
import Timekeeping

/// The smallest contract that checks can judge: people ask after tables, and the host says and shows things.
enum Parlour: ServiceContract {
  enum Request: Hashable, Sendable {
    case ask(table: String)
    case name(String)
    case look
  }
  enum Reply: Hashable, Sendable {
    case done
    case tables(Int)
  }
  struct Refusal: RefusalCode { let code: String }
  typealias Signal = String
  typealias Note = String
  typealias Credential = String
  typealias Address = String

  static let domain = "parlour"
  static let operations = [
    Operation("ask", "Ask", source: "P1"), Operation("name", "Name", kind: .control, source: "P2"),
    Operation("look", "Look", kind: .inspection, source: "P3"),
  ]
  enum Rule: String, Contracts.Rule {
    case p1, p2, p3

    static let themes = [Theme<Self>("the door", [.p1: "One.", .p2: "Two.", .p3: "Three."])]
  }

  static func operation(of request: Request) -> Int {
    switch request {
    case .ask: 0
    case .name: 1
    case .look: 2
    }
  }

  static func fingerprint(of reply: Reply, into digest: inout Digest) {}
}

extension Parlour: Observed {
  typealias Asked = AskedTable
  typealias Command = String
  typealias Shown = Int

  static func command(in request: Request) -> String? {
    if case .name(let name) = request { name } else { nil }
  }

  /// A look shows how many tables have come since the last one.
  static func shown(in reply: Reply, at moment: Moment, after last: Int?) -> Int? {
    if case .tables(let count) = reply { count + (last ?? 0) } else { nil }
  }
}

/// A view that says how often the call was looked at anew.
final class AskedTable: CallView {
  let call: Call<Parlour>
  let table: String
  let moment: Moment

  private init(_ call: Call<Parlour>, _ moment: Moment) {
    self.call = call
    self.moment = moment
    if case .ask(let table) = call.request { self.table = table } else { table = "" }
  }

  static func of(_ call: Call<Parlour>, at moment: Moment) -> AskedTable {
    AskedTable(call, moment)
  }
}

/// What happens in a parlour, second by second.
struct ParlourStory {
  private(set) var records: [Record<Parlour>] = []
  private(set) var now = Instant(unixSeconds: 0)

  private mutating func add(_ event: Record<Parlour>.Event, by person: Int?, in cell: Int) {
    now += .seconds(1)
    records.append(
      Record(
        time: now, person: person.map { PersonID($0) }, sequence: 0, cell: cell, event: event))
  }

  mutating func ask(
    _ table: String, by person: Int = 0, in cell: Int = 0, meeting fault: FaultKind? = nil
  ) {
    let call = Call<Parlour>(
      request: .ask(table: table), operation: 0, credential: nil, intended: now, sent: now,
      answered: now + .seconds(1), outcome: .replied(.done), attempt: 1)
    if let fault { call.met.add(fault) }
    add(.request(call), by: person, in: cell)
  }

  mutating func note(_ note: String, by person: Int = 0, in cell: Int = 0) {
    add(.note(note), by: person, in: cell)
  }

  mutating func signal(_ signal: String, to person: Int = 0, in cell: Int = 0) {
    add(.signal(signal), by: person, in: cell)
  }

  mutating func command(
    _ name: String, in cell: Int = 0, _ outcome: Outcome<Parlour> = .replied(.done)
  ) {
    add(.control(.name(name), outcome), by: nil, in: cell)
  }

  mutating func inspect(_ count: Int, in cell: Int = 0) {
    add(.inspection(.tables(count)), by: nil, in: cell)
  }

  func judged(by checks: Check<Parlour>...) -> [Judge] {
    var router = CheckRouter(checks)
    for record in records { router.see(record) }
    router.end(at: now)
    return router.judges
  }
}

extension Judge {
  /// What was found, in order.
  var found: [String] { evidence.map(\.what) }
}
