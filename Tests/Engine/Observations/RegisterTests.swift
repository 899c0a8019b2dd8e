import Observations
import Testing
import Timekeeping

@Suite struct `What certainly held throughout an interval` {
  private func at(_ second: Int64) -> Instant { Instant(unixSeconds: second) }
  private func from(_ first: Int64, _ last: Int64) -> ClosedRange<Instant> { at(first)...at(last) }

  @Test func `nothing is certain before anything is known`() {
    #expect(Register<Int>().value(during: from(0, 1)) == nil)
    #expect(Register(7).value(during: from(0, 1)) == 7)
    var register = Register<Int>()
    register.set(1, during: from(5, 6))
    #expect(register.value(during: from(0, 4)) == nil)
    #expect(register.value(during: from(5, 9)) == nil)
    #expect(register.value(during: from(6, 9)) == 1)
  }

  @Test func `a change is certain from its end, and doubtful while it is under way`() {
    var register = Register(1)
    register.set(2, during: from(10, 20))
    #expect(register.value(during: from(0, 9)) == 1)
    #expect(register.value(during: from(0, 10)) == nil)
    #expect(register.value(during: from(12, 15)) == nil)
    #expect(register.value(during: from(20, 30)) == 2)
  }

  @Test func `changes that overlap leave nothing certain, unless they agree or another follows`() {
    var register = Register(1)
    register.set(2, during: from(10, 20))
    register.set(3, during: from(15, 25))
    #expect(register.value(during: from(30, 31)) == nil)
    #expect(register.values(during: from(30, 31)) == [2, 3])
    register.set(4, during: from(25, 26))
    #expect(register.value(during: from(30, 31)) == 4)
    var agreed = Register(1)
    agreed.set(2, during: from(10, 20))
    agreed.set(2, during: from(15, 25))
    #expect(agreed.value(during: from(25, 31)) == 2)
  }

  @Test func `a change without an answer clouds what it may have changed, for ever`() {
    var register = Register(1)
    register.set(2, during: at(10) ... .distantFuture, isCertain: false)
    #expect(register.value(during: from(0, 9)) == 1)
    #expect(register.value(during: from(20, 30)) == nil)
    register.set(1, during: from(40, 41))
    #expect(register.value(during: from(50, 60)) == nil)
    register.set(2, during: from(70, 71))
    #expect(register.value(during: from(80, 90)) == 2, "it agrees with what may come yet")
    #expect(register.holds(during: from(50, 60)) { $0 > 0 } == true)
    #expect(register.holds(during: from(50, 60)) { $0 > 1 } == nil)
    #expect(register.holds(during: from(0, 9)) { $0 > 1 } == false)
  }

  @Test func `the operator's commands follow each other, however close`() {
    var register = Register<Int>()
    register.follow(1, at: at(10))
    register.follow(2, at: at(10))
    #expect(register.value(during: from(11, 12)) == 2)
    #expect(register.value(during: from(10, 12)) == nil, "a command works within a second")
    register.follow(3, at: at(20))
    #expect(register.value(during: from(12, 18)) == 2)
    #expect(register.value(during: from(12, 19)) == nil)
    #expect(register.value(during: from(21, 99)) == 3)
  }

  @Test func `forgetting what is replaced changes no later answer`() {
    var register = Register(1)
    register.set(2, during: from(10, 20))
    register.set(3, during: from(30, 40))
    register.set(4, during: from(50, 60))
    register.forget(before: at(45))
    #expect(register.value(during: from(45, 49)) == 3)
    #expect(register.value(during: from(60, 61)) == 4)
    #expect(register.latest == 4)
  }

  /// One change of the model: it works at one instant of its interval, or perhaps never.
  private struct Change {
    let first: Int
    let last: Int
    let value: Int
    let isCertain: Bool
  }

  /// Every value that there can be at some instant of a window, by trying all instants at which each change may work and
  /// all orders of those that work together; and whether it can be unknown.
  private static func possible(
    _ changes: [Change], _ window: ClosedRange<Int>, horizon: Int
  ) -> (values: Set<Int>, mayBeUnknown: Bool) {
    var values: Set<Int> = []
    var mayBeUnknown = false
    var instants = [Int?](repeating: nil, count: changes.count)

    func play() {
      for now in window {
        var latest = -1
        for instant in instants { if let instant, instant <= now { latest = max(latest, instant) } }
        if latest < 0 {
          mayBeUnknown = true
          continue
        }
        for (index, instant) in instants.enumerated() where instant == latest {
          // At one instant they come in any order, but for changes of which one's interval ends as the other's begins.
          let followers = changes.indices.filter { other in
            instants[other] == latest && other != index
              && changes[other].first >= changes[index].last
              && (changes[other].last > changes[index].first || other > index)
          }
          // What was over as the window began came before it; else what is followed was there, if only for a moment.
          let isBefore =
            latest == window.lowerBound
            ? followers.contains { changes[$0].last <= window.lowerBound }
            : latest < window.lowerBound
          if followers.isEmpty || !isBefore { values.insert(changes[index].value) }
        }
      }
    }

    func choose(_ index: Int) {
      guard index < changes.count else { return play() }
      let change = changes[index]
      for instant in change.first...min(change.last, horizon) {
        instants[index] = instant
        choose(index + 1)
      }
      if !change.isCertain {
        instants[index] = nil
        choose(index + 1)
      }
    }
    choose(0)
    return (values, mayBeUnknown)
  }

  @Test func `it agrees with all that may have happened, by brute force`() {
    let seed: UInt64 = 2_026_1122
    var stream = RandomStream(seed: seed, owner: 1, purpose: 0)
    let horizon = 9
    for round in 0..<800 {
      var changes: [Change] = []
      for _ in 0...stream.pick(0..<4) {
        let first = stream.pick(0..<7)
        let isCertain = !stream.chance(0.2)
        changes.append(
          Change(
            first: first, last: isCertain ? first + stream.pick(0..<3) : horizon + 1,
            value: stream.pick(0..<2), isCertain: isCertain))
      }
      let low = stream.pick(0..<8)
      let window = low...min(horizon, low + stream.pick(0..<3))
      var register = Register<Int>()
      for change in changes {
        register.set(
          change.value,
          during: change.isCertain
            ? from(Int64(change.first), Int64(change.last))
            : at(Int64(change.first)) ... .distantFuture, isCertain: change.isCertain)
      }
      let truth = Self.possible(changes, window, horizon: horizon)
      let expected = truth.mayBeUnknown || truth.values.count != 1 ? nil : truth.values.first
      let told = register.value(during: from(Int64(window.lowerBound), Int64(window.upperBound)))
      // Claims nothing that may be otherwise, and claims whatever cannot.
      #expect(
        told == expected,
        "seed \(seed), round \(round): \(changes) in \(window) may be \(truth)")
      if told != expected { return }
    }
  }
}
