import ArgumentParser
import Contracts
import Foundation
import HTTPLoad
import Reports
import Runs
import Verdicts

/// Two servers under the same load by turns, and their runs compared: what `duel` does with the file of a load.
///
/// The runs of a pair follow each other, the order changes from pair to pair (ABBA), so that a machine that slows down meets both sides
/// alike. Each run is one value of each figure; its parts are stretches of the same moment and count for nothing here.
struct LoadDuel {
  struct Side {
    /// What it is called: its URL or its command.
    let title: String
    let options: LoadOptions
    /// Starts the server for each run.
    var command: String?
  }

  let baseline: Side
  let challenger: Side
  let pairs: Int
  let quiet: Bool
  let interruption: Interruption

  /// What was measured: as many runs on both sides, in pairs.
  struct Fought {
    var baseline: [Run] = []
    var challenger: [Run] = []
    /// Pairs that did not count, because the generator was the limit in one of their runs.
    var repeated = 0
    /// The highest load average that was seen between pairs.
    var busiest = 0.0
  }

  /// Until all pairs are done or the user stops it; a pair counts as a whole or not at all.
  ///
  /// - Parameter progress: Told after each pair how many are done.
  func fight(progress: (Int) -> Void) throws -> Fought {
    var fought = Fought()
    // The first run of a server that goes on also warms it, and the machine.
    for side in [baseline, challenger] where side.command == nil { _ = try bout(of: side) }
    while fought.baseline.count < pairs {
      let isTurned = fought.baseline.count % 2 == 1
      let order = isTurned ? [challenger, baseline] : [baseline, challenger]
      let runs = try order.compactMap { try bout(of: $0) }
      guard runs.count == 2 else { break }
      if let breach = runs.lazy.flatMap({ $0.generator?.breaches ?? [] }).first {
        fought.repeated += 1
        guard fought.repeated <= pairs else {
          Console.error(
            "the load generator was the limit in one of two runs for \(fought.repeated) times: \(Escaping.visible(breach, limit: 300))"
          )
          throw ExitStatus.generatorWasTheLimit.thrown
        }
        continue
      }
      fought.baseline.append(runs[isTurned ? 1 : 0])
      fought.challenger.append(runs[isTurned ? 0 : 1])
      fought.busiest = max(fought.busiest, Self.loadAverage)
      progress(fought.baseline.count)
    }
    return fought
  }

  /// One run; `nil` when the user stopped it.
  private func bout(of side: Side) throws -> Run? {
    let flag = interruption.flag
    if flag.isUp { return nil }
    let server = try side.command.map(ServerCommand.init)
    defer { server?.stop() }
    try server?.waitUntilReady(at: side.options.urls[0], isStopped: { flag.isUp })
    if flag.isUp { return nil }
    do {
      let plan = try side.options.plan()
      let step = LoadStep(
        options: side.options, objectives: [], name: "duel", title: plan.title, quiet: true)
      let ended = try step.go(plan, isStopped: flag, telling: LiveView.Teller())
      return flag.isUp ? nil : ended.run
    } catch let problem as HTTPProblem {
      throw LoadCommand.fail(problem)
    }
  }
}

extension LoadDuel {
  /// What the comparison cannot tell from a change of the server.
  func doubts(_ fought: Fought) -> [String] {
    var doubts: [String] = []
    let hosts = [baseline, challenger].map { side in
      side.options.urls.map { $0.split(separator: "/").prefix(2).joined(separator: "//") }
    }
    if baseline.command == nil, challenger.command == nil, hosts[0] != hosts[1] {
      doubts.append(
        "Each side was one server throughout. Two processes of one program may differ for as long as they live (where their memory lies, which processor they got): --baseline-command and --command start them for each run, so that such differences average out."
      )
    }
    let processors = ProcessInfo.processInfo.activeProcessorCount
    if fought.busiest > 2 * Double(processors) {
      doubts.append(
        "Other programs wanted the processors, too (load average \(Figures.number(fought.busiest)) on \(processors)): their noise hides changes. Do nothing else meanwhile, or take more --pairs."
      )
    }
    return doubts
  }

  /// Of the last minute.
  private static var loadAverage: Double {
    var average = 0.0
    return getloadavg(&average, 1) == 1 ? average : 0
  }

  /// The comparison of what was measured; the routes of both sides go by the baseline's names.
  func comparison(_ fought: Fought, margin: Margin) -> RunComparison {
    let names = fought.baseline[0].latencies.map(\.operation)
    let renamed = fought.challenger.map { run in
      // Another path is another name for the only route.
      baseline.options.urls.count == 1 ? run.renamed(to: names) : run
    }
    return RunComparison(
      of: RunFigures(loads: renamed), with: RunFigures(loads: fought.baseline),
      margin: margin.share)
  }

  /// The file's load against another server.
  ///
  /// - Parameter url: A server's scheme, host and port, which takes the place of the file's; or the whole URL where the file has one.
  static func options(
    _ options: LoadOptions, at url: String?, named option: String
  ) throws -> LoadOptions {
    guard let url else { return options }
    guard let start = url.firstRange(of: "://")?.upperBound else {
      throw ValidationError(
        "\(option) must be a URL, such as http://127.0.0.1:8080, not '\(printable(url))'")
    }
    var changed = options
    let rest = url[start...].drop { !"/?#".contains($0) }
    if rest.isEmpty || rest == "/" {
      let origin = String(url[..<rest.startIndex])
      changed.urls = options.urls.map { own in
        guard let begin = own.firstRange(of: "://")?.upperBound else { return own }
        return origin + String(own[begin...].drop { !"/?#".contains($0) })
      }
    } else {
      guard options.urls.count == 1 else {
        throw ValidationError(
          "\(option) has a path, and the load has \(options.urls.count) URLs with paths of their own: give scheme, host and port only"
        )
      }
      changed.urls = [url]
    }
    return changed
  }
}

extension LoadPlan {
  /// What reports call the load.
  var title: String {
    routes.count == 1 ? routes[0].title : "\(routes.count) URLs of \(routes[0].host)"
  }
}
