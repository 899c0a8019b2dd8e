import Observations
import Timekeeping

/// What a load asked a server for over time, and what it got, in the slices of its series.
public struct LoadPace: Hashable, Sendable {
  /// Calls that the plan asks for in each slice, those of the warm-up left out; empty of closed workloads, which have no plan.
  public var wanted: [Double]
  /// Usable answers that came in each slice, to calls of any slice.
  public var answered: [Int]
  /// Where classes of response times begin and end, in seconds.
  public var edges: [Double]
  /// For each slice how many of its calls took from one edge to the next; what was not answered is in none.
  public var times: [[Int]]

  public init(wanted: [Double], answered: [Int], edges: [Double], times: [[Int]]) {
    self.wanted = wanted
    self.answered = answered
    self.edges = edges
    self.times = times
  }

  /// - Parameter load: Its slices are those of the other lists.
  public init(wanted: [Double], answered: [Int], load: LoadTally) {
    let slices = load.requests.indices.map { slice in
      load.latencies.classes(inSlice: slice).filter { $0.seconds.lowerBound.isFinite }
    }
    // Classes lie side by side, so that those in use give all edges but where nothing was.
    let ends = Set(slices.joined().flatMap { [$0.seconds.lowerBound, $0.seconds.upperBound] })
    let edges = ends.sorted()
    self.init(
      wanted: wanted, answered: answered, edges: edges,
      times: slices.map { classes in
        var counts = Array(repeating: 0, count: max(0, edges.count - 1))
        for each in classes {
          if let place = edges.firstIndex(of: each.seconds.lowerBound), place < counts.count {
            counts[place] += each.count
          }
        }
        return counts
      })
  }

  /// Whether its lists are of so many slices and agree with one another.
  public func hasSlices(_ count: Int) -> Bool {
    [0, count].contains(wanted.count) && answered.count == count && times.count == count
      && times.allSatisfy { $0.count == max(0, edges.count - 1) }
      && zip(edges, edges.dropFirst()).allSatisfy { $0 < $1 }
  }
}
