import BenchWork
import Contracts
import Foundation
import KilwinningContract
import KilwinningTwin
import Timekeeping

/// What Kilwinning's twin takes for its figures, as whole requests with their sessions: the statistics of one fratello over fifty years, and
/// the riepilogo of sixty over twenty-five tornate.
enum LodgeFigures {
  static func figure() -> String {
    var long = Lodge(fratelli: 25, seasons: 50)
    var wide = Lodge(fratelli: 60, seasons: 1)
    let measured = Measurement.interleaved([
      { long.microseconds(.statistiche(PresenzeQuery(1))) },
      { long.microseconds(.statistiche(PresenzeQuery(1, anno: Anno(2020)))) },
      { wide.microseconds(.riepilogo(.tutti)) },
      { wide.microseconds(.tornate(TornateQuery(stato: .programmata))) },
    ])
    return """
      Kilwinning's figures, whole requests
        statistics over 50 years, \(long.tornate) tornate   \(measured[0].text("µs"))   goal ≤ 5 µs
        the same for one year                \(measured[1].text("µs"))
        riepilogo of 60 over \(wide.tornate) tornate      \(measured[2].text("µs"))   goal ≤ 50 µs
        planned tornate                      \(measured[3].text("µs"))
      """
  }

  private struct Lodge {
    private var twin: KilwinningTwin
    private let caller: Caller<Kilwinning>
    private let now = Instant(unixMilliseconds: 1_782_900_000_000)
    let tornate: Int

    init(fratelli: Int, seasons: Int) {
      twin = KilwinningTwin(
        identifiers: RandomStream(seed: 1, owner: 2, purpose: 3), rules: Rules())
      let fixture = DefaultLodge(fratelli: fratelli, seasons: seasons).fixture(at: now)
      tornate = fixture.tornate.count
      _ = twin.handle(.load(fixture), from: .administration, at: now)
      let login = LogIn(DefaultLodge.name(0))
      guard
        case .now(.success(.loggedIn(let it))) = twin.handle(
          .logIn(login), from: .client(nil), at: now
        ).answer
      else { preconditionFailure("nobody logged in") }
      caller = .client(Kilwinning.Credential(authorization: .bearer(it.token)))
    }

    /// Of one request, on average over two thousand.
    mutating func microseconds(_ request: Kilwinning.Request) -> Double {
      let count = 2_000
      let seconds = Measurement.processorSeconds {
        for _ in 0..<count {
          guard case .now(.success) = twin.handle(request, from: caller, at: now).answer else {
            preconditionFailure("refused")
          }
        }
      }
      return seconds * 1e6 / Double(count)
    }
  }
}
