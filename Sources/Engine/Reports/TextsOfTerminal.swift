import Runs

/// Words that a terminal, a CI server and a pull request show and the page does not.
extension Texts {
  /// Rules that were not tried, by their ids.
  func untriedRules(_ ids: [String]) -> String {
    "Not tried: \(rules(ids.count)), of which this run says nothing (\(ids.joined(separator: ", ")))"
  }

  /// How late requests left, and whether everybody came who was to.
  func punctuality(_ found: Punctuality) -> String {
    let names = [0.5: "half", 0.99: "99 %", 1: "all"]
    let late = found.lateness.compactMap { point in
      names[point.share].map { "\($0) within \(Figures.duration(point.seconds))" }
    }
    let left =
      late.isEmpty ? "No request was due" : "Requests left late: " + late.joined(separator: ", ")
    guard found.arrivals > 0 else { return left }
    let came = "\(Figures.count(found.arrivals, "session")) to begin"
    return left + " · " + came + (found.missed > 0 ? ", \(Figures.count(found.missed)) missed" : "")
  }

  func comparisonCannotTell(_ sentence: String) -> String {
    "Nothing failed, but the comparison with the baseline cannot tell: \(sentence)"
  }

  /// The figures that a comparison found grown, for lists of tests.
  func grew(_ figure: String, from before: String, to after: String, change: String) -> String {
    "\(figure): \(before) → \(after), \(change)"
  }

  func turned(_ limit: String, from before: String, to after: String) -> String {
    "\(limit): \(before) → \(after)"
  }

  // What to do next, in few words

  var seeWhen: String { "The report shows when it was slow, and where." }
  var repeatIt: String { "After the change, repeat the same run:" }
  var moreWouldDecide: String { "More replications would probably decide:" }
  var nothingDecides: String {
    "More replications would not decide: the truth lies near the bound. Choose another bound, or make it faster."
  }
  var openRules: String { "The report says what kept these rules open." }
  var tryRules: String {
    "Let the scenario try more: more people, a longer time, or adversaries."
  }
  var acceptIt: String { "If this change is wanted, accept the run as the baseline:" }
  var compareNext: String { "Hold later runs against this one:" }
  var compareMore: String { "Accept a baseline with more replications and compare again:" }
  var letItEnd: String { "Let the same run come to its end:" }
}
