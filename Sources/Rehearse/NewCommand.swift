import ArgumentParser
import Backends
import Contracts
import DomainList
import Foundation
import RunFolders
import ScenarioFiles
import Scenarios
import Timekeeping
import Verdicts

struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Write a commented scenario to start from.",
    discussion: """
      The file passes 'rehearse check', runs in seconds, and shows every setting of its domain with its default. It is \
      written to NAME.yaml in this folder; a file that is there already is left alone.

      Domains: \(Domains.names)

      Examples:
        rehearse new evening
        rehearse new evening --domain \(Domains.all.first?.domain ?? "DOMAIN")
        rehearse new evening --output scenarios/evening.yaml
      """)

  @Argument(help: "The scenario's name: letters, digits, '.', '_' and '-'.")
  var name: String

  @Option(
    parsing: .singleValue, help: "The domain that it is about (default: the first).",
    completion: Domains.completion)
  var domain: [String] = []

  @Option(
    help: "The file (default: NAME.yaml), or - for standard output.",
    completion: .file(extensions: ["yaml"]))
  var output: String?

  /// So many people live a whole day, twenty times over, in seconds.
  private static let persons = 250

  func validate() throws {
    guard domain.count <= 1 else {
      throw ValidationError(
        "a new scenario is about one domain, not \(domain.count); keep one --domain, and add further worlds to the file"
      )
    }
  }

  func run() throws {
    guard let backend = try domain.first.map(Domains.orUsage) ?? Domains.all.first else {
      throw ValidationError("this build knows no domain")
    }
    Domains.mustBeSound([backend.domain])
    let text = Self.text(name, backend)
    let path = output ?? "\(name).yaml"
    // The reader has the last word on the name, and on a draft that a domain's declaration made wrong.
    do throws(ScenarioErrors) {
      _ = try ScenarioFile.read(Array(text.utf8), file: path, declarations: Domains.declarations)
    } catch {
      let problem = error.problems[0]
      throw ValidationError("\(problem.what); \(problem.remedy)")
    }
    if path == "-" {
      Console.out(text)
      return
    }
    try WholeFile.create(text, at: path, elsewhere: "another name, or --output FILE")
    Console.out(
      """
      \(path): a scenario of \(backend.declaration.title) for a start
        rehearse explain \(path)   every value, where it comes from, and what a run will cost
        rehearse run \(path)
      """)
  }

  static func text<Domain: Backend>(_ name: String, _ backend: Domain) -> String {
    let when = proving(backend)
    return ScenarioDraft(
      name: name, declaration: backend.declaration, starts: when.starts, lasts: when.lasts,
      population: small(backend), domains: Domains.declarations.map { ($0.domain, $0.title) }
    ).text
  }

  /// The domain's own proving scenario knows a day on which its people are about.
  private static func proving(_ backend: some Backend) -> (starts: String, lasts: Span) {
    let read = try? ScenarioFile.read(
      Array(backend.provingScenario.utf8), file: "proving", declarations: Domains.declarations)
    guard let scenario = read?.scenario else {
      return ("2026-03-21T08:00 Europe/Amsterdam", .hours(4))
    }
    let local = scenario.zone.civil(at: scenario.starts).instant(offset: .zero).description
    return ("\(local.prefix(16)) \(scenario.zone)", min(scenario.lasts, .hours(18)))
  }

  /// The first count of the population, which is what it is measured by, lowered until few enough live there.
  private static func small(_ backend: some Backend) -> [(name: String, value: Setting.Value)] {
    let declared = backend.declaration.population
    for setting in declared {
      guard case .count(let range) = setting.kind, case .count(var count) = setting.standard else {
        continue
      }
      func persons(_ count: Int) -> Int {
        backend.persons(in: Settings(declared, overridden: [setting.name: .count(count)]))
      }
      while persons(count) > Self.persons, count > range.lowerBound {
        count = max(range.lowerBound, count / 2)
      }
      return [(setting.name, .count(count))]
    }
    return []
  }
}

extension Domains {
  /// What a shell completes where a domain belongs.
  static var completion: CompletionKind { .list(all.map(\.domain)) }

  /// Ends the program where declarations of domains contradict each other.
  static func mustBeSound(_ domains: [String] = all.map(\.domain)) {
    let flaws = flaws(of: domains)
    guard !flaws.isEmpty else { return }
    for flaw in flaws { Console.error("a mistake in the program: \(flaw)") }
    _exit(ExitStatus.internalError.rawValue)
  }

  /// The backend of a domain that a user named; another name ends the command with 64 and the nearest one.
  static func orUsage(_ domain: String) throws -> any Backend {
    if let backend = named(domain) { return backend }
    let near = nearest(domain, among: all.map(\.domain))
    let hint = near.map { "did you mean '\($0)'?" } ?? "there are: \(names)"
    throw ValidationError("no domain '\(printable(domain))'; \(hint)")
  }
}
