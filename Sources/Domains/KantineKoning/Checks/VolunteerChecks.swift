import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// Names on diensten: KK-52 and KK-54 to KK-64.
enum VolunteerChecks {
  private static let changes = Set<Concern>.asking(.addVolunteer, .removeVolunteer)
  /// What may change the names of a dienst.
  private static let writings = changes.union(Set<Concern>.asking(.claimDienst, .shiftVolunteer))

  private static let most = KantineKoning.longestName.value
  private static let bytesMost = most * TextLength.bytesPerCharacter
  /// Composing makes a text so many times as long or as short at the most.
  /// - Source: Unicode Standard Annex #15, §12, for UTF-8.
  private static let composition = 3

  static let all: [KKCheck] = [
    .history(.kk52, writings, RisingVersions.init)
      + .each(.kk52, .asking(.diensten), by: BoardFacts.self, DienstenChecks.judgeVersions),
    .each(.kk54, changes, judgeMember),
    .each(.kk55, .managing, judgeMember),
    .each(.kk56, .asking(.addVolunteer), by: DienstFacts.self, judgePast),
    .each(.kk57, .asking(.removeVolunteer), by: DienstFacts.self, judgePast),
    .each(.kk58, .asking(.addVolunteer)) { call, judge in
      guard let change = call.change else { return }
      let name = trimmed(change.naam)
      let (count, bytes) = (name.count, name.utf8.count)
      switch isTooLong(name) {
      case true?:
        if call.isReplied {
          judge.violated("a name of \(count) characters in \(bytes) bytes was taken")
        }
        if call.code == .nameTooLong { judge.held() }
      case false? where call.code == .nameTooLong:
        judge.violated("a name of \(count) characters was too long")
      default: if count == most, call.isReplied { judge.held() }
      }
    },
    .each(.kk59, .asking(.addVolunteer, .shiftVolunteer)) { call, judge in
      if call.code == .volunteerExists { judge.held() }
      if let names = call.dienst?.aanmeldingen, Set(names).count < names.count {
        judge.violated("a name stands twice on one dienst")
      }
    } + .history(.kk59, writings, by: DienstFacts.self, NamesSaidToBeThere.init),
    .each(.kk60, .asking(.addVolunteer)) { call, judge in
      guard let change = call.change else { return }
      if !TextLength.isVisible(change.naam) {
        if call.isReplied { judge.violated("a name that nobody can see was taken") }
        if call.code == .invalidName { judge.held() }
      } else if let names = call.dienst?.aanmeldingen, trimmed(change.naam) != change.naam {
        judge.expect(names.allSatisfy { $0 == trimmed($0) }, "a name was not trimmed")
      }
    },
    .each(.kk61, changes.union(Set<Concern>.asking(.shiftVolunteer))) { call, judge in
      if let dienst = call.dienst, dienst.status == .geannuleerd, !isRemoving(call) {
        judge.violated("a cancelled dienst took a name")
      }
      guard let claims = call.claims, claims.role == .manager else { return }
      if let dienst = call.dienst, !claims.teamCodes.contains(dienst.team?.code ?? "") {
        judge.violated(
          "a manager of \(claims.teamCodes) changed \(dienst.team?.code ?? "an open dienst")")
      } else if call.code == .teamAccessDenied {
        judge.held()
      }
    },
    .each(.kk62, changes) { call, judge in
      guard let change = call.change, let dienst = call.dienst else { return }
      let isThere = dienst.aanmeldingen.contains(trimmed(change.naam))
      judge.expect(
        dienst.id == change.dienstID && isThere == isAdding(call)
          && (!isAdding(call) || dienst.aanmeldingen.last == trimmed(change.naam))
          && dienst.status == dienst.impliedStatus,
        "the answer does not show the dienst after the change")
    },
    .each(.kk63, .asking(.addVolunteer)) { call, judge in
      guard let change = call.change, TextLength.isVisible(change.naam) else { return }
      if call.code == .invalidName { judge.violated("a good name was refused") }
      if let dienst = call.dienst, dienst.aanmeldingen.count > dienst.minimumBemanning {
        judge.held()
      }
    },
    .history(
      .kk64, writings.union([.asks(.takeover), .asks(.transferOffer), .controls]),
      by: DienstFacts.self, NamesOfADienst.init),
  ]

  /// KK-54, KK-55: one guard keeps both.
  @Sendable private static func judgeMember(_ call: KKCall, _ judge: inout Judge) {
    guard let claims = call.claims, claims.role == .member else { return }
    if call.isReplied { judge.violated("a member of \(claims.tenantSlug) changed a dienst") }
    if call.code == .teamAccessDenied { judge.held() }
  }

  /// KK-56, KK-57: what has begun throughout the call is closed, what is still to begin is not.
  @Sendable private static func judgePast(
    _ call: KKCall, _ facts: DienstFacts, _ judge: inout Judge
  ) {
    guard let hasBegun = facts.hasBegun(during: call) else { return }
    switch (hasBegun, call.code) {
    case (true, .dienstInPast): judge.held()
    case (false, .dienstInPast): judge.violated("a future dienst was called past")
    case (true, nil): if call.isReplied { judge.violated("a past dienst was changed") }
    default: break
    }
  }

  /// Whether a name has more characters than it may have; `nil` where only the composed text tells.
  static func isTooLong(_ text: String) -> Bool? {
    let name = trimmed(text)
    let bytes = name.utf8.count
    if bytes > bytesMost * composition || name.count > most { return true }
    return bytes * composition <= bytesMost ? false : nil
  }

  private static func isRemoving(_ call: KKCall) -> Bool {
    if case .removeVolunteer = call.request { true } else { false }
  }

  private static func isAdding(_ call: KKCall) -> Bool {
    if case .addVolunteer = call.request { true } else { false }
  }
}

extension Dienst {
  /// What the names on it make of its status, unless it is cancelled (§2.6).
  var impliedStatus: Status {
    if status == .geannuleerd { return .geannuleerd }
    if aanmeldingen.isEmpty { return .onbemand }
    return aanmeldingen.count < minimumBemanning ? .gedeeltelijk : .volledig
  }
}

/// A name without white space at its ends, as the backend understands it (§2.7).
func trimmed(_ name: String) -> String {
  // By scalars: a space with a mark is one character, but no white space.
  let start = name.unicodeScalars.drop(while: \.properties.isWhitespace)
  let end = start.lastIndex { !$0.properties.isWhitespace }
  return end.map { String(start[...$0]) } ?? ""
}

/// KK-52: of two changes of which one was over before the other began, the later has the later version.
private struct RisingVersions: History {
  static var scope: Scope<KantineKoning> { .dienst }
  private var versions: [(during: ClosedRange<Instant>, updatedAt: Instant)] = []
  private static let most = 32

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    guard let dienst = call.dienst else { return }
    let new = (during: call.during, updatedAt: dienst.updatedAt)
    var isOrdered: Bool?
    for old in versions {
      if old.during.upperBound < new.during.lowerBound {
        isOrdered = (isOrdered ?? true) && old.updatedAt < new.updatedAt
      } else if new.during.upperBound < old.during.lowerBound {
        isOrdered = (isOrdered ?? true) && new.updatedAt < old.updatedAt
      }
    }
    if let isOrdered { judge.expect(isOrdered, "updated_at did not increase with a change") }
    versions.append(new)
    if versions.count > Self.most { versions.removeFirst() }
  }
}
