import Hummingbird
import HummingbirdCore
import Logging

/// One port and the connections to it.
final class Listener: Sendable {
  let port: Int
  private let server: Server<HTTP1Channel>
  private let run: Task<(any Error)?, Never>

  init(
    _ respond: @escaping HTTPChannelHandler.Responder, host: String, port: Int,
    options: ServingOptions
  ) async throws(ServingProblem) {
    let (running, announce) = AsyncStream<Int>.makeStream()
    let server = Self.server(respond, host: host, port: port, options: options) { port in
      announce.yield(port)
      announce.finish()
    }
    let run = Task { () -> (any Error)? in
      defer { announce.finish() }
      do { try await server.run() } catch { return error }
      return nil
    }
    guard let bound = await running.first(where: { _ in true }) else {
      throw Self.problem(await run.value, host: host, port: port)
    }
    self.server = server
    self.run = run
    self.port = bound
  }

  private static func server(
    _ respond: @escaping HTTPChannelHandler.Responder, host: String, port: Int,
    options: ServingOptions, onRunning: @escaping @Sendable (Int) -> Void
  ) -> Server<HTTP1Channel> {
    // What a server says is in its answers; its own log would only repeat it.
    let logger = Logger(label: "serving") { _ in SwiftLogNoOpLogHandler() }
    return Server(
      childChannelSetup: HTTP1Channel(
        responder: respond,
        configuration: .init(
          additionalChannelHandlers: [ProtocolProblems()],
          idleTimeout: .init(options.readTimeout),
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: ProtocolProblems.mostParsedBytes,
            maxHeaderListSize: ProtocolProblems.mostParsedBytes,
            maxHeaderFieldCount: ProtocolProblems.mostFields))),
      configuration: ServerConfiguration(
        address: .hostname(host, port: port),
        availableConnectionsDelegate: .maximum(options.mostConnections, logger: logger)),
      onServerRunning: { onRunning($0.localAddress?.port ?? port) },
      eventLoopGroup: EventLoopGroupProvider.singleton.eventLoopGroup, logger: logger)
  }

  private static func problem(
    _ error: (any Error)?, host: String, port: Int
  ) -> ServingProblem {
    let reason = error.map { "\($0)" } ?? "it closed at once"
    if reason.contains("in use") {
      return ServingProblem(
        "port \(port) of \(host) is in use; end what listens there, or choose another with --port (0 takes any free one)"
      )
    }
    return ServingProblem("port \(port) of \(host) cannot be listened at: \(reason)")
  }

  /// Requests under way have a grace; then their connections are closed.
  func stop(after grace: Duration) async {
    let cut = Task {
      do { try await Task.sleep(for: grace) } catch { return }
      run.cancel()
    }
    do { try await server.shutdownGracefully() } catch { run.cancel() }
    run.cancel()
    _ = await run.value
    cut.cancel()
  }
}
