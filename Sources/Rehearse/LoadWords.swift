import Contracts
import Foundation
import HTTPLoad
import Reports
import ScenarioFiles

/// A load said again: as the command that repeats it, and as a file. Neither holds a secret.
struct LoadWords {
  private let options: LoadOptions
  private let routes: [HTTPRoute]

  init(_ options: LoadOptions, _ routes: [HTTPRoute]) {
    self.options = options
    self.routes = routes
  }

  /// Everything that was said, and nothing that was left to its default.
  private var said: [(name: String, values: [String])] {
    let standard = LoadOptions.standard
    var said: [(name: String, values: [String])] = []
    func add(_ name: String, _ value: String, unless isStandard: Bool) {
      if !isStandard { said.append((name, [value])) }
    }
    if let users = options.users {
      said.append(("users", ["\(users)"]))
    } else {
      if options.phase.isEmpty {
        said.append(("rate", [options.rate.text]))
      } else {
        said.append(("phase", options.phase.map(\.description)))
      }
      add("pace", options.pace.rawValue, unless: options.pace == standard.pace)
    }
    if options.phase.isEmpty { said.append(("for", ["\(options.lasts)"])) }
    if options.capacity { said.append(("capacity", ["true"])) }
    add("warmup", "\(options.warmup)", unless: options.warmup == standard.warmup)
    add(
      "connections", "\(options.connections)", unless: options.connections == standard.connections)
    if let method = options.method { said.append(("method", [method])) }
    if !options.header.isEmpty { said.append(("header", options.header)) }
    if let body = options.body { said.append(("body", [body])) }
    if !options.weight.isEmpty { said.append(("weight", options.weight.map { "\($0)" })) }
    add("expect", "\(options.expect)", unless: options.expect.ranges == standard.expect.ranges)
    if !options.objective.isEmpty { said.append(("objective", options.objective)) }
    add("timeout", "\(options.timeout)", unless: options.timeout == standard.timeout)
    add(
      "connect-timeout", "\(options.connectTimeout)",
      unless: options.connectTimeout == standard.connectTimeout)
    if let drain = options.drain { said.append(("drain", ["\(drain)"])) }
    if let follow = options.follow { said.append(("follow", ["\(follow)"])) }
    for (name, isOn) in [
      ("http2", options.http2), ("no-keepalive", options.noKeepalive),
      ("insecure", options.insecure),
    ] where isOn { said.append((name, ["true"])) }
    for (name, path) in [("ca-file", options.caFile), ("cert", options.cert), ("key", options.key)]
    {
      if let path { said.append((name, [path])) }
    }
    add(
      "max-lateness", "\(options.maxLateness)", unless: options.maxLateness == standard.maxLateness)
    add("max-stall", "\(options.maxStall)", unless: options.maxStall == standard.maxStall)
    add("seed", "\(options.seed)", unless: options.seed == standard.seed)
    return said
  }

  /// The command, with `…` in place of what may be a secret.
  var command: String {
    let words = shown.flatMap { name, values in
      LoadOptions.flags.contains(name)
        ? ["--\(name)"]
        : values.flatMap { ["--\(name)", Escaping.shell(printable($0, limit: 400))] }
    }
    let urls = routes.map { Escaping.shell(printable($0.shownURL, limit: 400)) }
    return (["rehearse", "load"] + urls + words).joined(separator: " ")
  }

  /// What a command line says, with `…` in place of what may be a secret.
  var arguments: [String] {
    routes.map(\.shownURL)
      + shown.flatMap { name, values in
        LoadOptions.flags.contains(name) ? ["--\(name)"] : values.map { "--\(name)=\($0)" }
      }
  }

  /// What is asked of the server, without what is demanded of it, and of the generator: runs of the same are comparable.
  var workload: String {
    let others: Set<String> = [
      "objective", "max-lateness", "max-stall", "insecure", "ca-file", "cert", "key", "seed",
    ]
    let words = shown.filter { !others.contains($0.name) }.flatMap { [$0.name] + $0.values }
    return (routes.map(\.title) + words).joined(separator: "\n")
  }

  private var shown: [(name: String, values: [String])] {
    said.map { name, values in (name, values.map { Self.withoutSecrets($0, name) }) }
  }

  private static func withoutSecrets(_ value: String, _ name: String) -> String {
    switch name {
    case "header": "\(value.prefix { $0 != ":" }): …"
    case "body": value.hasPrefix("@") ? value : "…"
    default: value
    }
  }

  /// The file that `rehearse load --from` reads: the same load. Headers that may be secrets, and user and password of URLs, become
  /// variables.
  var file: String {
    var secrets = Secrets()
    var lines = [
      "# What 'rehearse load --from' reads: every option of 'rehearse load' is a key. Values may name environment",
      "# variables, ${NAME} or ${NAME:-default}: headers that may be secrets, and user and password, are written so.",
      "# In double quotes \\x24 is a dollar sign that begins no variable.",
      "rehearsal: 1", "timeline: wall", "load:", "  urls:",
    ]
    lines += options.urls.map { "    - " + secrets.url($0) }
    for (name, values) in said {
      let values = values.map { name == "header" ? secrets.header($0) : YAMLText.quoted($0) }
      if LoadOptions.lists.contains(name) {
        lines += ["  \(name):"] + values.map { "    - " + $0 }
      } else {
        lines.append("  \(name): " + values[0])
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// The variables of a load's file, which stand for its secrets: one name for each secret.
private struct Secrets {
  private var taken: [String: String] = [:]

  mutating func header(_ header: String) -> String {
    guard let colon = header.firstIndex(of: ":") else { return YAMLText.quoted(header) }
    let name = String(header[..<colon])
    guard Self.maySecret(name) else { return YAMLText.quoted(header) }
    // Blanks before a header's value are none of it.
    let value = header[header.index(after: colon)...].drop { $0 == " " }
    let variable = variable(for: String(value), "HEADER_" + name)
    return YAMLText.quoted(name + ": ", variable: variable, "")
  }

  mutating func url(_ url: String) -> String {
    guard let start = url.firstRange(of: "://")?.upperBound else { return YAMLText.quoted(url) }
    let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    guard let at = url[start..<end].lastIndex(of: "@") else { return YAMLText.quoted(url) }
    let variable = variable(for: String(url[start..<at]), "URL_USER")
    return YAMLText.quoted(String(url[..<start]), variable: variable, String(url[at...]))
  }

  private static func maySecret(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["auth", "cookie", "token", "key", "secret", "session", "password", "credential"]
      .contains { name.contains($0) }
  }

  private mutating func variable(for secret: String, _ wanted: String) -> String {
    let stem = String(
      wanted.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    var name = stem
    var number = 2
    while let other = taken[name], other != secret {
      name = "\(stem)_\(number)"
      number += 1
    }
    taken[name] = secret
    return name
  }
}

extension LoadOptions {
  /// Options that stand for yes.
  static let flags: Set<String> = ["http2", "no-keepalive", "insecure", "capacity"]
  /// Options that may be given several times.
  static let lists: Set<String> = ["header", "weight", "objective", "phase"]

  /// All defaults, about some URL.
  static var standard: LoadOptions {
    do {
      return try LoadOptions.parse(["http://127.0.0.1/"])
    } catch {
      preconditionFailure("the defaults of a load are no load: \(error)")
    }
  }
}
