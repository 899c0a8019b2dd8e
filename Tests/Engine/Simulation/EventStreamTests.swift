import Backends
import Contracts
import Journeys
import Observations
import Simulation
import Synchronization
import Testing
import Timekeeping

/// People who ask often enough that a window's lines do not fit into a block.
private let talkative = ToyBackend(persons: { plan in
  (0..<30).map { index in
    PersonPlan(name: "person-\(index)", cell: 0) {
      ToyBehaviour(
        begins: plan.starts + .seconds(Int64(index)),
        { me throws(JourneyEnded) in
          try await me.think(.exponential(mean: .seconds(10)))
          _ = try await me.ask(.work(rows: me.draw(.domain(0)) { $0.pick(0..<20) }))
          return me.now + .seconds(20)
        })
    }
  }
})

/// Stands for the file of `--events` and the one in which blocks wait.
private final class Files: Sendable {
  struct State {
    var written: [UInt8] = []
    var blocks: [Int: [UInt8]] = [:]
    var stored = 0
    var most = 0
  }

  let state = Mutex(State())
  let room: Int

  /// - Parameter room: How many bytes may be written.
  init(room: Int = .max) { self.room = room }

  var stream: EventStream {
    EventStream(
      blocks: .init(
        store: { block in
          self.state.withLock { state in
            defer { state.stored += 1 }
            state.blocks[state.stored] = block
            state.most = max(state.most, state.blocks.count)
            return state.stored
          }
        }, load: { number in self.state.withLock { $0.blocks.removeValue(forKey: number) } }),
      write: { bytes in
        self.state.withLock { state in
          guard state.written.count + bytes.count <= self.room else { return false }
          state.written += bytes
          return true
        }
      })
  }

  var lines: [String] {
    state.withLock { state in
      state.written.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
    }
  }
}

@Suite struct `Events as they happen` {
  private let scenario = toyScenario(regions: 3, replications: 5)

  @discardableResult
  private func live(_ files: Files, workers: Int, stopsEarly: Bool = false) -> [ReplicationResult] {
    VirtualRun(
      scenario, domains: [AnyDomain(talkative)], tokens: NoTokens(), transcribing: .everybody,
      events: files.stream
    ).run(workers: workers, stopsEarly: stopsEarly)
  }

  @Test func `are the same lines in the same order on any workers`() {
    let kept = VirtualRun(
      scenario, domains: [AnyDomain(talkative)], tokens: NoTokens(), transcribing: .everybody
    ).run(workers: 2).flatMap(\.lines)
    #expect(kept.count > 5_000)
    for workers in [1, 2, 3, 7] {
      let files = Files()
      let results = live(files, workers: workers)
      #expect(files.lines == kept, "on \(workers) workers")
      #expect(results.allSatisfy { $0.lines.isEmpty })
      let state = files.state.withLock { ($0.blocks.count, $0.stored) }
      #expect(state.0 == 0, "every block was asked for again")
      #expect(state.1 > 0, "a window does not fit into memory")
    }
  }

  @Test func `come by replication, window and region`() throws {
    let files = Files()
    live(files, workers: 4)
    let places = try files.lines.map { line in
      let record = try #require(JSON(parsing: line))
      return (
        replication: try #require(record["replication"]?.int),
        region: try #require(record["region"]?.string)
      )
    }
    let replications = places.map(\.replication)
    #expect(replications == replications.sorted())
    // An hour has four windows, and what its end cut off comes behind them.
    let first = places.filter { $0.replication == 0 }.map(\.region)
    let turns = first.indices.filter { $0 == 0 || first[$0] != first[$0 - 1] }.map { first[$0] }
    #expect(turns.count >= 12 && turns.count <= 15)
    for (turn, region) in turns.prefix(12).enumerated() {
      #expect(region == "toy/\(turn % 3 + 1)")
    }
  }

  @Test func `end where nobody takes them any more, and the run goes on`() {
    let whole = Files()
    let results = live(whole, workers: 2)
    let short = Files(room: 100_000)
    #expect(live(short, workers: 2).map(\.digest) == results.map(\.digest))
    #expect(Array(whole.lines.prefix(short.lines.count - 1)) == short.lines.dropLast())
  }
}
