import Contracts

/// What a history or a kind of facts is about: there is one of it for each.
public struct Scope<Contract: ServiceContract>: Sendable {
  enum Kind: Sendable {
    case region, cell, person
    case each(String, @Sendable (Library<Contract>) -> Roster<Contract>.Find)
  }

  let kind: Kind

  /// One for all cells of a region.
  public static var region: Self { Self(kind: .region) }
  /// One for each cell.
  public static var cell: Self { Self(kind: .cell) }
  /// One for each person; what nobody saw, such as a command, is not about anybody.
  public static var person: Self { Self(kind: .person) }
}

extension Scope where Contract: Observed {
  /// Tells the keys that something is about, by calling what it is handed for each.
  public typealias Naming<Seen, Key> = @Sendable (Seen, (Key) -> Void) -> Void

  /// One for each thing of a cell that records name: a shift, a token, an order.
  ///
  /// - Parameters:
  ///   - name: What they are called; scopes of one name are one scope, whose keys are looked up once a record.
  ///   - asked, noted, signalled, commanded: The things that such a record is about; it is about none, unless said.
  public static func each<Key: Hashable & Sendable>(
    _ name: String, by key: Key.Type,
    asked: Naming<Contract.Asked, Key>? = nil, noted: Naming<Contract.Note, Key>? = nil,
    signalled: Naming<Contract.Signal, Key>? = nil,
    commanded: Naming<Contract.Command, Key>? = nil
  ) -> Self {
    Self(
      kind: .each(
        name,
        { library in
          let views = library.views
          library.look()
          // What two cells call alike are two things.
          var known: [CellKey<Key>: Int] = [:]
          return { sight, tell in
            func number(_ key: Key) {
              let thing = CellKey(cell: sight.moment.cell, key: key)
              let fresh = known.count
              let number = known[thing] ?? fresh
              if number == fresh { known[thing] = fresh }
              tell(number, { (key as? String) ?? "\(key)" })
            }
            if let view = Contract.asked(in: sight.view) {
              asked?(view, number)
              return
            }
            if let note = sight.note {
              noted?(note, number)
            } else if let signal = sight.signal {
              signalled?(signal, number)
            } else if let commanded, let command = views.command(at: sight) {
              commanded(command, number)
            }
          }
        }))
  }
}

private struct CellKey<Key: Hashable>: Hashable {
  let cell: Int
  let key: Key
}

extension Scope {
  /// Whether nothing is about two people.
  var isOfPerson: Bool { if case .person = kind { true } else { false } }

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
final class Roster<Contract: ServiceContract> {
  /// Tells the number of each thing that a record is about, with its name.
  typealias Find = (Sight<Contract>, (Int, () -> String) -> Void) -> Void

  private let find: Find
  private var found = -1
  private var numbers: [Int] = []
  private(set) var names: [String] = []

  init(_ find: @escaping Find) { self.find = find }

  func numbers(at sight: Sight<Contract>) -> [Int] {
    if found == sight.turn { return numbers }
    found = sight.turn
    numbers.removeAll(keepingCapacity: true)
    find(sight) { number, name in
      if number == names.count { names.append(name()) }
      numbers.append(number)
    }
    return numbers
  }
}

/// One thing that a history or facts are about, and where it belongs.
struct Owner {
  let cell: Int
  let person: PersonID?
  /// Among those of its scope.
  let number: Int
}

/// Finds whom a record is about in one scope.
struct Locator<Contract: ServiceContract> {
  private enum Way {
    case region, cell, person
    case each(Roster<Contract>)
  }

  private let way: Way

  init(_ scope: Scope<Contract>, in library: Library<Contract>) {
    switch scope.kind {
    case .region: way = .region
    case .cell: way = .cell
    case .person: way = .person
    case .each(let name, let find): way = .each(library.roster(name) { find(library) })
    }
  }

  // Inlined where the body is known: it is run for each check and record.
  @inline(__always)
  func forEach(_ sight: Sight<Contract>, _ body: (Owner) -> Void) {
    let (cell, person) = (sight.moment.cell, sight.moment.person)
    switch way {
    case .region: body(Owner(cell: cell, person: person, number: 0))
    case .cell: body(Owner(cell: cell, person: person, number: cell))
    case .person:
      guard let person else { return }
      body(Owner(cell: cell, person: person, number: Int(person.index)))
    case .each(let roster):
      for number in roster.numbers(at: sight) {
        body(Owner(cell: cell, person: person, number: number))
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
  @inline(__always)
  mutating func place(of number: Int, _ begin: () -> Value) -> Int {
    if number < places.count, places[number] >= 0 { return Int(places[number]) }
    return add(number, begin())
  }

  private mutating func add(_ number: Int, _ value: Value) -> Int {
    while places.count <= number { places.append(-1) }
    places[number] = Int32(values.count)
    values.append(value)
    return values.count - 1
  }
}
