import Contracts

/// What a history or a kind of facts is about: there is one of it for each.
public struct Scope<Agreement: Contract>: Sendable {
  enum Kind: Sendable {
    case region, cell, person
    case each(String, @Sendable (Library<Agreement>) -> Roster<Agreement>.Find)
  }

  let kind: Kind

  /// One for all cells of a region.
  public static var region: Self { Self(kind: .region) }
  /// One for each cell.
  public static var cell: Self { Self(kind: .cell) }
  /// One for each person; what nobody saw, such as a command, is not about anybody.
  public static var person: Self { Self(kind: .person) }
}

extension Scope where Agreement: Observed {
  /// Tells the keys that something is about, by calling what it is handed for each.
  public typealias Naming<Seen, Key> = @Sendable (Seen, (Key) -> Void) -> Void

  /// One for each thing of the domain that records name: a dienst, a token, an order.
  ///
  /// - Parameters:
  ///   - name: What they are called; scopes of one name are one scope, whose keys are looked up once a record.
  ///   - asked, noted, signalled, commanded: The things that such a record is about; it is about none, unless said.
  public static func each<Key: Hashable & Sendable>(
    _ name: String, by key: Key.Type,
    asked: Naming<Agreement.Asked, Key>? = nil, noted: Naming<Agreement.Note, Key>? = nil,
    signalled: Naming<Agreement.Signal, Key>? = nil,
    commanded: Naming<Agreement.Command, Key>? = nil
  ) -> Self {
    Self(
      kind: .each(
        name,
        { library in
          let views = library.views
          var known: [Key: Int] = [:]
          return { record, tell in
            func number(_ key: Key) {
              let fresh = known.count
              let number = known[key] ?? fresh
              if number == fresh { known[key] = fresh }
              tell(number, { (key as? String) ?? "\(key)" })
            }
            switch record.event {
            case .request(let exchange):
              asked?(views.view(of: exchange, at: Moment(record)), number)
            case .note(let note): noted?(note, number)
            case .signal(let signal): signalled?(signal, number)
            case .control(let request, .replied):
              if let commanded, let command = Agreement.command(in: request) {
                commanded(command, number)
              }
            case .control, .inspection: break
            }
          }
        }))
  }
}

extension Scope {
  /// Whether what is about one of these knows which of another scope's it belongs to.
  func isWithin(_ other: Scope) -> Bool {
    switch (kind, other.kind) {
    case (_, .region), (.cell, .cell), (.person, .cell), (.person, .person), (.each, .cell): true
    case (.each(let name, _), .each(let wider, _)): name == wider
    default: false
    }
  }
}

/// The things that the record at hand is about, as numbers in the order in which they were first named; found once a
/// record, whoever asks.
final class Roster<Agreement: Contract> {
  /// Tells the number of each thing that a record is about, with its name.
  typealias Find = (Record<Agreement>, (Int, () -> String) -> Void) -> Void

  private let find: Find
  private let turn: Turn
  private var found = -1
  private var numbers: [Int] = []
  private(set) var names: [String] = []

  init(_ turn: Turn, _ find: @escaping Find) {
    self.turn = turn
    self.find = find
  }

  func numbers(of record: Record<Agreement>) -> [Int] {
    if found == turn.number { return numbers }
    found = turn.number
    numbers.removeAll(keepingCapacity: true)
    find(record) { number, name in
      if number == names.count { names.append(name()) }
      numbers.append(number)
    }
    return numbers
  }
}

/// Counts the records of a region, so that what is found once a record knows the next from the last.
final class Turn {
  var number = 0
}

/// One thing that a history or facts are about, and where it belongs.
struct Owner {
  let cell: Int
  let person: PersonID?
  /// Among those of its scope.
  let number: Int
}

/// Finds whom a record is about in one scope.
struct Locator<Agreement: Contract> {
  private enum Way {
    case region, cell, person
    case each(Roster<Agreement>)
  }

  private let way: Way

  init(_ scope: Scope<Agreement>, in library: Library<Agreement>) {
    switch scope.kind {
    case .region: way = .region
    case .cell: way = .cell
    case .person: way = .person
    case .each(let name, let find): way = .each(library.roster(name) { find(library) })
    }
  }

  func forEach(_ record: Record<Agreement>, _ body: (Owner) -> Void) {
    switch way {
    case .region: body(Owner(cell: record.cell, person: record.person, number: 0))
    case .cell: body(Owner(cell: record.cell, person: record.person, number: record.cell))
    case .person:
      guard let person = record.person else { return }
      body(Owner(cell: record.cell, person: person, number: Int(person.index)))
    case .each(let roster):
      for number in roster.numbers(of: record) {
        body(Owner(cell: record.cell, person: record.person, number: number))
      }
    }
  }

  /// Which of this scope something of a scope within it belongs to.
  func number(of owner: Owner) -> Int {
    switch way {
    case .region: return 0
    case .cell: return owner.cell
    case .each: return owner.number
    case .person:
      guard let person = owner.person else { preconditionFailure("nobody's facts are lent") }
      return Int(person.index)
    }
  }

  func name(of number: Int) -> String {
    if case .each(let roster) = way { roster.names[number] } else { "\(number)" }
  }
}

/// Values by small numbers, in the order in which they began.
struct Numbered<Value> {
  private var places: ContiguousArray<Int32> = []
  var values: ContiguousArray<Value> = []

  /// Where the number's value is, which is begun when it is new.
  mutating func place(of number: Int, _ begin: () -> Value) -> Int {
    while places.count <= number { places.append(-1) }
    if places[number] < 0 {
      let value = begin()
      places[number] = Int32(values.count)
      values.append(value)
    }
    return Int(places[number])
  }
}
