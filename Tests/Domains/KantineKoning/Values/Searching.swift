import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// A text in lower case, and whether it is plain ASCII: such texts are compared by their bytes.
struct Folded {
  let text: String
  let folded: String
  let isPlain: Bool

  /// - Parameter isAsIs: Whether it is compared as it is written.
  init(_ text: String, isAsIs: Bool = false) {
    self.text = text
    folded = isAsIs ? text : text.lowercased()
    isPlain = folded.utf8.allSatisfy { $0 < 0x80 && $0 != 0x0D }
  }

  func contains(_ needle: Folded) -> Bool {
    guard isPlain, needle.isPlain else { return folded.contains(needle.folded) }
    return folded.utf8.occurs(needle.folded.utf8)
  }
}

extension String.UTF8View {
  fileprivate func occurs(_ needle: String.UTF8View) -> Bool {
    let found = withContiguousStorageIfAvailable { text in
      needle.withContiguousStorageIfAvailable { needle in
        guard needle.count <= text.count else { return false }
        return (0...(text.count - needle.count)).contains { start in
          needle.indices.allSatisfy { text[start + $0] == needle[$0] }
        }
      }
    }
    return (found ?? nil) ?? false
  }
}

struct SearchedTeam {
  let id: TeamName
  let code: TeamName
  let foldedCode: Folded
  var naam: Folded
}

/// KK-121: everybody finds what there is to find, closed clubs too.
extension CanteenChecks {
  @inline(never)
  func judgePublicRead(_ asked: Asked) {
    guard asked.call.credential == nil else { return }
    if asked.isReplied { held(.kk121) }
    if asked.code?.status == 401 {
      violated(.kk121, "a public read was refused without a token")
    }
  }

  @inline(never)
  func judgeClubs(_ query: String, _ asked: Asked) {
    guard searchedSince + slack < asked.call.sent,
      case .replied(.clubs(let found)) = asked.call.outcome
    else { return }
    let numbers = found.map { clubs.known($0.slug) ?? nobody }
    let misshown = found.indices.first { isMisshown(found[$0], numbers[$0], asked) }
    let most = decided.newest.searchMaxResults
    expect(
      .kk121, misshown == nil,
      "\(misshown.map { found[$0].slug } ?? "") is not shown as open or closed as it is")
    expect(.kk121, found.count <= most, "'\(query)' found \(found.count) clubs")
    guard found.count < most, let needle = Self.needle(query) else { return }
    let missing = clubs.indices.filter { club in
      guard let name = clubs[club].name, !numbers.contains(club) else { return false }
      return name.contains(needle) || clubs[club].slug.contains(needle)
    }
    let names = found.indices.map { place -> String in
      if numbers[place] != nobody, let name = clubs[numbers[place]].name,
        name.text == found[place].name
      {
        return name.folded
      }
      return found[place].name.lowercased()
    }
    expect(
      .kk121, zip(names, names.dropFirst()).allSatisfy { $0 <= $1 },
      "'\(query)' found clubs out of order")
    expect(
      .kk121, missing.isEmpty,
      "'\(query)' did not find \(missing.map { clubs.names[$0] }.sorted().map(\.text))")
  }

  private func isMisshown(_ shown: FoundClub, _ club: Int, _ asked: Asked) -> Bool {
    guard club != nobody, clubs[club].exists else { return false }
    let isOpen = clubs[club].isOpen.value(during: asked.during) ?? shown.enrollmentOpen
    let said = clubs[club].message.value(during: asked.during) ?? nil
    let message = said ?? shown.enrollmentMessage ?? ""
    return isOpen != shown.enrollmentOpen || message != shown.enrollmentMessage ?? ""
  }

  @inline(never)
  func judgeTeams(of tenant: Slug, _ query: String, _ asked: Asked) {
    guard searchedSince + slack < asked.call.sent,
      case .replied(.teams(let found)) = asked.call.outcome, let needle = Self.needle(query)
    else { return }
    let club = clubs.known(tenant) ?? nobody
    var (expected, left) = (0, [String]())
    if club != nobody {
      for team in clubs[club].searched
      where team.foldedCode.contains(needle) || team.naam.contains(needle) {
        expected += 1
        if !found.contains(where: { $0.code == team.code }) { left.append(team.code.text) }
      }
    }
    let codes = found.map(\.code.text)
    // What is left out comes behind the last that is shown.
    expect(
      .kk121,
      found.count == min(decided.newest.searchMaxResults, expected)
        && left.count == expected - found.count && isInOrder(codes)
        && left.allSatisfy { isInOrder([codes[codes.count - 1], $0]) },
      "'\(query)' found \(codes) in \(tenant)")
  }

  private static func needle(_ query: String) -> Folded? {
    let needle = Folded(trimmed(query))
    return needle.folded.isEmpty ? nil : needle
  }

  mutating func learnSearched(_ command: KantineKoning.Control, at instant: Instant) {
    switch command {
    case .load(let fixture):
      for tenant in fixture.tenants { name(tenant.slug, tenant.name) }
      for team in fixture.teams { addSearched(team) }
    case .createTenant(let tenant): name(tenant.slug, tenant.name)
    case .changeTenant(let change): if let text = change.name { name(change.slug, text) }
    case .createTeam(let team): addSearched(team)
    case .changeTeam(let tenant, let team, let naam):
      let club = clubs.number(of: tenant)
      let place = clubs[club].searched.firstIndex { $0.id == team || $0.code == team }
      if let place { clubs[club].searched[place].naam = Folded(naam) }
    case .resetSeason(let tenant): clubs[clubs.number(of: tenant)].searched = []
    case .configure: break
    case .reset:
      for club in clubs.indices { (clubs[club].name, clubs[club].searched) = (nil, []) }
    default: return
    }
    searchedSince = instant
  }

  private mutating func name(_ tenant: Slug, _ text: String) {
    let club = clubs.number(of: tenant)
    clubs[club].name = Folded(text)
    clubs[club].slug = Folded(tenant.text, isAsIs: true)
  }

  private mutating func addSearched(_ team: Fixture.Team) {
    clubs[clubs.number(of: team.tenantSlug)].searched.append(
      SearchedTeam(
        id: team.id, code: team.code, foldedCode: Folded(team.code.text), naam: Folded(team.naam)))
  }
}

/// Whether numbers in codes rise as numbers: a shorter run of digits in the same place comes first.
private func isInOrder(_ codes: [String]) -> Bool {
  if codes.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 && $0 != 0x0D } }) {
    return isInOrder(codes.map { Array($0.utf8) }) { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }
  return isInOrder(codes.map { Array($0) }, \.isNumber)
}

private func isInOrder<Letter: Comparable>(
  _ codes: [[Letter]], _ isDigit: (Letter) -> Bool
) -> Bool {
  zip(codes, codes.dropFirst()).allSatisfy { a, b in
    guard let place = zip(a, b).enumerated().first(where: { $1.0 != $1.1 })?.offset else {
      return a.count < b.count
    }
    func run(_ text: [Letter]) -> Int {
      var start = place
      while start > 0, isDigit(text[start - 1]) { start -= 1 }
      return text[start...].prefix(while: isDigit).count
    }
    let (first, second) = (run(a), run(b))
    return first != second && first > 0 && second > 0 ? first < second : a[place] < b[place]
  }
}

func trimmed(_ name: String) -> String {
  let start = name.unicodeScalars.drop(while: \.properties.isWhitespace)
  let end = start.lastIndex { !$0.properties.isWhitespace }
  return end.map { String(start[...$0]) } ?? ""
}
