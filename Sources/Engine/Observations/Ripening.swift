import Timekeeping

/// What facts tell of once it can be judged: at once, or when an instant has passed.
///
/// Other requests may be under way while one is answered, and their outcomes become known later; what depends on them is
/// kept until they must be known, and is then judged once (`Check.ripe`): before the facts learn of the record that shows
/// that it is time. What is not due when a run ends is left open.
public struct Ripening<Item> {
  /// What was told since the last record.
  private var told: [Item] = []
  /// By when they are due, and among equals by when they came.
  private var kept: ContiguousArray<Kept> = []
  private var taken = 0

  private struct Kept {
    let due: Instant
    /// `nil` once it was taken.
    var item: Item?
  }

  public init() {}

  /// Tells something that can be judged now.
  public mutating func tell(_ item: Item) { told.append(item) }

  /// Tells something as soon as an instant has passed.
  public mutating func keep(_ item: consuming Item, until due: Instant) {
    var place = kept.count
    while place > taken, kept[place - 1].due > due { place -= 1 }
    // Nearly always it is the last.
    if place == kept.count {
      kept.append(Kept(due: due, item: item))
    } else {
      kept.insert(Kept(due: due, item: item), at: place)
    }
  }

  /// Forgets what is not ripe yet.
  public mutating func forgetKept() {
    kept.removeAll()
    taken = 0
  }

  /// The next that is ripe when a record comes that was answered at an instant; each comes once.
  @inline(__always)
  public mutating func next(at now: Instant) -> Item? {
    guard !told.isEmpty || (taken < kept.count && kept[taken].due < now) else { return nil }
    return takeNext()
  }

  private mutating func takeNext() -> Item {
    guard told.isEmpty else { return told.removeFirst() }
    defer { forgetTaken() }
    return takeFirst()
  }

  private mutating func takeFirst() -> Item {
    defer { taken += 1 }
    return kept[taken].item.take()!
  }

  private mutating func forgetTaken() {
    guard taken > 64, taken * 2 > kept.count else { return }
    kept.removeFirst(taken)
    taken = 0
  }

  /// What is ripe when a record comes that was answered at an instant, each once.
  @inline(__always)
  mutating func ripe(at now: Instant) -> [Item] {
    guard !told.isEmpty || (taken < kept.count && kept[taken].due < now) else { return [] }
    return take(at: now)
  }

  private mutating func take(at now: Instant) -> [Item] {
    var ripe: [Item] = []
    swap(&ripe, &told)
    while taken < kept.count, kept[taken].due < now {
      ripe.append(takeFirst())
    }
    forgetTaken()
    return ripe
  }
}
