import Contracts
import Observations
import Testing
import Timekeeping

@testable import Simulation

@Suite struct `The recorder of a region` {
  private func request(_ rows: Int, at seconds: Int64, sequence: UInt32) -> Record<Toy> {
    let outcome: Outcome<Toy> =
      rows == 13 ? .refused(Toy.Refusal(code: "unlucky")) : .replied(.done)
    return Record(
      time: epoch + .seconds(seconds), person: PersonID(0), sequence: sequence, cell: 0,
      event: .request(
        Call(
          request: .work(rows: rows), operation: 0, credential: nil,
          intended: epoch + .seconds(seconds - 1), sent: epoch + .seconds(seconds - 1),
          answered: epoch + .seconds(seconds), outcome: outcome, attempt: 1)))
  }

  private func recorder(
    warmup: Span = .zero, access: AccessMatrix? = nil
  ) -> Recorder<RowsRuntime> {
    Recorder(
      "toy/1", people: ["anna", "bram"],
      checks: RowsRuntime(
        CheckRouter([
          .each(.to01, [.operation(0)]) { call, judge in
            judge.expect(call.outcome.isReplied, "it was refused")
          }
        ])),
      business: [
        BusinessLatency(
          "work", "Work", concerns: [.operation(0)],
          milestones: { record in
            [.begins("\(record.sequence)", record.time), .ends("\(record.sequence)", record.time)]
          })
      ],
      access: access, scenario: toyScenario(warmup: warmup),
      recording: Recording(whose: .everybody, replication: 0, stream: nil))
  }

  @Test func `tells everybody who listens, and names people in what it closes`() {
    var recorder = recorder()
    recorder.add(request(1, at: 1, sequence: 0), who: "toy/1/anna")
    recorder.add(request(13, at: 2, sequence: 1), who: "toy/1/anna")
    recorder.add(
      Passage(network: .milliseconds(250)), operation: 0, intended: epoch, took: .seconds(1))
    recorder.end(at: epoch + .hours(1)) { $0.person == PersonID(0) ? "toy/1/anna" : "nobody" }

    let tally = recorder.tally
    #expect(tally.persons == 2 && tally.requests == 2)
    #expect(tally.operations[0].replied == 1 && tally.operations[0].refused == 1)
    #expect(tally.operations[0].passages.shares(near: .seconds(1))?.network == 0.25)
    #expect(tally.limits.map(\.exercised) == [2] && tally.limits.map(\.violations) == [1])
    #expect(tally.limits[0].evidence.map(\.who) == ["toy/1/anna"])
    #expect(tally.business[0].ends == 2)
    #expect(tally.funnel.rows.map(\.persons).reduce(0, +) == 2)
    #expect(recorder.takeLines().lines.count == 2 && recorder.takeLines().lines.isEmpty)
  }

  @Test func `counts what the table of rights is about, by kinds of callers`() {
    var recorder = recorder(access: rights)
    for (index, rows) in [1, 2, 13, 13, 20, 0].enumerated() {
      recorder.add(request(rows, at: Int64(index), sequence: UInt32(index)), who: "toy/1/anna")
    }
    recorder.end(at: epoch + .hours(1)) { _ in "" }
    let access = recorder.tally.access
    #expect(access?.columns == ["few", "many"])
    func counts(_ access: AccessTally?) -> [[Int]]? {
      access?.cells.map { [$0[0].granted, $0[0].refused, $0[0].wrong] }
    }
    #expect(counts(access) == [[2, 0, 1], [1, 2, 0], [1, 0, 0], [0, 0, 0]])
    var both = recorder.tally
    both.merge(recorder.tally)
    #expect(counts(both.access) == [[4, 0, 2], [2, 4, 0], [2, 0, 0], [0, 0, 0]])
    var again = self.recorder(access: rights).tally
    #expect(again.access != access)
    again.merge(recorder.tally)
    #expect(again.access == access)
  }

  @Test func `leaves what was meant for the warm-up out of every latency`() {
    var recorder = recorder(warmup: .seconds(10))
    recorder.add(request(1, at: 5, sequence: 0), who: "toy/1/anna")
    recorder.add(
      Passage(network: .milliseconds(250)), operation: 0, intended: epoch, took: .seconds(1))
    recorder.end(at: epoch + .hours(1)) { _ in "" }
    #expect(recorder.tally.requests == 1 && recorder.tally.operations[0].latencies.count == 0)
    #expect(recorder.tally.operations[0].passages == PassageTally())
    #expect(recorder.tally.business[0].finished.count == 0)
  }

  @Test func `has a digest that depends on every record`() {
    func digest(_ rows: [Int]) -> Digest {
      var recorder = recorder()
      for (index, rows) in rows.enumerated() {
        recorder.add(request(rows, at: Int64(index), sequence: UInt32(index)), who: "anna")
      }
      recorder.end(at: epoch + .hours(1)) { _ in "" }
      return recorder.tally.digest
    }
    #expect(digest([1, 2]) == digest([1, 2]))
    #expect(digest([1, 2]) != digest([1]) && digest([1, 13]) != digest([13, 1]))
  }
}
