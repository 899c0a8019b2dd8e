import Contracts
import Testing
import Timekeeping

@Suite struct `What a twin has to do by itself` {
  @Test func `comes in the order of time, at one instant by number, and as it was set last`() {
    let seed: UInt64 = 2_026_1126
    var stream = RandomStream(seed: seed, owner: 1, purpose: 0)
    var alarms = Alarms()
    var expected: [Int: Instant] = [:]
    var earliest: (number: Int, due: Instant)? {
      expected.min { ($0.value, $0.key) < ($1.value, $1.key) }.map { ($0.key, $0.value) }
    }
    for step in 0..<5_000 {
      let number = stream.pick(0..<20)
      if stream.chance(0.5) {
        expected[number] = Instant(unixSeconds: Int64(stream.pick(0..<50)))
        alarms[number] = expected[number]
      } else if stream.chance(0.3) {
        (alarms[number], expected[number]) = (nil, nil)
      } else {
        let now = Instant(unixSeconds: Int64(stream.pick(0..<50)))
        let next = alarms.next(until: now)
        let due = earliest.flatMap { $0.due <= now ? $0 : nil }
        #expect(next?.number == due?.number && next?.due == due?.due, "step \(step), seed \(seed)")
        if let due { expected[due.number] = nil }
      }
      #expect(alarms.first == earliest?.due, "step \(step), seed \(seed)")
      #expect(alarms[number] == expected[number], "step \(step), seed \(seed)")
    }
  }
}
