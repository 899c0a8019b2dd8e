import Runs
import Testing

/// Searches among servers that are made up.
@Suite struct `The search for a capacity` {
  private func search(
    from start: Double = 100, most: Double = 1_000_000,
    _ server: (_ rate: Double, _ step: Int) -> CapacitySearch.Outcome
  ) -> CapacitySearch {
    var search = CapacitySearch(from: start, most: most)
    while let rate = search.next { search.note(server(rate, search.steps.count), at: rate) }
    return search
  }

  @Test(arguments: [3.0, 99, 100, 101, 1_234, 6_400, 77_777])
  func `encloses it within a twentieth, and tries both ends three times`(capacity: Double) {
    let search = search { rate, _ in rate <= capacity ? .held : .broke }
    guard case .found(let held, let broke) = search.result else {
      Issue.record("\(search.result)")
      return
    }
    #expect(held <= capacity && capacity < broke && broke / held <= 1.05)
    #expect(search.steps.count { $0.perSecond == held } == 3)
    #expect(search.steps.count { $0.perSecond == broke } == 3)
    #expect(search.steps.count < 30)
  }

  @Test func `leaves what is now one, now the other, within its interval`() {
    let search = search { rate, step in
      rate < 900 ? .held : rate > 1_100 ? .broke : step % 2 == 0 ? .held : .broke
    }
    guard case .found(let held, let broke) = search.result else {
      Issue.record("\(search.result)")
      return
    }
    #expect(held <= 1_100 && broke >= 900 && held < broke)
    for rate in [held, broke] {
      #expect(Set(search.steps.filter { $0.perSecond == rate }.map(\.outcome)).count == 1)
    }
  }

  @Test func `keeps what cannot be told apart from what broke`() {
    let search = search { rate, _ in
      rate < 900 ? .held : rate > 1_100 ? .broke : .undecided
    }
    guard case .found(let held, let broke) = search.result else {
      Issue.record("\(search.result)")
      return
    }
    #expect(held < 900 && broke > 1_100 && held > 850 && broke < 1_160)
  }

  @Test func `says so where it held to the end, or never`() {
    #expect(search(most: 5_000) { _, _ in .held }.result == .notReached(held: 5_000))
    let never = search { _, _ in .broke }
    guard case .neverHeld(let lowest) = never.result else {
      Issue.record("\(never.result)")
      return
    }
    #expect(lowest < 2 && never.steps.count < 15)
    let few = search { rate, _ in rate < 30 ? .undecided : .broke }
    #expect(few.result == .neverHeld(lowest: 50) && few.steps.count == 5)
    let silent = search { _, _ in .undecided }
    #expect(silent.result == .cannotTell(at: 100) && silent.steps.count == 3)
  }

  @Test func `tries an end again that could not be told, until it has held or broken three times`()
  {
    var silent: [Double: Int] = [:]
    let search = search { rate, _ in
      // Every rate cannot be told at first.
      silent[rate, default: 0] += 1
      return silent[rate] == 1 ? .undecided : rate <= 900 ? .held : .broke
    }
    guard case .found(let held, let broke) = search.result else {
      Issue.record("\(search.result)")
      return
    }
    #expect(search.count(.held, at: held) == 3 && search.count(.undecided, at: held) == 1)
    #expect(search.count(.broke, at: broke) == 3 && search.count(.undecided, at: broke) == 1)
  }

  @Test func `takes no rate for an end that cannot be told again and again`() {
    var tries: [Double: Int] = [:]
    let search = search { rate, _ in
      tries[rate, default: 0] += 1
      if rate > 1_000 { return .broke }
      // Held once, and silent from then on.
      return rate > 900 && tries[rate] ?? 0 > 1 ? .undecided : .held
    }
    guard case .found(let held, let broke) = search.result else {
      Issue.record("\(search.result)")
      return
    }
    #expect(held <= 900 && broke > 1_000)
    #expect(search.count(.held, at: held) == 3 && search.count(.broke, at: broke) == 3)
  }

  @Test func `has found nothing where its steps run out before both ends were tried three times`() {
    var search = CapacitySearch(from: 100, most: 1_000_000)
    search.note(.held, at: 100)
    search.note(.broke, at: 104)
    #expect(search.next != nil && search.result == .unfinished(held: 100, broke: 104))
  }
}
