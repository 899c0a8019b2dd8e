import Contracts
import Testing
import Timekeeping

@Suite struct `Looks at what has changed` {
  @Test func `the first shows everything, as does one after a look that nobody knows`() {
    var log = ChangeLog<String>()
    log.note("before")
    #expect(log.look(since: 0) == nil)
    #expect(log.look == 1)
    log.note("a")
    #expect(log.look(since: 2) == nil)
    #expect(log.look(since: -1) == nil)
    #expect(log.look == 3)
  }

  @Test func `each names once what changed since the look that it goes on from`() {
    var log = ChangeLog<String>()
    _ = log.look(since: 0)
    for row in ["a", "b", "a"] { log.note(row) }
    #expect(log.look(since: 1) == ["a", "b"])
    log.note("a")
    #expect(log.look(since: 2) == ["a"])
    #expect(log.look(since: 1) == ["b", "a"], "whoever missed a look is told of it")
    #expect(log.look(since: 4) == [])
  }

  @Test(arguments: UInt64(1)...40)
  func `any number of readers see what a list of all changes would show them`(seed: UInt64) {
    var dice = RandomStream(seed: seed, owner: 1, purpose: 1)
    var log = ChangeLog<Int>()
    var changes: [(row: Int, after: Int)] = []
    var looks = [0, 0, 0]
    for _ in 0..<2_000 {
      if dice.chance(0.95) {
        let row = dice.pick(0..<30)
        log.note(row)
        changes.append((row, log.look))
        continue
      }
      let reader = dice.pick(0..<3)
      let since = looks[reader]
      let shown = log.look(since: since)
      looks[reader] = log.look
      guard since > 0 else {
        #expect(shown == nil)
        continue
      }
      let due = Set(changes.filter { $0.after >= since }.map(\.row))
      #expect(shown.map(Set.init) == due, "seed \(seed)")
      #expect(shown?.count == due.count, "seed \(seed): named twice")
    }
  }
}
