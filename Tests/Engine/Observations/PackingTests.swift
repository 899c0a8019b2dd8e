import Backends
import Contracts
import Journeys
import Observations
import Scenarios
import Simulation
import Testing
import Timekeeping

@Suite struct `Counts as bytes` {
  private static func scenario() -> Scenario {
    var scenario = toyScenario(lasts: .hours(1), regions: 2, replications: 2)
    scenario.isWarmUpAutomatic = true
    return scenario
  }

  private static let backend = ToyBackend(
    persons: { plan in
      (0..<6).map { number in
        PersonPlan(name: "phone-\(number)", cell: 0) {
          ToyBehaviour(begins: epoch + .minutes(Int64(number))) {
            (me: Person<Toy>) async throws(JourneyEnded) -> Instant? in
            for _ in 0..<20 {
              try await me.think(.seconds(30))
              _ = try await me.ask(.work(rows: number))
            }
            return nil
          }
        }
      }
    }, access: rights)

  private static func empty(_ scenario: Scenario) -> ReplicationResult {
    ReplicationResult(
      index: 0, seed: 0, worlds: [AnyDomain(backend).emptyTally(scenario)], lines: [],
      ended: scenario.starts, digest: Digest())
  }

  @Test func `a replication comes back from its bytes with everything that was counted`() throws {
    let scenario = Self.scenario()
    for result in live(scenario, in: Self.backend) {
      #expect(result.worlds[0].requests > 100)
      let bytes = result.packed
      var again = Self.empty(scenario)
      try again.unpack(bytes)
      #expect(again.packed == bytes)
      #expect(again.digest == result.digest && again.index == result.index)
      #expect(again.seed == result.seed && again.ended == result.ended)
      let (tally, other) = (result.worlds[0], again.worlds[0])
      #expect(tally.access?.cells[0][0].wrong == 40 && tally.access == other.access)
      #expect(tally.funnel == other.funnel && tally.load.waited == other.load.waited)
      for (own, read) in zip(tally.operations, other.operations) {
        #expect(own.sample == read.sample && own.passages == read.passages)
        #expect(own.replied == read.replied && own.inProcess == read.inProcess)
      }
      // What was counted of the beginning by itself is there, too.
      var (first, second) = (tally, other)
      first.leaveOut(parts: 1)
      second.leaveOut(parts: 1)
      #expect(first.packed == second.packed)
    }
  }

  @Test func `what is told of replications together is kept once, and their sum is as before`() {
    let scenario = Self.scenario()
    let results = live(scenario, in: Self.backend)
    var (first, second) = (results[0], results[1])
    second.give(to: &first)
    #expect(second.packed.count < results[1].packed.count)
    #expect(second.worlds[0].operations.allSatisfy { $0.passages == PassageTally() })
    var (sum, given) = (results[0].worlds[0], first.worlds[0])
    sum.merge(results[1].worlds[0])
    given.merge(second.worlds[0])
    #expect(sum.packed == given.packed)
    // What is left out of all of them is left out of the sum.
    var (apart, other) = (results[0].worlds[0], results[1].worlds[0])
    apart.leaveOut(parts: 1)
    other.leaveOut(parts: 1)
    apart.merge(other)
    var (own, rest) = (first.worlds[0], second.worlds[0])
    own.leaveOut(parts: 1)
    rest.leaveOut(parts: 1)
    own.merge(rest)
    for (one, another) in zip(apart.operations, own.operations) {
      #expect(one.passages == another.passages && one.sample == another.sample)
    }
  }

  @Test func `bytes that are cut or changed are refused or read, and never stop the program`()
    throws
  {
    let scenario = Self.scenario()
    let whole = live(scenario, in: Self.backend)[0].packed
    let seed = UInt64.random(in: 0...999_999)
    var stream = RandomStream(seed: seed, owner: 0, purpose: 0)
    var refused = 0
    for _ in 0..<2_000 {
      var bytes = whole
      for _ in 0...Int(stream.unit() * 4) {
        let place = Int(stream.unit() * Double(bytes.count))
        bytes[place] = UInt8(stream.unit() * 256)
      }
      if stream.unit() < 0.3 { bytes.removeLast(1 + Int(stream.unit() * Double(bytes.count - 1))) }
      var result = Self.empty(scenario)
      do throws(PackingProblem) {
        try result.unpack(bytes)
        // What can be read can be added up.
        var sum = result.worlds[0]
        sum.merge(result.worlds[0])
      } catch {
        refused += 1
      }
    }
    #expect(refused > 500, "seed \(seed)")
  }

  @Test func `numbers come back at the ends of their ranges`() throws {
    for value in [Int64.min, -1, 0, 1, .max] {
      var packing = Packing()
      var own = value
      try packing.pack(&own)
      var reading = Packing(reading: packing.bytes)
      var read: Int64 = 7
      try reading.pack(&read)
      try reading.end()
      #expect(read == value)
    }
    // Eleven bytes are more than 64 bits, and a list is not longer than what is left.
    var long = Packing(reading: Array(repeating: 0xff, count: 11))
    var number: UInt64 = 0
    #expect(throws: PackingProblem.self) { try long.pack(&number) }
    var texts = Packing(reading: [200, 1, 0])
    var text = ""
    #expect(throws: PackingProblem.self) { try texts.pack(&text) }
  }
}
