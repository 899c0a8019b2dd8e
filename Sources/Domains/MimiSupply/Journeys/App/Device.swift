import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// A person's life with the app on a device: between sessions the app sends what waited for the network, as soon as
/// there is one, without its user (MS-124).
public final class Device: Behaviour {
  public typealias Contract = MimiSupply

  private let user: any Behaviour<MimiSupply>
  private let app: AppClient
  private var nextSession: Instant?

  init(of user: any Behaviour<MimiSupply>, with app: AppClient) {
    self.user = user
    self.app = app
    nextSession = user.begins
  }

  public var begins: Instant? { user.begins }

  public func session(as me: Person<MimiSupply>) async throws(JourneyEnded) -> Instant? {
    if let nextSession, nextSession <= me.now {
      self.nextSession = try await user.session(as: me)
    } else {
      try await app.wake(as: me)
    }
    return [nextSession, app.wakes(after: me.now)].compactMap { $0 }.min()
  }

  public func visit(as me: Person<MimiSupply>) async throws(JourneyEnded) {
    nextSession = nil
    try await user.visit(as: me)
  }

  public func reacts(to signal: MimiSupply.Signal) -> Bool { user.reacts(to: signal) }

  public func react(
    to signal: Received<MimiSupply>, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) { try await user.react(to: signal, as: me) }
}
