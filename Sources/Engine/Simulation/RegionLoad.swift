import Contracts
import Scenarios
import Timekeeping

/// One region's part of the scenario's load: who of its people comes, and when.
///
/// Arrivals and users of the whole world are dealt to its regions in turn, so that they are the same however many threads there
/// are. Who comes is whoever has been away longest; at the beginning chance decides.
struct RegionLoad {
  /// When somebody is to be there, in a closed workload.
  private var turns: [PersonID: [Range<Instant>]] = [:]
  private var arrivals: Arrivals?
  private let region: Int
  private let regions: Int
  /// Who is away, the longest first; the places before `head` are used up.
  private var away: ContiguousArray<PersonID> = []
  private var head = 0
  private let isVisitor: [Bool]
  private let pause: Span

  /// - Parameters:
  ///   - isVisitor: By person: whether the load decides when they come.
  ///   - region: From 0.
  init(
    _ workload: Workload, isVisitor: [Bool], region: Int, of regions: Int, starts: Instant,
    seed: UInt64, drawing stream: RandomStream
  ) {
    self.isVisitor = isVisitor
    self.region = region
    self.regions = regions
    pause = workload.pause
    var stream = stream
    let visitors = stream.shuffled(isVisitor.indices.filter { isVisitor[$0] }.map(PersonID.init))
    switch workload.kind {
    case .open:
      var all = workload.arrivals(from: starts, seed: seed)
      for _ in 0..<region { _ = all.next() }
      arrivals = all
      away = ContiguousArray(visitors)
    case .closed:
      let users = stride(from: region, to: workload.mostAtOnce, by: regions)
      for (visitor, user) in zip(visitors, users) {
        turns[visitor] = workload.turns(ofUser: user, from: starts)
      }
    }
  }

  /// Whether the load decides when a person comes, and not its own habits.
  func decides(for id: PersonID) -> Bool { isVisitor[Int(id.index)] }

  /// When somebody arrives in this region next.
  mutating func nextArrival() -> Instant? {
    guard let next = arrivals?.next() else { return nil }
    for _ in 1..<regions { _ = arrivals?.next() }
    return next
  }

  /// Whose turn it is to come; `nil` when nobody is free.
  mutating func admit(where isFree: (PersonID) -> Bool) -> PersonID? {
    guard let place = (head..<away.count).first(where: { isFree(away[$0]) }) else { return nil }
    let id = away[place]
    away[place] = away[head]
    head += 1
    if head > 1_024, head * 2 > away.count {
      away.removeFirst(head)
      head = 0
    }
    return id
  }

  /// Somebody has gone, and may come again.
  mutating func leave(_ id: PersonID) {
    if arrivals != nil { away.append(id) }
  }

  /// When a person of a closed workload begins a session, from an instant on; `nil` when never again.
  func nextTurn(of id: PersonID, from instant: Instant) -> Instant? {
    for turn in turns[id] ?? [] where instant < turn.upperBound {
      return max(instant, turn.lowerBound)
    }
    return nil
  }

  /// When one who ends a session begins the next.
  func nextTurn(of id: PersonID, after session: Instant) -> Instant? {
    nextTurn(of: id, from: session + pause)
  }
}
