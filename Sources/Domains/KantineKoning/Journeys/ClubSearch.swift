import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Phone {
  /// The least that is searched for (`search_min_chars`, §7.3).
  private static let leastCharacters = 3

  /// Finds a club by its name, one request per keystroke from the third character on (O12, Q5); without Q5 once the
  /// user has stopped typing.
  func searchClub(_ slug: Slug, as me: Person<KantineKoning>) async throws(JourneyEnded) {
    guard let name = neighbourhood.club(slug)?.name,
      me.draw(.looking, { $0.chance(habits.looking.clubSearched) })
    else { return }
    // 4 to 9 characters of the name, or the whole of a shorter one (§5.12).
    let wanted = 4 + me.draw(.looking) { $0.pick(0..<6) }
    let typed = Array(name.lowercased().prefix(wanted))
    let first =
      neighbourhood.quirks.contains("Q5") ? min(Self.leastCharacters, typed.count) : typed.count
    for _ in 0..<(first - 1) { try await me.think(habits.keystroke) }
    for end in first...typed.count {
      try await me.think(habits.keystroke)
      let answer = try await me.ask(.searchClubs(query: String(typed[..<end])))
      // Three are shown with the number of the rest: one hit is what people stop at.
      if case .replied(.clubs(let found)) = answer, found.map(\.slug) == [slug] { return }
    }
  }
}
