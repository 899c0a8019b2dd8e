import Backends
import Contracts

/// One domain's twin at its ports, one for each service of its contract.
package final class TwinServer: Sendable {
  /// A service of the domain and where it listens.
  package struct Address: Sendable {
    package let service: String
    package let host: String
    package let port: Int
    package var url: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
  }

  package let domain: String
  package let addresses: [Address]
  private let listeners: [Listener]
  private let stopTwin: @Sendable () -> Void

  /// Begins to listen.
  ///
  /// - Parameter port: Of the first service; the others take the ports after it. 0 takes any free ones.
  package init<Room: Backend>(
    _ twin: ServedTwin<Room>, port: Int, options: ServingOptions
  ) async throws(ServingProblem) {
    guard ServingOptions.isLoopback(options.host) else {
      throw ServingProblem(
        "'\(options.host)' can be reached by others: a twin is served on 127.0.0.1, ::1 or localhost alone"
      )
    }
    let faults = Faults()
    var listeners: [Listener] = []
    var addresses: [Address] = []
    for (index, service) in Room.Agreement.services.enumerated() {
      let front = Front(twin, service: index, faults: faults, options: options)
      do throws(ServingProblem) {
        let listener = try await Listener(
          front.respond, host: options.host, port: port == 0 ? 0 : port + index, options: options)
        listeners.append(listener)
        addresses.append(Address(service: service, host: options.host, port: listener.port))
      } catch {
        for listener in listeners { await listener.stop() }
        throw error
      }
    }
    domain = Room.Agreement.domain
    self.addresses = addresses
    self.listeners = listeners
    stopTwin = { twin.stop() }
  }

  /// Accepts nobody any more, lets requests under way finish for up to a second, and closes every connection.
  package func stop() async {
    stopTwin()
    await withTaskGroup { group in
      for listener in listeners { group.addTask { await listener.stop() } }
    }
  }
}
