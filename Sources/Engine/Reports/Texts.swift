import Runs

/// Every word that reports say on their own, in one place, so that another language is another value.
///
/// Stored texts are read by templates under their names; functions join them with figures.
public struct Texts: Sendable {
  public static let english = Texts()

  let screen = FirstScreenTexts()
  let load = LoadTexts()
  let language = "en"
  let report = "Rehearsal report"
  let skip = "Skip to the verdict"
  let contents = "Contents"
  let never = "never"
  let networkPart = "network"
  let waitingPart = "waiting"
  let servicePart = "service"
  let otherPart = "delays"
  let tooFew = "too few"
  let none = "–"
  let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  // Verdicts
  let pass = "Held"
  let fail = "Failed"
  let inconclusive = "Cannot tell"
  let notExercised = "Not tried"
  let invalid = "Run invalid"
  let interrupted = "Interrupted"

  // The verdict's section
  let meaning = "What this means"
  let next = "What next"
  let peopleColumn = "People"
  let repeatRun = "Repeat this run"

  // Against a baseline
  let comparison = "Against the baseline"
  let comparisonIntro = """
    The bar is the range of changes that the data leave plausible, the dot the best estimate, the vertical line no change; \
    changes inside the shaded band are accepted. Further to the right is slower.
    """
  let comparisonCaption = "Figures compared with the baseline, slower ones first"
  let moreComparisonCaption = "The other figures compared with the baseline"
  let scenarioDiffers = """
    The two runs’ scenario files differ: part of a change may come from that.
    """
  let figure = "Figure"
  let againstMargin = "Against the margin"
  let before = "Before"
  let after = "Now"
  let change = "Change"
  let changedLimits = "Rules whose verdict changed"
  let regression = "Regression"
  let slower = "Slower"
  let faster = "Faster"
  let unchanged = "Same"
  let identical = "Identical"

  // Limits
  let limits = "Documented rules"
  let limitsIntro = """
    What the backend’s own documents promise, judged from what people and devices could see. A rule counts as \
    held only where people tried to break it or depended on it.
    """
  let limitsCaption = "Documented rules that were tried, failed ones first"
  let heldCaption = "Documented rules that were tried and held"
  let untriedCaption = "Documented rules that this run did not try, with the reason"
  let verdict = "Verdict"
  let rule = "Rule"
  let tried = "Tried"
  let broken = "Broken"
  let source = "Source"
  let reason = "Reason"
  let noReason = "No reason given"
  let showAgain = "See it again:"
  let noLimits = "This run judged no documented rules."

  // Objectives
  let objectives = "Objectives"
  let objectivesIntro = """
    What this scenario demands beyond the documented rules.
    """
  let objectivesCaption = "Objectives of the scenario, failed ones first"
  let objective = "Objective"
  let estimate = "Estimate"
  let interval = "95% interval"
  let bound = "Bound"
  let noObjectives = "The scenario states no objectives."

  // Latencies
  let latencies = "Response times"
  let latenciesCaption = "Response times by operation, slowest first"
  let otherLatenciesCaption = "Response times of all other operations, slowest first"
  let operation = "Operation"
  let basis = "Basis"
  let partsMeaning = """
    The bar shows what the response times near that quantile are made of, on average: network as the scenario assumes it, \
    waiting before the servers, service. Only the last two are about the backend.
    """
  let count = "Requests"
  let modelled = "modelled"
  let inProcess = "in process"
  let overHTTP = "over HTTP"
  let modelledMeaning = """
    Modelled: the time that the scenario’s network and service model assign to each request and its work. It is a statement \
    about that model until a real server confirms it.
    """
  let overHTTPMeaning = "Over HTTP: what a client saw of a server."
  let inProcessMeaning = "In process: what calls of the twin took on this machine."
  let intervalMeaning = """
    All requests count: one without an answer is slower than every other. Where a quantile lies among those it is \
    “longer than” any time that was seen, and “answered” gives the quantile of the answers alone. Small figures give the 95% \
    interval between replications; “too few” means that not even one request in so many lies beyond the quantile.
    """
  let intervalMeaningOfParts = """
    All calls count: one without an answer is slower than every other. Where a quantile lies among those it is \
    “longer than” any time that was seen, and “answered” gives the quantile of the answers alone. Small figures give the 95% \
    interval from the parts of the run; “too few” means that not even one call in so many lies beyond the quantile.
    """
  let allTimes = "All figures as a table"
  let withoutAnswerColumn = "No answer"
  let spectra = "Percentile curves"
  let spectraIntro = """
    Rarer, slower answers are further to the right: at 99, one request in a hundred took longer. All curves share the \
    same scales; dots mark the table’s quantiles, vertical lines their intervals. In the grey part there was no answer: a \
    quantile in it is a stroke that points upwards.
    """
  let noLatencies = "No request was sent, so there are no response times."

  // The run over its clock
  let noLoad = "No requests were sent."

  // Business latencies
  let business = "Time until things are done"
  let businessIntro = """
    Time between two things that matter to people, such as an order and its driver. What was still open when the run \
    ended is counted, never dropped.
    """
  let businessCaption = "Time until things are done"
  let allBusiness = "All figures as a table"
  let moreSurvival = "Curves of the other times"
  let process = "From → to"
  let documentedBound = "Documented bound"
  let finished = "Finished"
  let unfinished = "Still open"
  let stillOpen = "still open"
  let abandoned = "Abandoned"
  let survival = "Share still open"
  let survivalIntro = """
    The share still open after a given time, of those that were not abandoned; a vertical line marks the documented bound. \
    Small strokes mark how long something had been open that still was when the run ended.
    """
  let noBusiness = "No such times were observed."

  // Journeys
  let journeys = "Journeys"
  let journeysIntro = """
    A journey is one session of one person. Bars count people, not requests: the outline those who asked for something, \
    the full part those who got it. What most people asked for comes first, whatever its place in a journey.
    """
  let noSteps = "This result records no steps of journeys."
  let matrix = "Who was allowed what"
  let matrixIntro = """
    How each role’s requests were answered, over all replications: granted, refused, or both where it depends on more \
    than the role. A refusal is an answer, not a fault.
    """
  let adversaries = """
    Adversaries try what is forbidden, and have to do what anybody may in order to get that far: install the app, sign in, \
    read what is theirs. Those requests are granted rightly; what was refused every time is marked green.
    """
  let matrixHint = "Point at a square for its numbers."
  /// What the page's script adds.
  let matrixKeysHint =
    "Point at a square, tap it or go there with the arrow keys for its numbers."
  let neverAsked = "never asked"
  let noAnswer = "no answer"

  // Outcomes
  let outcomes = "Refused, no answer, never sent"
  let journeysBegun = "started"
  let journeysCompleted = "completed"
  let journeysEnded = "cut short by the end of the run or by closing the app"
  let allOutcomes = "All as tables"
  let refusals = "Refused"
  let refusalsIntro = "Answers that said no: nothing happened, and the person was told."
  let refusalsCaption = "Refusals by operation and code"
  let unknowns = "No answer"
  let unknownsIntro = """
    The answer got lost, came too late or could not be read: what was asked for may or may not have happened.
    """
  let moreRefusalsHeading = "Rarer refusals"
  let moreRefusalsCaption = "Rarer refusals by operation and code"
  let moreUnknownsHeading = "Rarer causes of no answer"
  let moreUnknownsCaption = "Rarer requests without an answer, by operation and cause"
  let unknownsCaption = "Requests without an answer, by operation and cause"
  let code = "Code"
  let cause = "Cause"
  let times = "Times"
  let shareOfAll = "Share"
  let noRefusals = "Nothing was refused."
  let noUnknowns = "Every request that was sent got an answer."
  let unsents = "Never sent"
  let unsentsIntro =
    "It did not happen: the device was offline, no row of the feeder says who asks, or there was no connection."
  let unsentsCaption = "Requests that were never sent, by operation and cause"

  // Generator
  let generator = "Health of the load generator"
  let generatorVirtual = """
    The run took place in virtual time, which waits for the machine: no request can be sent late, and no figure above \
    depends on how fast the machine is.
    """
  let generatorLate = """
    The generator fell behind its own schedule, so late answers may be its own fault. The run does not count.
    """
  let speed = "Virtual time"
  let pace = "Requests"

  // Method
  let method = "Method, seeds and machine"
  let howFigures = "How the figures came about"
  let settings = "Settings that differ from their defaults"
  let settingsCaption = "Settings that differ from their defaults"
  let setting = "Setting"
  let value = "Value"
  let standard = "Default"
  let noSettings = "Every setting has its default value."
  let world = "World"
  let replications = "Replications"
  let replicationsCaption = "Replications with their seeds and digests"
  let replication = "Replication"
  let seed = "Seed"
  let digest = "Digest"
  let provenance = "Provenance"
  let appendix = "Appendix: long tables"
  let appendixIntro = "What the sections above sum up, in full."
  let heldHeading = "Rules that held"
  let untriedHeading = "Rules that were not tried"
  let othersHeading = "Other operations"
  let seeAppendix = "The full list is in the appendix."
  let onThePage = "The full list is in the page itself, which is not printed whole."
  let inProcessHeading = "What the twin itself took"
  let inProcessCaption = "Times of calls of the twin on this machine"
  let scenario = "Scenario"
  let scenarioDigest = "Scenario digest"
  let runDigest = "Run digest"
  let version = "Version"
  let processor = "Processor"
  let workers = "Workers"
  let wallTime = "Time taken"
  let promise = """
    The same version, scenario and seed give the same digest on any machine and any number of workers.
    """

  let filter = "Show only rows containing"

  // History
  let history = "History"
  let courses = "Figures over the runs"
  let coursesIntro = """
    From the oldest run on the left to the latest on the right; a vertical line marks where a figure moved to another \
    level. The most recent changes come first.
    """
  let followedRuns = "Runs"
  let followedRunsCaption = "Runs that are included, latest first"
  let run = "Run"
  let recorded = "Recorded"
  let latest = "latest"

  // Terminal and pull request
  let failedLimits = "Failed rules"
  let openLimits = "Cannot tell"
  let slowest = "Slowest operations"
  let reportAt = "Report"
  let more = "more"

  // How a fault and its share are named
  let requestLost = "requests lost"
  let answerLost = "answers lost"
  let serverError = "server errors"
  let connectionRefused = "connections refused"
  let connectionReset = "connections reset"
  let truncated = "answers cut off"
  let duplicate = "requests that arrive twice"
}

extension Texts {
  func cut(_ scalars: Int) -> String { "… (\(Figures.count(scalars)) more characters)" }

  func many(_ count: Int, _ one: String, _ several: String) -> String {
    "\(Figures.count(count)) \(count == 1 ? one : several)"
  }

  func rules(_ count: Int) -> String { many(count, "documented rule", "documented rules") }

  /// - Parameter seldom: How many of the rules were tried fewer times than it takes to exclude that one try in twenty breaks them.
  func kept(
    rules: Int, objectives: Int, objectiveCount: Int, seldom: Int = 0
  ) -> String {
    let few =
      seldom == 0
      ? "" : " \(many(seldom, "rule was", "rules were")) tried too seldom to be sure."
    return kept(rules, objectives, objectiveCount) + few
  }

  private func kept(_ rules: Int, _ objectives: Int, _ objectiveCount: Int) -> String {
    let first =
      switch rules {
      case 1: "The one documented rule that was tried"
      case 2: "Both documented rules that were tried"
      default: "All \(Figures.count(rules)) documented rules that were tried"
      }
    switch objectiveCount {
    case 0: return first + " held."
    case 1: return first + " and the one objective held."
    case 2: return first + " and both objectives held."
    default: return first + " and all \(Figures.count(objectives)) objectives held."
    }
  }

  func metOnly(objectives: Int) -> String {
    objectives == 1
      ? "The one objective held." : "All \(Figures.count(objectives)) objectives held."
  }

  func broke(
    rules: Int, tried: Int, untried: Int, objectives: Int, objectiveCount: Int
  ) -> String {
    var parts: [String] = []
    if rules > 0 { parts.append("\(Figures.count(rules)) of \(self.rules(tried))") }
    if objectives > 0 {
      parts.append(
        "\(Figures.count(objectives)) of \(many(objectiveCount, "objective", "objectives"))")
    }
    if parts.isEmpty, untried > 0 {
      return "\(self.rules(untried)) were not tried, which this scenario counts as a failure."
    }
    guard !parts.isEmpty else { return "The run failed." }
    return parts.joined(separator: " and ") + " failed."
  }

  func alsoNotMeasured(_ count: Int) -> String {
    "Nothing happened that \(many(count, "objective is", "objectives are")) about."
  }

  func cannotTell(_ count: Int) -> String {
    "Nothing failed, but \(many(count, "result is", "results are")) too uncertain to count as held."
  }

  func allowedDoubt(_ count: Int) -> String {
    "\(many(count, "result is", "results are")) too uncertain to call, which this scenario allows."
  }

  func alsoDoubtful(_ count: Int) -> String {
    "\(many(count, "further result is", "further results are")) too uncertain to call."
  }

  var nothingTried: String { "No documented rule was put to the test." }
  var nothingJudged: String {
    "Nothing was judged: no documented rule was put to the test, and no objective could be told."
  }
  var runInvalid: String {
    "The load generator could not keep up, so this run says nothing about the backend."
  }
  var runUnreachable: String { "The target could not be reached, so nothing was tested." }
  var runCrashed: String { "The rehearsal itself failed; this result is not about the backend." }
  var runInterrupted: String {
    "The run was interrupted; its figures cover only what had finished."
  }

  func didNotHold(_ statement: String, id: String, violations: Int, tries: Int) -> String {
    "“\(statement)” (\(id)) failed in \(outOf(violations, tries))."
  }

  func longerThan(_ figure: String) -> String { "longer than \(figure)" }
  func orLonger(_ figure: String) -> String { "\(figure) or longer" }
  func ofAnswered(_ figure: String) -> String { "answered: \(figure)" }

  func outOf(_ violations: Int, _ tries: Int) -> String {
    "\(Figures.count(violations)) of \(many(tries, "try", "tries"))"
  }

  func missed(_ text: String, figure: String?, reason: String?) -> String {
    let came = figure.map { "it came to \($0)" }
    let details = [came, reason].compactMap(\.self).joined(separator: "; ")
    return "“\(text)” failed" + (details.isEmpty ? "." : ": \(details).")
  }

  func notShown(_ count: Int) -> String {
    "\(many(count, "more failure is", "more failures are")) listed below."
  }

  func lived(persons: Int, requests: Int, replications: Int, each: String) -> String {
    let runs =
      replications == 1
      ? "one replication of \(each)" : "\(replications) replications of \(each) each"
    return
      "In \(runs), \(many(persons, "person", "people")) sent \(many(requests, "request", "requests"))."
  }

  /// What few tries leave possible, of the rule that was tried least.
  func triedSeldom(
    _ rules: Int, fewest id: String, statement: String, tries: Int, bound: Double
  ) -> String {
    let least =
      "\(id) (“\(statement)”) held in \(tries == 1 ? "its only try" : "all \(tries) tries"), which could happen even if \(oneIn(bound)) tries broke it"
    return rules == 1
      ? "\(least)."
      : "\(Figures.count(rules)) rules were tried too seldom to be sure. The least tried, \(least)."
  }

  /// Beside a count of tries; what it means stands once above.
  var fewTries: String { "few" }
  var fewTriesMeaning: String {
    "“few”: in so few tries a rule that fails 1 time in 20 may not fail once."
  }
  func notDecided(_ tries: String) -> String { "\(tries) not decided" }

  func triedAndHeld(_ tries: Int, rules: Int) -> String {
    "\(many(rules, "rule was", "rules were")) tried \(many(tries, "time", "times")) in all, and none was broken."
  }

  func timesAreModelled(isNetwork: Bool) -> String {
    isNetwork
      ? "Response times are modelled, and nearly all of that one is the network that the scenario assumes: it says next to nothing about the backend."
      : "Response times are modelled: they hold for a real server only once one has confirmed them."
  }

  func untried(_ count: Int) -> String {
    "\(self.many(count, "documented rule was", "documented rules were")) not tried; "
      + "this run says nothing about \(count == 1 ? "it" : "them")."
  }

  func heldSummary(_ count: Int) -> String {
    "\(many(count, "rule", "rules")) tried and held"
  }

  func untriedSummary(_ count: Int) -> String {
    "\(many(count, "rule", "rules")) not tried, and why"
  }

  func rulesInAppendix(held: Int, untried: Int) -> String {
    let parts =
      (held > 0 ? ["\(many(held, "rule was", "rules were")) tried and held"] : [])
      + (untried > 0 ? ["\(many(untried, "rule was", "rules were")) not tried"] : [])
    return parts.joined(separator: "; ") + "."
  }

  func moreEvidence(_ count: Int) -> String {
    "and \(many(count, "more violation", "more violations")) of the same rule"
  }

  func seenBy(_ who: String, at moment: String, replication: Int) -> String {
    "\(who), \(moment), replication \(replication + 1)"
  }

  func fault(_ kind: String, share: String, of operation: String?, most count: Int?) -> String {
    let requests = operation.map { "requests for \($0)" } ?? "requests"
    let bound = count.map { ", at most \(Figures.count($0))" } ?? ""
    return "\(kind), \(share) of \(requests)\(bound)"
  }
  func delay(_ span: String) -> String { "answers \(span) later" }

  func curveSummary(_ title: String, _ figures: [String]) -> String {
    "Percentile curve of \(title): \(figures.joined(separator: ", "))."
  }

  func survivalSummary(
    _ title: String, open: String, after: String, bound: String?, unfinished: Int, abandoned: Int,
    of begun: Int
  ) -> String {
    "Share of “\(title)” still open: \(open) after \(after)."
      + (abandoned > 0 ? " \(leftOut(abandoned, of: begun))." : "")
      + (unfinished > 0
        ? " \(Figures.count(unfinished)) \(unfinished == 1 ? "was" : "were") still open when the run ended, and \(unfinished == 1 ? "is" : "are") marked where \(unfinished == 1 ? "it was" : "they were") last seen."
        : "")
      + (bound.map { " The documented bound is \($0)." } ?? "")
  }

  /// What a curve is over: `989 of 1,294; 305 abandoned are left out`.
  func leftOut(_ abandoned: Int, of begun: Int) -> String {
    "\(Figures.count(begun - abandoned)) of \(Figures.count(begun)); \(Figures.count(abandoned)) abandoned \(abandoned == 1 ? "is" : "are") left out"
  }

  func intervalSummary(estimate: String, interval: String?, bound: String) -> String {
    "Estimate \(estimate)" + (interval.map { ", plausible \($0)" } ?? "") + "; bound \(bound)."
  }

  func statedBy(_ limit: String, bound: String) -> String { "\(bound), stated by \(limit)" }

  func searched(_ search: SearchResult) -> String {
    """
    \(search.title): \(many(search.calls, "call", "calls")) made \
    \(many(search.attempts, "attempt", "attempts")) and looked at \
    \(many(search.examined, "candidate", "candidates")).
    """
  }

  var noAdversaries: String { "no adversaries" }
  var noObjective: String { "no objective" }

  func repeated(_ replications: Int) -> String { many(replications, "replication", "replications") }

  func countedAsFailure(_ verdict: String) -> String {
    "\(verdict), which this scenario counts as a failure"
  }
}
