import ArgumentParser
import Contracts
import Foundation
import Provenance
import RunFolders
import Verdicts

@main
struct Rehearse: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rehearse",
    abstract:
      "A dress rehearsal for a backend: a whole population lives against it, and every rule is checked.",
    discussion: """
      From a scenario file Rehearsal generates phones, managers and people who break rules on purpose, lets them live \
      against a backend in virtual time, measures every latency, checks every limit that the backend's documents \
      promise, and writes a report.

      First steps:
        rehearse new evening            a commented scenario to start from
        rehearse check evening.yaml     is the file right?
        rehearse explain evening.yaml   every value with its source, and the cost
        rehearse run evening.yaml       run it; the report lands below reports/
        rehearse load http://127.0.0.1:8080/   load over HTTP: any URL, no scenario
        rehearse domains                what a scenario can say: operations, settings, faults, events
        rehearse limits                 what is checked, and where it comes from
        rehearse prove                  can every check fail?

      Over time and in CI:
        rehearse baseline accept reports/evening/latest
        rehearse run evening.yaml --baseline scenarios/baselines/evening.json
        rehearse history evening
        rehearse exit-codes             what CI obeys

      Shell completions: rehearse --generate-completion-script bash (or zsh, fish).
      """,
    version: Provenance.text(of: "rehearse"),
    subcommands: [
      RunCommand.self, MergeCommand.self, PartsCommand.self, LoadCommand.self, NewCommand.self,
      CheckCommand.self, ExplainCommand.self,
      SchemaCommand.self,
      DomainsCommand.self, LimitsCommand.self, ReplayCommand.self, TraceCommand.self,
      PersonsCommand.self, ProveCommand.self,
      ReportCommand.self, CompareCommand.self, DuelCommand.self, BaselineCommand.self,
      HistoryCommand.self,
      RunsCommand.self, ReportsCommand.self, CommandsCommand.self, ServeCommand.self,
      ExitCodesCommand.self,
    ])

  static func main() {
    Console.prepare()
    LongNames.whenFull {
      Console.error(
        "This run has more identifiers of over fifteen bytes than one process can hold (4 M texts, 256 MB): make it smaller or shorter, or divide its replications among several runs."
      )
      TemporaryFiles.remove()
      _exit(ExitStatus.outOfNames.rawValue)
    }
    let arguments = NegativeValues.joined(Array(CommandLine.arguments.dropFirst()))
    if let message = WrongWord.message(for: arguments) {
      Console.error("Error: " + message)
      _exit(ExitStatus.wrongUsage.rawValue)
    }
    do {
      var command = try parseAsRoot(arguments)
      do {
        try command.run()
      } catch {
        leave(with: error, of: type(of: command))
      }
    } catch {
      leave(with: error, of: Self.self)
    }
  }

  /// The parser knows its own errors and the codes that commands throw; anything else is a mistake of ours. The usage that it shows is
  /// that of the command at hand.
  private static func leave(with error: any Error, of command: any ParsableCommand.Type) -> Never {
    if !(error is ExitCode), exitCode(for: error) == .failure {
      Console.error(
        "internal error: \(error)\nThis is a mistake of Rehearsal's, not yours; please report it with the command that you gave."
      )
      TemporaryFiles.remove()
      _exit(ExitStatus.internalError.rawValue)
    }
    end(with: error, of: command)
  }

  /// A message with its command as it is called from here: by itself the command does not know what it is a command of.
  private static func called(_ command: any ParsableCommand.Type, in message: String) -> String {
    let (own, whole) = (command.usageString(), usageString(for: command))
    let start = "Usage: "
    let before = whole.replacing(start, with: "").dropLast(own.replacing(start, with: "").count)
    return message.replacing("\n" + start, with: "\n" + start + before)
      .replacing("\n  See '", with: "\n  See '" + before)
  }

  /// Ends as the argument parser would, but for its way of printing, which overlooks a full disk.
  private static func end(with error: any Error, of command: any ParsableCommand.Type) -> Never {
    let code = command.exitCode(for: error)
    let message = called(command, in: command.fullMessage(for: error))
    if !message.isEmpty {
      if code.isSuccess { Console.out(message) } else { Console.error(message) }
    }
    TemporaryFiles.remove()
    _exit(code.rawValue)
  }
}

/// Which Rehearsal this is.
enum Version {
  static let text = Provenance.version

  /// The commit that it was built from, or `unknown`.
  static let commit = Provenance.commit()
}

extension ExitStatus {
  /// The code as the argument parser throws it.
  var thrown: ExitCode { ExitCode(rawValue) }
}
