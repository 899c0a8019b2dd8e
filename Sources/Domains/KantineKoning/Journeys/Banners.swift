import Contracts
import Journeys
import KantineKoningContract

extension Phone {
  /// The banners that every phone shows (§5.4): O19 once a process, with a token when there is one. Q10: what the
  /// answer says about the token does not matter.
  func showBanners(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    guard bannersOfProcess != process else { return }
    let token = usable.last
    let answer = try await me.ask(.banners(BannersQuery()), with: token?.credential)
    if case .replied = answer { bannersOfProcess = process }
  }

  /// Those of a club, on the screen of one of its teams; they are public, and the app asks for them without a token.
  func showBanners(of club: Slug, as me: Person<KantineKoning>) async throws(JourneyEnded) {
    _ = try await me.ask(.banners(BannersQuery(tenant: club)))
  }
}
