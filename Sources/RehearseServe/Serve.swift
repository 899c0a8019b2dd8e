import ArgumentParser
import Backends
import Contracts
import DomainList
import Foundation
import Provenance
import Serving
import Verdicts

@main
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rehearse-serve", abstract: "Serve the twins of backends over HTTP.",
    discussion: """
      Each domain listens on 127.0.0.1 at the port that its documents name (kantine-koning: 4000), further services of \
      a domain at the ports after it. What is listened at is printed, a line for each. Of asia-travel-plan there is the \
      identity provider (8788), served where it is named.

      With --control the operator's commands are there as POST /_rehearsal/<domain>/<name>, as 'rehearse commands \
      DOMAIN' lists them, with setFault and clearFaults; and GET /_rehearsal/health, /_rehearsal/<domain>/commands, \
      /_rehearsal/<domain>/signals?after=N (mail and push that the twin sent), /_rehearsal/<domain>/openapi.json.

      With --clock manual, advance moves the clock, up to 2200-01-01T00:00:00Z; reset empties the twin and sets its \
      clock back to where it began (real time goes on). What is no HTTP is answered as JSON, too, and its connection \
      closed.

      SIGTERM or Ctrl-C ends the server within two seconds. A fault of the program's own ends it at once with exit \
      code 70; SWIFT_BACKTRACE=enable=yes shows where it was.
      """, version: Provenance.text(of: "rehearse-serve"))

  @Argument(help: "The domains to serve; all that have a backend when left out.")
  var domains: [String] = []

  @Option(help: "A domain to serve; may be given several times.")
  var domain: [String] = []

  @Option(
    parsing: .unconditional,
    help: "The first port; further services and domains take the next. 0 takes any free ones.")
  var port: Int?

  @Option(help: "The address to listen at, of this machine alone: 127.0.0.1, ::1 or localhost.")
  var host = "127.0.0.1"

  @Flag(help: "Offer the operator's commands below /_rehearsal.")
  var control = false

  @Option(help: "wall: real time; manual: time moves by the command 'advance' alone.")
  var clock: ClockKind = .wall

  @Option(
    help: "Load the population of a scenario; the clock then begins at its start.",
    completion: .file(extensions: ["yaml", "yml"]))
  var scenario: String?

  @Flag(help: "Print nothing but problems.")
  var quiet = false

  enum ClockKind: String, ExpressibleByArgument, CaseIterable { case wall, manual }

  private var chosen: [String] { domains + domain }

  func validate() throws {
    for name in chosen where Domains.named(name) == nil {
      throw ValidationError("no domain '\(name)'; there are: \(Domains.names)")
    }
    if Set(chosen).count < chosen.count { throw ValidationError("a domain is named twice") }
    if let port, !(0...65_535).contains(port) {
      throw ValidationError("--port is a number from 0 to 65535, not \(port)")
    }
    guard ServingOptions.isLoopback(host) else {
      throw ValidationError(
        "--host \(host) can be reached by others: a twin is served on 127.0.0.1, ::1 or localhost alone"
      )
    }
  }

  func run() async throws {
    LastWords.prepare()
    // Before anything listens: a signal that comes early must not be lost.
    let interruption = Interruption()
    let servers = try await start()
    if !quiet { Self.show(servers) }
    await interruption.wait()
    // Whatever a connection still does: two seconds are the promise.
    let watchdog = DispatchSource.makeTimerSource(queue: .global())
    watchdog.setEventHandler { _exit(0) }
    watchdog.schedule(deadline: .now() + .milliseconds(1_800))
    watchdog.resume()
    await withTaskGroup { group in
      for server in servers { group.addTask { await server.stop() } }
    }
    watchdog.cancel()
  }

  private func start() async throws -> [TwinServer] {
    let population = try scenario.map { try Population(file: $0) }
    var names = chosen
    if names.isEmpty { names = population?.domains ?? Domains.declarations.map(\.domain) }
    var servers: [TwinServer] = []
    var next = port
    for name in names {
      guard let backend = Domains.named(name) else { preconditionFailure("validated before") }
      do {
        let server = try await serve(backend, population, at: next ?? backend.port)
        servers.append(server)
        next = next.map { $0 == 0 ? 0 : (server.addresses.last?.port ?? $0) + 1 }
      } catch let problem as ServingProblem {
        for server in servers { await server.stop() }
        Self.complain("rehearse-serve: \(name): \(problem)")
        throw ExitCode(ExitStatus.wrongUsage.rawValue)
      }
    }
    return servers
  }

  private func serve<Domain: Backend>(
    _ backend: Domain, _ population: Population?, at port: Int
  ) async throws -> TwinServer {
    let last = port + Domain.Contract.services.count - 1
    guard last <= 65_535 else {
      throw ServingProblem("its port would be \(last), and 65535 is the last; take a lower --port")
    }
    var options = ServingOptions()
    options.host = host
    options.control = control
    let (stepped, starts) = try Population.stepped(of: backend, in: population, clock: clock)
    let twin = ServedTwin(
      stepped,
      clock: clock == .manual ? .manual : .running(from: starts, restarts: population != nil))
    return try await TwinServer(twin, port: port, options: options)
  }

  private static func show(_ servers: [TwinServer]) {
    for server in servers {
      for address in server.addresses {
        let service = server.hasSeveralServices ? " \(address.service)" : ""
        FileHandle.standardOutput.write(Data("\(server.domain)\(service) \(address.url)\n".utf8))
      }
    }
  }

  static func complain(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}
