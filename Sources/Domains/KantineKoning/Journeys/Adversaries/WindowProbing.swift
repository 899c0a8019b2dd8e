import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Adversary {
  /// The window of O14 at its bounds and beyond them (KK-45 to KK-47).
  func probeWindows(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    let values: [(past: String?, future: String?)] = [
      (nil, nil), ("0", "0"), ("1000", "1000"), ("30", nil), (nil, "7"), ("365", "60"),
      ("1001", nil), (nil, "1001"), ("-1", nil), (nil, "-1"), ("abc", "60"), ("365", "1.5"),
      ("1e2", nil), (nil, "99999999999999999999"),
    ]
    for value in values {
      try await pause(me)
      let query = DienstenQuery(
        tenant: home.slug, pastDays: value.past, futureDays: value.future)
      _ = try await me.ask(.diensten(query), with: managerRight.credential)
    }
  }
}
