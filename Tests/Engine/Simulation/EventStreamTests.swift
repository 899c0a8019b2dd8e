import Backends
import Contracts
import Journeys
import Observations
import Simulation
import Synchronization
import Testing
import Timekeeping

/// People who ask often enough that a window's lines do not fit into a block.
private let talkative = ToyBackend(residents: { plan in
  (0..<30).map { index in
    Resident(name: "person-\(index)", cell: 0) {
      ToyLife(
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
      scenario, rooms: [Stage(talkative)], tokens: NoTokens(), transcribing: .everybody,
      events: files.stream
    ).run(workers: workers, stopsEarly: stopsEarly)
  }

  @Test func `are the same lines in the same order on any workers`() {
    let kept = VirtualRun(
      scenario, rooms: [Stage(talkative)], tokens: NoTokens(), transcribing: .everybody
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

  @Test func `come by replication, window, region and time`() throws {
    let files = Files()
    live(files, workers: 4)
    var keys: [[String]] = []
    for line in files.lines {
      let record = try #require(JSON(parsing: line))
      let seen = try #require(Instant(record["answered"]?.string ?? record["sent"]?.string ?? ""))
      let window = (seen - dawn).nanoseconds / Span.minutes(15).nanoseconds
      keys.append([
        "\(record["replication"]?.int ?? -1)", "\(window)", record["region"]?.string ?? "",
      ])
    }
    // A person may run ahead within its window, never beyond: what is answered later than sent may count for the next.
    let replications = keys.map { $0[0] }
    #expect(replications == replications.sorted())
    let first = keys.filter { $0[0] == "0" }.map { $0[2] }
    let turns = first.indices.filter { $0 == 0 || first[$0] != first[$0 - 1] }
    #expect(turns.count == 4 * 3, "each of four windows has three regions, in order")
    #expect(turns.map { first[$0] }.prefix(3) == ["toy/1", "toy/2", "toy/3"])
  }

  @Test func `end where nobody takes them any more, and the run goes on`() {
    let whole = Files()
    let results = live(whole, workers: 2)
    let short = Files(room: 100_000)
    #expect(live(short, workers: 2).map(\.digest) == results.map(\.digest))
    #expect(Array(whole.lines.prefix(short.lines.count - 1)) == short.lines.dropLast())
  }
}
