import Observations
import Runs
import Testing
import Timekeeping

@Suite struct `The pace of a load` {
  private static let starts = Instant(unixSeconds: 0)

  /// Calls of three seconds: 2 and 40 ms in the first, none in the second, 40 ms and one without an answer in the third.
  private var load: LoadTally {
    var load = LoadTally(starts: Self.starts, lasts: .seconds(3))
    func count(_ second: Int64, _ wait: SliceLatencies.Wait) {
      load.count(
        sent: Self.starts + .seconds(second), refused: false, lost: false, wait: wait)
    }
    count(0, .ended(.milliseconds(2)))
    count(0, .ended(.milliseconds(40)))
    count(0, .ended(.milliseconds(40)))
    count(2, .ended(.milliseconds(40)))
    count(2, .endless)
    return load
  }

  @Test func `has how many calls took how long in each slice, and none of those without an answer`()
    throws
  {
    let pace = LoadPace(wanted: [2, 0, 2], answered: [2, 1, 1], load: load)
    #expect(pace.times.map { $0.reduce(0, +) } == [3, 0, 1])
    #expect(pace.hasSlices(3) && !pace.hasSlices(4))
    func count(_ seconds: Double, in slice: Int) -> Int {
      let place = pace.edges.lastIndex { $0 <= seconds } ?? 0
      return pace.times[slice][place]
    }
    #expect(count(0.002, in: 0) == 1 && count(0.04, in: 0) == 2)
    #expect(count(0.002, in: 2) == 0 && count(0.04, in: 2) == 1)
  }

  @Test func `lists that do not agree are no pace`() {
    var pace = LoadPace(wanted: [], answered: [2, 1, 1], load: load)
    #expect(pace.hasSlices(3))
    pace.times[1].append(1)
    #expect(!pace.hasSlices(3))
    pace = LoadPace(wanted: [1], answered: [2, 1, 1], load: load)
    #expect(!pace.hasSlices(3))
  }
}
