import ArgumentParser
import Backends
import DomainList
import Foundation
import HTTPLoad
import Scenarios
import Simulation
import Synchronization

/// What `--target` says: the twin in process, or a server of a domain.
enum Target: ExpressibleByArgument, Hashable {
  case twin
  case server(domain: String, service: String?, url: URL)

  init?(argument: String) {
    if argument == "twin" {
      self = .twin
      return
    }
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, let url = URL(string: parts[1]), url.host()?.isEmpty == false,
      ["http", "https"].contains(url.scheme?.lowercased() ?? ""), url.query() == nil
    else { return nil }
    let names = parts[0].split(separator: ".", maxSplits: 1).map(String.init)
    guard let domain = names.first else { return nil }
    self = .server(domain: domain, service: names.count > 1 ? names[1] : nil, url: url)
  }
}

extension HTTPOptions.TLS {
  /// Options about certificates, which are nobody's where nothing is encrypted.
  ///
  /// - Parameters:
  ///   - schemes: Of all that is asked.
  ///   - options: By their names, with whether they are given.
  ///   - wanted: What they need.
  static func check(
    _ options: [(name: String, isGiven: Bool)], among schemes: [String], needing wanted: String
  ) throws {
    guard let useless = options.first(where: \.isGiven), !schemes.contains("https") else { return }
    throw ValidationError("\(useless.name) needs \(wanted)")
  }

  static func check(insecure: Bool, authorities: String?) throws {
    guard !insecure || authorities == nil else {
      throw ValidationError("--insecure takes any certificate, so that --ca-file would do nothing")
    }
  }
}

/// Where a run leaves why a server could not be its target.
final class TargetProblemNote: Sendable {
  private let problem = Mutex<TargetProblem?>(nil)
  var written: TargetProblem? { problem.withLock(\.self) }
  func write(_ problem: TargetProblem) { self.problem.withLock { $0 = problem } }
}

/// The servers of a run: by domain those of its services, in the contract's order; none where the twin in process gives one.
struct TargetServers: Sendable {
  private(set) var urls: [String: [URL?]] = [:]
  /// Who people are to servers that were not started for the run.
  var wardrobes: [String: Wardrobe] = [:]
  /// Whom to trust.
  var tls = HTTPOptions.TLS()

  var domains: Set<String> { Set(urls.keys) }
  /// `http`, `https`: those that some server is asked by, the token endpoints among them.
  var schemes: [String] {
    urls.values.flatMap(\.self).compactMap { $0?.scheme?.lowercased() }
      + wardrobes.values.compactMap(\.server.signIn).compactMap {
        URL(string: $0.url)?.scheme?.lowercased()
      }
  }

  var kinds: [String: WireTargets.Kind] {
    Dictionary(uniqueKeysWithValues: urls.map { ($0, kind(of: $0, $1)) })
  }

  private func kind(of domain: String, _ urls: [URL?]) -> WireTargets.Kind {
    guard let foreign = wardrobes[domain]?.server else { return .twin }
    return .foreign(
      isPrepared: foreign.isPrepared,
      twinServices: Set(urls.indices.filter { urls[$0] == nil }))
  }

  /// None: twins answer.
  init() {}

  /// - Throws: What is wrong with the options, in words.
  init(_ targets: [Target], _ scenario: Scenario) throws {
    let worlds = scenario.worlds
    let names = worlds.map(\.domain)
    var given: [String: [String?: URL]] = [:]
    for case .server(let domain, let service, let url) in targets {
      guard let world = worlds.first(where: { $0.domain == domain }) else {
        throw ValidationError(
          "--target \(domain)=…: the scenario has no world '\(domain)'; it has \(names.joined(separator: ", "))"
        )
      }
      guard world.regions == 1 else {
        throw ValidationError(
          "--target \(domain)=…: a server is one region, and the scenario gives '\(domain)' \(world.regions)"
        )
      }
      guard given[domain, default: [:]].updateValue(url, forKey: service) == nil else {
        throw ValidationError("--target: \(domain)\(service.map { ".\($0)" } ?? "") is given twice")
      }
    }
    if targets.contains(.twin), !given.isEmpty {
      throw ValidationError("--target: 'twin' is what domains without a server have anyway")
    }
    // What the command line says of a place takes the scenario's.
    for server in scenario.servers where given[server.domain] == nil {
      for (service, url) in server.urls {
        given[server.domain, default: [:]][service.isEmpty ? nil : service] = URL(string: url)
      }
    }
    for (domain, found) in given {
      guard let backend = Domains.named(domain) else { continue }
      let twins = scenario.servers.first { $0.domain == domain }?.twinServices ?? []
      urls[domain] = try Self.services(of: backend, found, domain, inProcess: twins)
    }
  }

  private static func services<Domain: Backend>(
    of backend: Domain, _ given: [String?: URL], _ domain: String, inProcess: [String]
  ) throws -> [URL?] {
    let names = Domain.Contract.services
    if let unknown = given.keys.compactMap(\.self).first(where: { !names.contains($0) }) {
      throw ValidationError(
        "--target: \(domain) has no service '\(unknown)'; it has \(names.joined(separator: ", "))")
    }
    return try names.enumerated().map { index, name in
      let url = given[name] ?? (index == 0 ? given[nil] : nil)
      guard url != nil || inProcess.contains(name) else {
        throw ValidationError(
          "--target: \(domain).\(name) has no URL; add --target \(domain).\(name)=URL")
      }
      return url
    }
  }
}
