import Scenarios
import Timekeeping

/// First come, first served before a number of equal servers: the queue of a G/G/c system.
///
/// Arrivals must come in the order of time.
struct ServiceQueue {
  /// When each server is free, as a binary heap with the earliest first.
  private var freeAt: [Instant]

  init(servers: Int) {
    precondition(servers > 0, "a service without servers answers nothing")
    freeAt = Array(repeating: .distantPast, count: servers)
  }

  /// Takes one request in and says when it is done.
  mutating func serve(arriving: Instant, busy: Span) -> Instant {
    let done = max(arriving, freeAt[0]) + busy
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < freeAt.count else { break }
      if child + 1 < freeAt.count, freeAt[child + 1] < freeAt[child] { child += 1 }
      guard freeAt[child] < done else { break }
      freeAt[parent] = freeAt[child]
      parent = child
    }
    freeAt[parent] = done
    return done
  }
}
