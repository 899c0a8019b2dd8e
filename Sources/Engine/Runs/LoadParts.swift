import Observations
import Timekeeping

/// The parts of one load that its intervals come from: equal stretches of time, by when calls were due.
///
/// A part in which the plan asks for nothing is left out. One that is empty although the plan asks for calls is a time in which every
/// user waited: it is counted with the part before, whose calls were under way and hold that time. (To add an empty tally changes no
/// count, so that nothing is added here; rates and counts are over all stretches, the empty ones among them.)
struct LoadParts {
  /// In the order of time.
  let all: [WorldTally]
  /// Those with calls; the first one where there was none at all.
  let kept: [WorldTally]
  /// How many are left out because the plan asks for nothing there.
  let resting: Int

  /// - Parameters:
  ///   - all: At least one.
  ///   - asks: Whether the plan asks for calls in each.
  init(_ all: [WorldTally], asks: [Bool]) {
    precondition(!all.isEmpty && all.count == asks.count, "a load has parts, each with its plan")
    self.all = all
    let filled = all.filter { $0.requests > 0 }
    kept = filled.isEmpty ? [all[0]] : filled
    resting = zip(all, asks).count { $0.requests == 0 && !$1 }
  }

  /// How many could have calls, however long the load is.
  var most: Int { all.count - resting }

  /// `20 equal parts of this one run, 1s each`.
  func inWords(each length: Span) -> String {
    let words = "\(all.count) equal parts of this one run, \(length) each"
    let joined = max(0, most - kept.count)
    let notes = [
      resting > 0 ? "without \(resting) in which the load asks for no call" : nil,
      joined > 0
        ? "\(joined) in which no call was due counted with the part before, whose calls were under way"
        : nil,
    ].compactMap(\.self)
    return notes.isEmpty ? words : "\(words) (\(notes.joined(separator: "; ")))"
  }
}
