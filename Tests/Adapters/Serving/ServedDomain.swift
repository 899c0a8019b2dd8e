import Backends
import Contracts
import DomainList
import Replays
import Serving
import Timekeeping

/// A twin served at a free port for as long as a test needs it.
struct ServedDomain<Domain: Backend>: Sendable {
  let twin: ServedTwin<Domain>
  let server: TwinServer

  var url: String { server.addresses[0].url }
  var port: Int { server.addresses[0].port }
  var control: String { "\(url)/_rehearsal/\(server.domain)" }

  /// - Parameter clock: Stands still when left out.
  static func with<Value: Sendable>(
    _ backend: Domain, clock: ServedClock = .manual, options: ServingOptions = .open,
    _ act: (ServedDomain) async throws -> Value
  ) async throws -> Value {
    let twin = ServedTwin(
      SteppedTwin(backend, setup: Domains.setup(), starts: Domains.epoch), clock: clock)
    let served = ServedDomain(
      twin: twin, server: try await TwinServer(twin, port: 0, options: options))
    do {
      let value = try await act(served)
      await served.server.stop()
      return value
    } catch {
      await served.server.stop()
      throw error
    }
  }

  /// Carries out a control command.
  @discardableResult
  func command(_ name: String, _ parameters: String = "{}") async throws -> Answered {
    try await Client.ask("POST", "\(control)/\(name)", body: parameters)
  }

  /// Lets others run until something holds; gives up after a minute.
  func until(_ holds: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while !holds(), ContinuousClock.now < end { await Task.yield() }
    return holds()
  }
}

extension ServingOptions {
  static var open: ServingOptions {
    var options = ServingOptions()
    options.control = true
    return options
  }
}
