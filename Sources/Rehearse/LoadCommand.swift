import ArgumentParser
import Contracts
import Foundation
import HTTPLoad
import Observations
import Reports
import RunFolders
import Runs
import ScenarioFiles
import Scenarios
import Storage
import Timekeeping
import Verdicts

struct LoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Load any URL over HTTP, and tell how long its callers wait.",
    discussion: """
      Calls are due by a schedule, whatever the server does, and a response time counts from when its call was due: a \
      server that stops for a second shows as a second, and not as one slow answer. The view shows how it goes; Ctrl-C \
      ends it with a report, a second one at once.

      Examples:
        rehearse load http://127.0.0.1:8080/
        rehearse load http://127.0.0.1:8080/ --rate 500/s --for 1min --objective "p99 < 200ms"
        rehearse load https://host/a https://host/b --weight 3 --weight 1 --pace poisson
        rehearse load http://127.0.0.1:8080/orders --body @order.json -H "Content-Type: application/json"
        rehearse load http://127.0.0.1:8080/ --users 20      closed: each user waits for its answer
        rehearse load http://127.0.0.1:8080/ --phase "10s at 100/s" --phase "30s at 100/s to 1000/s"
        rehearse load http://127.0.0.1:8080/ --phase "30s of 5 to 50 users" --phase "1min of 50 users"
        rehearse load http://127.0.0.1:8080/ --capacity --for 10s --objective "p99 < 200ms"
        rehearse load http://host/ --rate 9000/s --part 1/4 --start-at 2026-03-21T06:00:00Z --output parts
        rehearse load http://127.0.0.1:8080/ --write load.yaml; rehearse load --from load.yaml

      It is invalid (96) where the generator could not keep up: late calls, pauses, a full processor, no local ports. \
      It ends with 69 where no connection was ever accepted, with 99 where an objective failed, with 98 where one cannot be \
      told or no call was answered, and with 0 where none was given. Calls under way at the end are waited for up to their \
      own time-out, or as --drain says. Redirects are followed where --follow says so, proxies never used.
      """)

  @OptionGroup var options: LoadOptions

  @Option(
    help: "Read options from a file that --write wrote; others given here count more.",
    completion: .file(extensions: ["yaml", "yml"]))
  var from: String?

  @Option(help: "Write the load as a file for --from, and make no call.", completion: .file())
  var write: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Make only this part of the load, e.g. 3/16, as a file in --output (default: reports/load-<host>/parts-<seed>) for 'rehearse merge'.",
      valueName: "n/parts"), transform: PartOption.parse)
  var part: Share?

  @Option(
    help: "With --part: when the first call is due, e.g. 2026-03-21T06:00:00Z; the same for all.",
    transform: PartOption.moment)
  var startAt: Instant?

  @Option(
    help: "The folder for the files (default: reports/load-<host>/<UTC time>-<seed>).",
    completion: .directory)
  var output: String?

  @Flag(help: "Do not record the load in \(RunStore.standardPath); with --output it never is.")
  var noStore = false

  @Flag(help: "Print nothing but problems.")
  var quiet = false

  @Flag(
    help:
      "Print result.json, or capacity.json, to standard output in place of the summary.")
  var json = false

  func validate() throws {
    if from == nil { try options.needURLs() }
    guard write == nil || (output == nil && !noStore && !json) else {
      throw ValidationError("--write makes no call: leave out --output, --no-store and --json")
    }
    guard (part == nil) == (startAt == nil) else {
      throw ValidationError(
        "--part and --start-at go together: generators that make one load begin at one moment")
    }
    guard part == nil || (write == nil && !json && !options.capacity) else {
      throw ValidationError("--write, --json and --capacity are of a whole load, not of a --part")
    }
  }

  func run() throws {
    if let from { return try run(from) }
    let plan = try makePlan(options)
    let words = LoadWords(options, plan.routes)
    let objectives = try options.objectives(among: CallTally.operations(plan).map(\.name))
    if let write { return try put(words.file, into: write) }
    if let part, let startAt {
      let load = LoadPart(
        options: options, plan: plan, name: Self.name(plan), share: part, starts: startAt,
        output: output, quiet: quiet)
      do {
        return try load.run()
      } catch let problem as HTTPProblem {
        throw Self.fail(problem)
      }
    }
    let ending = try LoadEnding(
      name: Self.name(plan), seed: options.seed, output: output, noStore: noStore, quiet: quiet,
      json: json, reading: inputs)
    let teller = LiveView.Teller()
    let interruption = Interruption(
      saying: "Stopping with what there is; once more ends at once without a report.",
      by: { teller.say($0) })
    let title = plan.title
    var isKnown = false
    func go(_ options: LoadOptions) throws -> LoadStep.Ended {
      let step = LoadStep(
        options: options, objectives: objectives, name: Self.name(plan), title: title, quiet: quiet,
        isKnown: isKnown)
      do {
        let ended = try step.go(
          try makePlan(options), isStopped: interruption.flag, telling: teller)
        isKnown = true
        return ended
      } catch let problem as HTTPProblem {
        throw Self.fail(problem)
      }
    }
    if options.capacity {
      return try search(go, isStopped: { interruption.flag.isUp }, words, in: ending.folder)
    }
    let ended = try go(options)
    try ending.conclude(ended.run, explanations: ended.explanations)
  }

  /// Steps until an objective breaks; the files are of the last run at the highest rate that held.
  private func search(
    _ go: @escaping (LoadOptions) throws -> LoadStep.Ended, isStopped: @escaping () -> Bool,
    _ words: LoadWords, in folder: RunFolder
  ) throws {
    let capacity = LoadCapacity(
      options: options, step: go, isStopped: isStopped,
      say: { if json { Console.error($0) } else if !quiet { Console.out($0) } })
    let found = try capacity.find()
    var status = found.exitCode
    let document = LoadCapacity.document(found, options.objective, command: words.command)
    var all = [(path: "capacity.json", bytes: document.bytes)]
    var best = found.best?.run
    best?.folder = folder.path
    if let best { all = Rendering.files(for: best) + all }
    var keeping = Keeping(in: folder, isStored: output == nil && !noStore)
    keeping.keep(all, of: best)
    if !keeping.losses.isEmpty { status = status.unwritten(limits: []) }
    Console.conclude(status.rawValue, limits: [])
    if json { Console.out(document.pretty()) }
    let isQuiet = quiet || json
    if !isQuiet || status != .allHeld {
      let text =
        LoadCapacity.summary(found, options.objective)
        + "\n" + TerminalLoad.requestsInALine(found.calls)
      if isQuiet { Console.error(text) } else { Console.out(text) }
    }
    if !isQuiet, keeping.report != nil { Console.out("Steps and the best run: \(folder.path)") }
    keeping.tellLosses()
    if status != .allHeld { throw status.thrown }
  }

  /// The load of a file, with what this command line says on top.
  private func run(_ file: String) throws {
    let said: [String]
    do throws(ScenarioErrors) {
      said = try LoadFile.arguments(file)
    } catch {
      Console.error(error.description)
      throw ExitStatus.invalidInput.thrown
    }
    var own = Array(CommandLine.arguments.dropFirst(2))
    if let place = own.firstIndex(of: "--from") {
      own.removeSubrange(place...min(place + 1, own.count - 1))
    }
    own.removeAll { $0.hasPrefix("--from=") }
    let command = try LoadCommand.parse(said + own)
    try command.run()
  }

  // MARK: - Before the first call

  private func makePlan(_ options: LoadOptions) throws -> LoadPlan {
    do {
      return try options.plan()
    } catch let problem as HTTPProblem {
      throw Self.fail(problem)
    }
  }

  static func fail(_ problem: HTTPProblem) -> any Error {
    switch problem {
    case .unresolvable:
      Console.error(problem.description)
      return ExitStatus.targetUnreachable.thrown
    case .noMeans:
      Console.error(problem.description)
      return ExitStatus.generatorWasTheLimit.thrown
    case .badURL, .badHeader, .badMethod, .bodyOfHead, .wrongLength, .unusableFile,
      .tooManyConnections:
      return ValidationError(problem.description)
    }
  }

  private var inputs: [String] {
    let body = options.body.flatMap { $0.hasPrefix("@") ? String($0.dropFirst()) : nil }
    return [from, body, options.caFile, options.cert, options.key].compactMap(\.self)
  }

  /// What its folder is called: letters, digits, `.` and `-`.
  private static func name(_ plan: LoadPlan) -> String {
    let host = plan.routes[0].host.prefix(60).map {
      $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-"
    }
    return "load-" + String(host)
  }

  private func put(_ text: String, into path: String) throws {
    guard text.utf8.count <= ScenarioFile.mostBytes else {
      throw ValidationError(
        "the load takes more than the \(ScenarioFile.mostBytes) bytes that --from reads: keep its body in a file, --body @FILE"
      )
    }
    try WholeFile.create(text, at: path, elsewhere: "another file")
    if !quiet {
      Console.out("Written: \(path). Load with: rehearse load --from \(Escaping.shell(path))")
    }
  }
}
