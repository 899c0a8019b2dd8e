import Contracts
import Testing
import Timekeeping

@Suite struct `What a twin has to do by itself` {
  @Test func `comes in the order of time, and at one instant the least first`() {
    let seed: UInt64 = 2_026_1126
    var stream = RandomStream(seed: seed, owner: 1, purpose: 0)
    var alarms = Alarms<Int>()
    var expected: [(at: Instant, item: Int)] = []
    for step in 0..<2_000 {
      if stream.chance(0.6) {
        let (at, item) = (Instant(unixSeconds: Int64(stream.pick(0..<50))), stream.pick(0..<20))
        alarms.set(item, at: at)
        expected.append((at, item))
        expected.sort { ($0.at, $0.item) < ($1.at, $1.item) }
      } else if let first = alarms.first {
        let next = expected.removeFirst()
        #expect(first.at == next.at && first.item == next.item, "step \(step), seed \(seed)")
        alarms.removeFirst()
      }
    }
    while let first = alarms.first {
      let next = expected.removeFirst()
      #expect(first.at == next.at && first.item == next.item, "seed \(seed)")
      alarms.removeFirst()
    }
    #expect(expected.isEmpty, "seed \(seed)")
  }
}
