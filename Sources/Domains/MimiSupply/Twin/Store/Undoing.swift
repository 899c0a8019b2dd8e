import Contracts

// What a batch did is undone by what was noted of it (MS-09): a twin is never copied for that, however much it holds.

/// What happens to a mark: it is set; what came since is kept, or undone.
enum Marking { case set, kept, undone }

/// Something that can take back what happened to it since a mark. Marks nest; the last one is kept or undone first.
protocol Undoable {
  mutating func mark(_ marking: Marking)
}

/// The steps since the marks; as long as there is none, nothing is noted.
struct UndoLog<Step: Sendable>: Sendable {
  private var steps: [Step] = []
  private var marks: [Int] = []

  var isOpen: Bool { !marks.isEmpty }

  mutating func note(_ step: @autoclosure () -> Step) {
    if isOpen { steps.append(step()) }
  }

  /// - Returns: The steps to undo, the latest first.
  mutating func mark(_ marking: Marking) -> [Step] {
    switch marking {
    case .set:
      marks.append(steps.count)
      return []
    case .kept:
      marks.removeLast()
      if marks.isEmpty { steps = [] }
      return []
    case .undone:
      let first = marks.removeLast()
      let undone = Array(steps[first...].reversed())
      steps.removeSubrange(first...)
      return undone
    }
  }
}

/// A dictionary whose changes can be undone.
struct UndoTable<Key: Hashable & Sendable, Value: Sendable>: Undoable, Sendable,
  ExpressibleByDictionaryLiteral
{
  private(set) var all: [Key: Value]
  /// What stood under each key that was to be changed.
  private var log = UndoLog<(key: Key, value: Value?)>()
  /// For inspection; what a batch undid counts as changed.
  var changes = ChangeLog<Key>()

  init(dictionaryLiteral elements: (Key, Value)...) {
    all = Dictionary(uniqueKeysWithValues: elements)
  }

  var isMarked: Bool { log.isOpen }
  var count: Int { all.count }
  var isEmpty: Bool { all.isEmpty }
  var keys: Dictionary<Key, Value>.Keys { all.keys }

  subscript(key: Key) -> Value? {
    get { all[key] }
    _modify {
      note(key)
      yield &all[key]
    }
  }

  subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
    get { all[key, default: value()] }
    _modify {
      note(key)
      yield &all[key, default: value()]
    }
  }

  @discardableResult
  mutating func removeValue(forKey key: Key) -> Value? {
    note(key)
    return all.removeValue(forKey: key)
  }

  private mutating func note(_ key: Key) {
    log.note((key, all[key]))
    changes.note(key)
  }

  /// Changes what is there, with one look for it.
  ///
  /// - Returns: What the change gives back; `nil` when nothing stands under the key.
  mutating func change<Result>(_ key: Key, _ body: (inout Value) -> Result) -> Result? {
    guard let index = all.index(forKey: key) else { return nil }
    log.note((key, all[index].value))
    changes.note(key)
    return body(&all.values[index])
  }

  /// Replaces everything; never within a batch.
  mutating func replaceAll(with new: [Key: Value]) {
    precondition(!log.isOpen, "a batch replaced a whole table")
    all = new
  }

  mutating func mark(_ marking: Marking) {
    for (key, value) in log.mark(marking) { all[key] = value }
  }
}

/// A set whose changes can be undone.
struct UndoSet<Element: Hashable & Sendable>: Undoable, Sendable, ExpressibleByArrayLiteral {
  private(set) var all: Set<Element>
  private var log = UndoLog<(element: Element, wasIn: Bool)>()

  init(arrayLiteral elements: Element...) { all = Set(elements) }

  var isEmpty: Bool { all.isEmpty }
  func contains(_ element: Element) -> Bool { all.contains(element) }

  mutating func insert(_ element: Element) {
    if all.insert(element).inserted { log.note((element, false)) }
  }

  /// - Returns: Whether it was there.
  @discardableResult
  mutating func remove(_ element: Element) -> Bool {
    guard all.remove(element) != nil else { return false }
    log.note((element, true))
    return true
  }

  mutating func mark(_ marking: Marking) {
    for (element, wasIn) in log.mark(marking) {
      if wasIn { all.insert(element) } else { all.remove(element) }
    }
  }
}

// MARK: - The twin

extension MimiSupplyTwin {
  /// What is no table: numbers, small values, and how long the lists were that only grow in a batch.
  struct Savepoint {
    fileprivate let csn: Int
    fileprivate let market: Market.Savepoint
    fileprivate let shelf: RecordShelf.Savepoint
    fileprivate let counters: Counters.Savepoint
    fileprivate let sent: Int
    fileprivate let audited: Int
    fileprivate let auditCount: Int
    fileprivate let logged: Int?
    fileprivate let signals: Int
    fileprivate let completions: Int
  }

  mutating func mark() -> Savepoint {
    markTables(.set)
    return Savepoint(
      csn: csn, market: market.savepoint, shelf: shelf.savepoint, counters: counters.savepoint,
      sent: pushQueues.log.count, audited: audit.entries.count, auditCount: audit.count,
      logged: commitLog?.entries.count, signals: effects.signals.count,
      completions: effects.completions.count)
  }

  mutating func keep() {
    markTables(.kept)
    pushQueues.trim()
  }

  /// Everything is as it was at the last mark, but that names and answers are never given twice, and that work was done.
  mutating func undo(to savepoint: Savepoint) {
    markTables(.undone)
    csn = savepoint.csn
    market.restore(savepoint.market)
    shelf.restore(savepoint.shelf)
    counters.restore(savepoint.counters)
    pushQueues.cut(to: savepoint.sent)
    audit.cut(to: savepoint.audited, count: savepoint.auditCount)
    if let logged = savepoint.logged { commitLog!.cut(to: logged) }
    effects.signals.removeSubrange(savepoint.signals...)
    effects.completions.removeSubrange(savepoint.completions...)
  }

  private mutating func markTables(_ marking: Marking) {
    market.mark(marking)
    shelf.mark(marking)
    counters.mark(marking)
    pushQueues.mark(marking)
    files.files.mark(marking)
    subscriptions.mark(marking)
  }
}
