import Foundation

/// A kind of work whose instructions a request callgrind counts: unlike seconds they repeat, whatever else the machine does. What two
/// replications take beyond one is divided by the requests that they have beyond it, so that starting the program does not count.
public struct CountedWork: Sendable {
  fileprivate let name: String
  private let title: String
  /// Thousands of instructions a request; `nil` where none is set.
  private let goal: Double?
  fileprivate let live: @Sendable (_ replications: Int) -> Int

  /// - Parameter live: Does so many replications of it and says how many requests they had.
  public init(
    _ name: String, _ title: String, goal: Double? = nil,
    live: @escaping @Sendable (_ replications: Int) -> Int
  ) {
    (self.name, self.title, self.goal, self.live) = (name, title, goal, live)
  }

  /// A line with the instructions that each request takes.
  fileprivate var line: String {
    guard let one = count(replications: 1), let two = count(replications: 2) else {
      return "  \(title): not counted, valgrind is missing"
    }
    let each = (two.instructions - one.instructions) / (two.requests - one.requests)
    let text = String(format: "%.1f k instructions a request", each / 1e3)
    let goal = goal.map { String(format: "   goal %g k", $0) } ?? ""
    return "  " + title.padding(toLength: 36, withPad: " ", startingAt: 0) + text + goal
  }

  private func count(replications: Int) -> (instructions: Double, requests: Double)? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
      ProcessInfo.processInfo.arguments[0], "once", name, String(replications),
    ]
    // Hashes are seeded anew in every process, and so the number of collisions would differ.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_DETERMINISTIC_HASHING": "1"]
    ) { $1 }
    let (answer, report) = (Pipe(), Pipe())
    process.standardOutput = answer
    process.standardError = report
    guard (try? process.run()) != nil else { return nil }
    let problems = String(
      decoding: report.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let output = String(decoding: answer.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0,
      let line = problems.split(separator: "\n").last(where: { $0.contains("Collected :") }),
      let instructions = line.split(separator: " ").last.flatMap({ Double($0) }),
      let requests = Double(output.trimmingCharacters(in: .whitespacesAndNewlines))
    else { return nil }
    return (instructions, requests)
  }
}

extension CountedWork {
  /// What needs no large domain.
  public static let small = [
    CountedWork("trivial", "a trivial journey", goal: 6, live: TrivialJourneys.live(replications:)),
    CountedWork(
      "trivial-signals", "a trivial journey with signals", goal: 8,
      live: TrivialJourneys.liveListening(replications:)),
    CountedWork("workshop", "the workshop", goal: 12, live: Workshops.live(replications:)),
  ]
}

extension [CountedWork] {
  public var figure: String {
    "Instructions of a complete request, checks and digest included\n"
      + map { $0.line }.joined(separator: "\n")
  }

  /// What callgrind watches: one kind of work, so many replications of it, and the number of requests on standard output.
  public func live(_ arguments: ArraySlice<String>) {
    guard let name = arguments.first, let work = first(where: { $0.name == name }),
      let replications = arguments.dropFirst().first.flatMap({ Int($0) })
    else { preconditionFailure("once WORK REPLICATIONS") }
    print(work.live(replications))
  }
}
