import Timekeeping

/// What facts tell of once it can be judged: at once, or when an instant has passed.
///
/// Other requests may be under way while one is answered, and their outcomes become known later; what depends on them is
/// kept until they must be known, and is then judged once (`Check.ripe`). The end of a run cuts short what is kept still:
/// it is left open.
public struct Ripening<Item> {
  /// What ripened with the last record; each is here for one.
  public private(set) var ripe: [Item] = []
  /// By when they are due, and among equals by when they came.
  private var kept: [(due: Instant, item: Item)] = []
  private var taken = 0

  public init() {}

  var isRipe: Bool { !ripe.isEmpty }

  /// Tells something with the record at hand.
  public mutating func tell(_ item: Item) { ripe.append(item) }

  /// Tells something with the first record after an instant.
  public mutating func keep(_ item: Item, until due: Instant) {
    var place = kept.count
    while place > taken, kept[place - 1].due > due { place -= 1 }
    kept.insert((due, item), at: place)
  }

  /// Forgets what is not ripe yet.
  public mutating func forgetKept() {
    kept.removeAll()
    taken = 0
  }

  /// A record has come: what was ripe before it has been judged, and what is due becomes ripe.
  mutating func turn(at now: Instant) {
    if !ripe.isEmpty { ripe.removeAll(keepingCapacity: true) }
    while taken < kept.count, kept[taken].due < now {
      ripe.append(kept[taken].item)
      taken += 1
    }
    if taken > 1_024, taken * 2 > kept.count {
      kept.removeFirst(taken)
      taken = 0
    }
  }
}
