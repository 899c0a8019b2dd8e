import Foundation
import Reports
import RunFolders
import Runs
import Scenarios

/// What a run under GitHub Actions leaves there: annotations on the change, and the summary on the job's page.
enum GitHub {
  private static var environment: [String: String] { ProcessInfo.processInfo.environment }

  static var isPresent: Bool { environment["GITHUB_ACTIONS"] == "true" }

  /// GitHub refuses a larger summary of a step.
  private static let summaryMost = 1 << 20

  /// - Parameter stream: Where annotations go; the runner reads them on standard error as well.
  static func report(_ run: Run, of scenario: Scenario, to stream: Int32) {
    if isPresent {
      for line in Annotations.lines(for: run, of: scenario) {
        if stream == STDOUT_FILENO { Console.out(line) } else { Console.error(line) }
      }
    }
    append(SummaryDocument.bytes(for: run))
  }

  /// Problems of a scenario where its reviewer sees them.
  static func report(_ errors: ScenarioErrors) {
    guard isPresent else { return }
    for problem in errors.problems.prefix(10) {
      Console.out(
        Annotations.line(
          .error, title: "Scenario", "\(problem.what); \(problem.remedy)", file: problem.file,
          line: problem.location?.line, column: problem.location?.column))
    }
  }

  /// The file belongs to the job, and other steps write to it too: what is there stays.
  private static func append(_ summary: [UInt8]) {
    guard let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return }
    func warn(_ number: Int32) {
      Console.error(
        "warning: \(path): the summary cannot be written: \(String(cString: strerror(number)))")
    }
    // A FIFO that nobody reads is an error instead of a wait for ever.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return warn(errno) }
    defer { close(descriptor) }
    let size = max(0, lseek(descriptor, 0, SEEK_END))
    guard Int(size) + summary.count + 1 <= summaryMost else {
      Console.error("warning: \(path): GitHub shows no more than 1 MiB, so the summary is left out")
      return
    }
    if let number = Descriptor.write((size > 0 ? [10] : []) + summary, to: descriptor) {
      // What others wrote stays, half a summary does not.
      ftruncate(descriptor, size)
      warn(number)
    }
  }
}
