import Backends
import Contracts

/// One domain's twin at its ports, one for each service of its contract.
public final class TwinServer: Sendable {
  /// A service of the domain and where it listens.
  public struct Address: Sendable {
    public let service: String
    public let host: String
    public let port: Int
    public var url: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
  }

  public let domain: String
  public let addresses: [Address]
  /// Whether the domain has more than one service.
  public let hasSeveralServices: Bool
  private let listeners: [Listener]
  private let stopTwin: @Sendable () -> Void

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - port: Of the first service; the others take the ports after it. 0 takes any free ones.
  public init<Domain: Backend>(
    _ twin: ServedTwin<Domain>, port: Int, options: ServingOptions
  ) async throws(ServingProblem) {
    guard ServingOptions.isLoopback(options.host) else {
      throw ServingProblem(
        "'\(options.host)' can be reached by others: a twin is served on 127.0.0.1, ::1 or localhost alone"
      )
    }
    let faults = Faults(operations: Domain.Contract.operations.map(\.name))
    var listeners: [Listener] = []
    var addresses: [Address] = []
    for (index, service) in Domain.Contract.services.enumerated() {
      let front = Front(twin, service: index, faults: faults, options: options)
      do throws(ServingProblem) {
        let listener = try await Listener(
          front.respond, host: options.host, port: port == 0 ? 0 : port + index, options: options)
        listeners.append(listener)
        addresses.append(Address(service: service, host: options.host, port: listener.port))
      } catch {
        for listener in listeners { await listener.stop(after: .zero) }
        throw error
      }
    }
    domain = Domain.Contract.domain
    hasSeveralServices = Domain.Contract.services.count > 1
    self.addresses = addresses
    self.listeners = listeners
    stopTwin = { twin.stop() }
  }

  /// Accepts nobody any more, lets requests under way finish, and closes every connection.
  ///
  /// - Parameter grace: How long requests under way may take at most.
  public func stop(grace: Duration = .seconds(1)) async {
    stopTwin()
    await withTaskGroup { group in
      for listener in listeners { group.addTask { await listener.stop(after: grace) } }
    }
  }
}
