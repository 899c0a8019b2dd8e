import Scenarios
import Timekeeping

/// The servers of one region and who waits for them: a G/G/c queue, with room for so many where the service model says so, with
/// servers that fail and are repaired, and with a line in which some go before others.
///
/// Without priorities whoever comes first is served first, so that it is known on arrival when a request is done. With them it is known when
/// a server takes it: `enqueue` it, and `begin` whenever a server may have become free. Nobody's service is interrupted for
/// somebody more important. A server that fails keeps what it has in hand and goes on with it when it is repaired.
///
/// Arrivals must come in the order of time.
struct ServiceQueue<Job> {
  /// When each server is free; the order tells servers apart only where they fail.
  private var free: MinHeap<Instant>
  private var failing: [FailingServer]
  /// How many may be inside, waiting or served.
  private let capacity: Int?
  /// When those leave whom a server has taken, or will take for certain; kept where the room is limited.
  private var leaving = MinHeap<Instant>()
  /// A line for each rank, the most important first.
  private var lines: [Line] = Service.Priority.allCases.map { _ in Line() }

  /// A line that forgets its head now and then.
  private struct Line {
    var jobs: [(job: Job, busy: Span)] = []
    var served = 0
    var count: Int { jobs.count - served }

    mutating func next() -> (job: Job, busy: Span)? {
      guard served < jobs.count else { return nil }
      defer {
        served += 1
        if served > 64, served * 2 > jobs.count {
          jobs.removeFirst(served)
          served = 0
        }
      }
      return jobs[served]
    }
  }

  /// - Parameters:
  ///   - starts: When all servers are free and up.
  ///   - stream: Of a server, for its failures.
  init(_ service: Service, from starts: Instant, stream: (_ server: Int) -> RandomStream) {
    precondition(service.servers > 0, "a service without servers answers nothing")
    capacity = service.capacity
    free = MinHeap(Array(repeating: .distantPast, count: service.servers))
    failing =
      service.failures.map { failures in
        (0..<service.servers).map {
          FailingServer(failures, from: starts, drawing: stream($0))
        }
      } ?? []
  }

  /// Whether one more finds room.
  mutating func hasRoom(at now: Instant) -> Bool {
    guard let capacity else { return true }
    while let first = leaving.first, first <= now { leaving.removeFirst() }
    return leaving.count + lines.reduce(0) { $0 + $1.count } < capacity
  }

  // MARK: - First come, first served

  /// Takes one request in and says when it is done.
  mutating func serve(arriving: Instant, busy: Span) -> Instant {
    let (server, begins) = earliest(at: arriving)
    return occupy(server, from: begins, busy: busy)
  }

  // MARK: - With priorities

  mutating func enqueue(_ job: Job, _ priority: Service.Priority, busy: Span) {
    lines[priority.rank].jobs.append((job, busy))
  }

  /// Lets a free server take the first of the most important line, and says when it is done.
  mutating func begin(at now: Instant) -> (job: Job, done: Instant)? {
    guard let line = lines.firstIndex(where: { $0.count > 0 }) else { return nil }
    let (server, begins) = earliest(at: now)
    guard begins <= now, let next = lines[line].next() else { return nil }
    return (next.job, occupy(server, from: now, busy: next.busy))
  }

  /// When a server is free for somebody who waits; `nil` where nobody does.
  mutating func nextBeginning(at now: Instant) -> Instant? {
    lines.contains { $0.count > 0 } ? earliest(at: now).begins : nil
  }

  // MARK: - Servers

  /// The server that is free first, and when it can begin. Of those that fail the first of several.
  private mutating func earliest(at now: Instant) -> (server: Int, begins: Instant) {
    guard !failing.isEmpty else { return (0, max(now, free.first!)) }
    var found = (server: 0, begins: Instant.distantFuture)
    for server in failing.indices {
      let begins = failing[server].begins(at: now)
      if begins < found.begins { found = (server, begins) }
    }
    return found
  }

  private mutating func occupy(_ server: Int, from begins: Instant, busy: Span) -> Instant {
    let done: Instant
    if failing.isEmpty {
      done = begins + busy
      free.replaceFirst(with: done)
    } else {
      done = failing[server].serve(from: begins, busy: busy)
    }
    if capacity != nil { leaving.insert(done) }
    return done
  }
}

extension Service.Priority {
  var rank: Int { Self.allCases.firstIndex(of: self)! }
}

/// A server that works and stands still by turns, for exponential times; what it has in hand waits while it stands.
private struct FailingServer {
  private var stream: RandomStream
  private let failures: Service.Failures
  private var freeAt: Instant
  /// Of the time at hand: from when it stands, and until when.
  private var fails: Instant
  private var repaired: Instant

  init(_ failures: Service.Failures, from starts: Instant, drawing stream: RandomStream) {
    self.stream = stream
    self.failures = failures
    (freeAt, fails, repaired) = (starts, starts, starts)
    turn()
  }

  /// Draws the next time of work and the repair after it.
  private mutating func turn() {
    fails = repaired + stream.sample(.exponential(mean: failures.up))
    repaired = fails + stream.sample(.exponential(mean: failures.down))
  }

  /// The first moment from now on at which it is free and works.
  mutating func begins(at now: Instant) -> Instant {
    let from = max(freeAt, now)
    while from >= repaired { turn() }
    return from < fails ? from : repaired
  }

  mutating func serve(from begins: Instant, busy: Span) -> Instant {
    var (at, rest) = (begins, busy)
    while at >= repaired { turn() }
    while at + rest > fails {
      if at < fails { rest = rest - (fails - at) }
      at = repaired
      turn()
    }
    freeAt = at + rest
    return freeAt
  }
}

/// A binary heap with the smallest first.
private struct MinHeap<Element: Comparable> {
  private var elements: [Element]

  /// - Parameter equal: Elements that are all equal, which is a heap.
  init(_ equal: [Element] = []) { elements = equal }

  var first: Element? { elements.first }
  var count: Int { elements.count }

  mutating func insert(_ element: Element) {
    var place = elements.count
    elements.append(element)
    while place > 0, element < elements[(place - 1) / 2] {
      elements[place] = elements[(place - 1) / 2]
      place = (place - 1) / 2
    }
    elements[place] = element
  }

  mutating func removeFirst() {
    let last = elements.removeLast()
    if !elements.isEmpty { replaceFirst(with: last) }
  }

  mutating func replaceFirst(with element: Element) {
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < elements.count else { break }
      if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
      guard elements[child] < element else { break }
      elements[parent] = elements[child]
      parent = child
    }
    elements[parent] = element
  }
}
