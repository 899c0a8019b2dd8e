import Testing
import Timekeeping

@testable import Observations

@Suite struct `What is kept until it can be judged` {
  @Test func `comes once each, in the order of its due instants, however it is asked for`() {
    let seed: UInt64 = 2_026_1126
    var stream = RandomStream(seed: seed, owner: 1, purpose: 0)
    var (one, other) = (Ripening<Int>(), Ripening<Int>())
    for number in 0..<3_000 {
      let now = Instant(unixSeconds: Int64(number / 3))
      if stream.chance(0.1) {
        one.tell(number)
        other.tell(number)
      } else {
        let due = now + .seconds(Int64(stream.pick(0..<40)))
        one.keep(number, until: due)
        other.keep(number, until: due)
      }
      guard stream.chance(0.3) else { continue }
      var taken: [Int] = []
      while let next = one.next(at: now) { taken.append(next) }
      #expect(taken == other.ripe(at: now), "record \(number), seed \(seed)")
    }
  }
}
