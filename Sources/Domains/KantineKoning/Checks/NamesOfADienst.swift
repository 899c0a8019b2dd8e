import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// KK-64: after any interleaving the names are what was added minus what was removed.
///
/// A name must be there when some accepted addition was certainly before and no removal may have come in between; it
/// must not be there when no addition may explain it. A takeover takes every name off (§3.4, O22–O24), and names come
/// by mail, too (O25). Everything is judged at the end, because a request without an answer may work at any time after
/// it left.
struct NamesOfADienst: History {
  static var scope: Scope<KantineKoning> { .dienst }

  private struct Change {
    let name: String
    let adds: Bool
    let during: ClosedRange<Instant>
    let isCertain: Bool
  }

  private struct Sight {
    let names: [String]
    let during: ClosedRange<Instant>
  }

  private let facts: DienstFacts
  private var changes: [Change] = []
  /// Takeovers: removals of every name.
  private var takeovers: [Change] = []
  private var sights: [Sight] = []
  /// What a refusal says about one name: it is there already, or is not there.
  private var glimpses: [(name: String, isThere: Bool, during: ClosedRange<Instant>)] = []
  private var isTooLong = false
  /// Beyond this many changes of one dienst nothing is decided any more.
  private static let most = 4_000

  init(_ facts: DienstFacts) { self.facts = facts }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    if call.isReplied || call.isUnknown {
      guard changes.count + takeovers.count < Self.most else {
        isTooLong = true
        return
      }
      switch call.request {
      case .addVolunteer(let change): take(change.naam, adds: true, call)
      case .removeVolunteer(let change): take(change.naam, adds: false, call)
      case .answerCallToAction(let action):
        for name in action.names { take(name, adds: true, call) }
      case .claimDienst:
        takeovers.append(
          Change(
            name: "", adds: false, during: call.during, isCertain: call.isReplied))
      default: break
      }
    }
    if let change = call.change, call.code == .volunteerExists || call.code == .volunteerNotFound {
      glimpses.append((trimmed(change.naam), call.code == .volunteerExists, call.during))
    }
    if let dienst = call.dienst {
      sights.append(Sight(names: dienst.aanmeldingen, during: call.during))
    }
  }

  private mutating func take(_ name: String, adds: Bool, _ call: KKCall) {
    changes.append(
      Change(
        name: trimmed(name), adds: adds, during: call.during, isCertain: call.isReplied))
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) {
    guard !sights.isEmpty || !glimpses.isEmpty, facts.tenant != nil else { return }
    guard !isTooLong else { return judge.undecided("too many changes of one dienst") }
    for name in facts.initialNames {
      changes.append(
        Change(name: name, adds: true, during: .distantPast ... .distantPast, isCertain: true))
    }
    var byName: [String: [Change]] = [:]
    for change in changes { byName[change.name, default: []].append(change) }
    for glimpse in glimpses {
      let story = (byName[glimpse.name] ?? []) + takeovers
      let isPossible =
        glimpse.isThere
        ? mayBeThere(story, at: glimpse.during) : !mustBeThere(story, at: glimpse.during)
      judge.expect(
        isPossible, "a name was said \(glimpse.isThere ? "to be there" : "not to be there")")
    }
    let names = byName.keys.sorted()
    for sight in sights {
      let shown = Set(sight.names)
      var problem: String?
      for name in names {
        let story = (byName[name] ?? []) + takeovers
        if shown.contains(name) {
          if !mayBeThere(story, at: sight.during) { problem = "came back" }
        } else if mustBeThere(story, at: sight.during) {
          problem = "was lost"
        }
      }
      if shown.contains(where: { byName[$0] == nil }) { problem = "was never added" }
      judge.expect(problem == nil, "a name on a dienst \(problem ?? "")")
    }
  }

  /// Whether an addition was certainly before, and no removal may have come after it and before the end of the sight.
  private func mustBeThere(_ story: [Change], at sight: ClosedRange<Instant>) -> Bool {
    story.contains { addition in
      addition.adds && addition.isCertain && addition.during.upperBound < sight.lowerBound
        && !story.contains { removal in
          !removal.adds && removal.during.upperBound >= addition.during.lowerBound
            && removal.during.lowerBound <= sight.upperBound
        }
    }
  }

  /// Whether some addition may have come after every removal that was certainly before the sight.
  private func mayBeThere(_ story: [Change], at sight: ClosedRange<Instant>) -> Bool {
    story.contains { addition in
      addition.adds && addition.during.lowerBound <= sight.upperBound
        && !story.contains { removal in
          !removal.adds && removal.isCertain && removal.during.upperBound < sight.lowerBound
            && removal.during.lowerBound > addition.during.upperBound
        }
    }
  }
}

/// KK-59: names are compared exactly, so one that nobody ever added does not stand on the dienst.
struct NamesSaidToBeThere: History {
  static var scope: Scope<KantineKoning> { .dienst }

  private let facts: DienstFacts
  /// Names that were added, or may have been.
  private var added: Set<String> = []
  private var refused: Set<String> = []

  init(_ facts: DienstFacts) { self.facts = facts }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    switch call.request {
    case .addVolunteer(let change):
      if call.isReplied || call.isUnknown { added.insert(trimmed(change.naam)) }
      if call.code == .volunteerExists { refused.insert(trimmed(change.naam)) }
    case .answerCallToAction(let action):
      if call.isReplied || call.isUnknown { added.formUnion(action.names.map(trimmed)) }
    default: break
    }
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) {
    guard facts.tenant != nil else { return }
    for name in refused.sorted() where !added.contains(name) {
      judge.expect(
        facts.initialNames.contains(name), "a name was refused that nobody had added")
    }
  }
}
