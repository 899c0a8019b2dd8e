import Contracts
import Foundation
import Reports
import Runs
import Testing

@Suite struct `Results that are not what they should be` {
  private struct Unread: Error {}

  /// The sample's result with one value replaced.
  private func altered(_ path: [String], _ value: JSON?) throws -> [UInt8] {
    var whole = ResultDocument.json(for: SampleRun.failing)
    try set(value, at: path[...], in: &whole)
    return whole.bytes
  }

  private func set(_ value: JSON?, at path: ArraySlice<String>, in json: inout JSON) throws {
    let name = try #require(path.first)
    if let index = Int(name) {
      var items = try #require(json.array)
      if path.count == 1 {
        items[index] = try #require(value)
      } else {
        try set(value, at: path.dropFirst(), in: &items[index])
      }
      json = .array(items)
    } else {
      var object = try #require(json.object)
      if path.count == 1 {
        object[name] = value
      } else {
        var member = try #require(object[name])
        try set(value, at: path.dropFirst(), in: &member)
        object[name] = member
      }
      json = .object(object)
    }
  }

  private func problem(_ bytes: [UInt8]) throws -> ReadingProblem {
    do throws(ReadingProblem) {
      _ = try ResultReading.figures(of: bytes, file: "r.json")
    } catch { return error }
    throw Unread()
  }

  @Test(
    arguments: [
      (["latencies"], nil, "r.json: 'latencies' is missing; "),
      (
        ["latencies", "0", "quantiles", "1", "q"], 5,
        "r.json: latencies[0].quantiles[1].q: found 5; expected a number from 0 to 1"
      ),
      (
        ["latencies", "0", "quantiles", "1", "seconds"], -1,
        "r.json: latencies[0].quantiles[1].seconds: found -1; expected a number, at least 0 or null"
      ),
      (["virtualSeconds"], -3, "r.json: virtualSeconds: found -3; expected a number, at least 0"),
      (
        ["digest"], "abc",
        "r.json: digest: found 'abc'; expected text such as '5d0f3c81a94e27b6c0de81f2a7739b14'"
      ),
      (
        ["replications", "2", "digest"], "x", "r.json: replications[2].digest: found 'x'; expected"
      ),
      (["objectives", "0", "estimate"], -0.5, "r.json: objectives[0].estimate: found -0.5; "),
      (
        ["limits", "0", "verdict"], "green",
        "r.json: limits[0].verdict: found 'green'; expected one"
      ),
      (["exitCode"], 1, "r.json: exitCode: found 1; expected one of 0, 99, 98, 97"),
      (
        ["seed"], "-1",
        "r.json: seed: found '-1'; expected a whole number, at least 0, or text such"
      ),
    ] as [([String], JSON?, String)])
  func `a value that breaks the schema is named with its location and what would be right`(
    path: [String], value: JSON?, message: String
  ) throws {
    #expect(try problem(altered(path, value)).description.hasPrefix(message))
  }

  @Test func `a digest that does not follow from its replications' is not believed`() throws {
    let other = try #require(SampleRun.failing.replications.last?.digest)
    let changed = try problem(altered(["replications", "0", "digest"], .string(other)))
    #expect(changed.description.contains("does not follow from the digests of its replications"))
    let baseline = String(
      decoding: BaselineDocument.bytes(for: SampleRun.failing.figures), as: UTF8.self)
    let first = SampleRun.failing.replications[0].digest
    let found = try problem(Array(baseline.replacingOccurrences(of: first, with: other).utf8))
    #expect(found.description.contains("does not follow"))
  }

  @Test func `whatever stands in a result, reading it ends with a run or a reason`() throws {
    let whole = ResultDocument.json(for: SampleRun.failing)
    var paths: [[String]] = []
    func collect(_ json: JSON, _ path: [String]) {
      paths.append(path)
      for (name, member) in json.object?.members ?? [] { collect(member, path + [name]) }
      // The first of a list stands for all: they are read alike.
      if let first = json.array?.first { collect(first, path + ["0"]) }
    }
    collect(whole, [])
    let strange: [JSON] = [
      .null, -1, 0, 1e300, .int(.max), "", "2026-03-21T05:00:00Z", [], [:], [[1, 2]], true,
    ]
    // Two values for each place, others for the next one, so that all meet all kinds of places in seconds.
    for (number, path) in paths.enumerated().dropFirst() {
      for value in [strange[number % 11], strange[(number + 4) % 11]] {
        do throws(ReadingProblem) {
          _ = try RunReading.run(of: try! altered(path, value), file: "r.json")
        } catch {
          #expect(!error.wrong.isEmpty && !error.right.isEmpty, "\(path) \(value)")
        }
      }
    }
  }

  @Test func `what can be read can be rendered`() throws {
    let places: [([String], JSON)] = [
      (["load", "0", "refused"], []), (["load", "0", "sliceSeconds"], 0),
      (["load", "0", "p50Seconds"], [1]), (["load", "0", "requests"], []),
      (["scenario", "lastsSeconds"], 0), (["latencies", "0", "curve"], [[0.5, 1], [0.1, 2]]),
      (["business", "0", "survival"], []), (["replications"], []), (["virtualSeconds"], 0),
      (["machine", "wallSeconds"], 0), (["objectives", "0", "interval"], [5, 1]),
      (["objectives", "0", "bound"], 0), (["persons"], 1_000_000_000_000),
    ]
    for (path, value) in places {
      do throws(ReadingProblem) {
        let run = try RunReading.run(of: try! altered(path, value), file: "r.json")
        #expect(!Rendering.views(of: run).isEmpty)
      } catch {
        #expect(!error.right.isEmpty)
      }
    }
  }
}
