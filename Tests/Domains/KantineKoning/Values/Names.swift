import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What was added to the names of one dienst and removed from them, and what answers showed of them.
struct NamesOfADienst {
  struct Change {
    let name: String
    let adds: Bool
    let during: ClosedRange<Instant>
    let isCertain: Bool
  }

  /// As the operator loaded it.
  var initial: [String] = []
  private var changes: [Change] = []
  /// Takeovers: removals of every name.
  private var takeovers: [Change] = []
  private var sights: [(names: [String], during: ClosedRange<Instant>)] = []
  /// What a refusal says about one name: it is there already, or is not there.
  private var glimpses: [(name: String, isThere: Bool, during: ClosedRange<Instant>)] = []
  private(set) var isTooLong = false
  private static let most = 4_000

  var isSilent: Bool { sights.isEmpty && glimpses.isEmpty }

  @inline(never)
  mutating func learn(_ asked: Asked) {
    if asked.isReplied || asked.isUnknown {
      guard changes.count + takeovers.count < Self.most else {
        isTooLong = true
        return
      }
      change(asked)
    }
    switch (asked.call.request, asked.code) {
    case (.addVolunteer(let it), .volunteerExists?), (.removeVolunteer(let it), .volunteerExists?):
      glimpses.append((trimmed(it.naam), true, asked.during))
    case (.addVolunteer(let it), .volunteerNotFound?),
      (.removeVolunteer(let it), .volunteerNotFound?):
      glimpses.append((trimmed(it.naam), false, asked.during))
    default: break
    }
    if let shown = asked.dienstShown { sights.append((shown.columns.aanmeldingen, asked.during)) }
  }

  private mutating func change(_ asked: Asked) {
    switch asked.call.request {
    case .addVolunteer(let it): take(it.naam, adds: true, asked)
    case .removeVolunteer(let it): take(it.naam, adds: false, asked)
    case .answerCallToAction(let it): for name in it.names { take(name, adds: true, asked) }
    case .claimDienst:
      takeovers.append(
        Change(name: "", adds: false, during: asked.during, isCertain: asked.isReplied))
    default: break
    }
  }

  private mutating func take(_ name: String, adds: Bool, _ asked: Asked) {
    changes.append(
      Change(name: trimmed(name), adds: adds, during: asked.during, isCertain: asked.isReplied))
  }

  /// What each name went through.
  func stories() -> [String: [Change]] {
    var stories: [String: [Change]] = [:]
    for change in changes { stories[change.name, default: takeovers].append(change) }
    for name in initial {
      stories[name, default: takeovers].append(
        Change(name: name, adds: true, during: .distantPast ... .distantPast, isCertain: true))
    }
    return stories
  }

  /// What a refusal may say of its name, or what an answer shows: `nil` when it may be so.
  func problems() -> [String?] {
    let stories = stories()
    let said = glimpses.map { glimpse -> String? in
      let story = stories[glimpse.name] ?? takeovers
      let isPossible =
        glimpse.isThere
        ? Self.mayBeThere(story, at: glimpse.during) : !Self.mustBeThere(story, at: glimpse.during)
      return isPossible
        ? nil : "a name was said \(glimpse.isThere ? "to be there" : "not to be there")"
    }
    let names = stories.keys.sorted()
    let seen = sights.map { sight -> String? in
      var problem: String?
      for name in names {
        if sight.names.contains(name) {
          if !Self.mayBeThere(stories[name]!, at: sight.during) { problem = "came back" }
        } else if Self.mustBeThere(stories[name]!, at: sight.during) {
          problem = "was lost"
        }
      }
      if sight.names.contains(where: { stories[$0] == nil }) { problem = "was never added" }
      return problem.map { "a name on a dienst \($0)" }
    }
    return said + seen
  }

  /// Whether an addition was certainly before, and no removal may have come after it and before the end of the sight.
  private static func mustBeThere(_ story: [Change], at sight: ClosedRange<Instant>) -> Bool {
    story.contains { addition in
      addition.adds && addition.isCertain && addition.during.upperBound < sight.lowerBound
        && !story.contains { removal in
          !removal.adds && removal.during.upperBound >= addition.during.lowerBound
            && removal.during.lowerBound <= sight.upperBound
        }
    }
  }

  /// Whether some addition may have come after every removal that was certainly before the sight.
  private static func mayBeThere(_ story: [Change], at sight: ClosedRange<Instant>) -> Bool {
    story.contains { addition in
      addition.adds && addition.during.lowerBound <= sight.upperBound
        && !story.contains { removal in
          !removal.adds && removal.isCertain && removal.during.upperBound < sight.lowerBound
            && removal.during.lowerBound > addition.during.upperBound
        }
    }
  }
}

/// KK-64: after any interleaving the names are what was added minus what was removed; judged at the end, because a request without an
/// answer may work at any time after it left.
extension CanteenChecks {
  mutating func ended(at now: Instant) {
    for dienst in diensten.indices { ripen(dienst, at: now) }
    for dienst in diensten.indices
    where diensten[dienst].club != nobody && !diensten[dienst].names.isSilent {
      if diensten[dienst].names.isTooLong {
        undecided(.kk64, "too many changes of one dienst")
        continue
      }
      for problem in diensten[dienst].names.problems() {
        expect(.kk64, problem == nil, problem ?? "")
      }
    }
  }
}
