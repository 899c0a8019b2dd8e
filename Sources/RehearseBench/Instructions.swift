import Foundation

/// How many instructions of the processor one complete request takes, counted by callgrind: unlike seconds they repeat, whatever else
/// the machine does. What two replications take beyond one is divided by the requests that they have beyond it, so that
/// starting the program does not count.
enum Instructions {
  private struct Count {
    let instructions: Double
    let requests: Double
  }

  private static let works:
    [(name: String, title: String, goal: String, live: @Sendable (Int) -> Int)] = [
      ("trivial", "a trivial journey", "", TrivialJourneys.live(replications:)),
      ("canteen", "Kantine Koning", "   goal 28 k", CanteenSaturday.live(replications:)),
      ("city", "MimiSupply", "", CityDay.live(replications:)),
    ]

  static func figure() -> String {
    let lines = works.map { work in
      guard let one = count(work.name, replications: 1), let two = count(work.name, replications: 2)
      else { return "  \(work.title): not counted, valgrind is missing" }
      let each = (two.instructions - one.instructions) / (two.requests - one.requests)
      return String(
        format: "  %-18@ %.1f k instructions a request%@", work.title as NSString, each / 1e3,
        work.goal as NSString)
    }
    return "Instructions of a complete request, checks and digest included\n"
      + lines.joined(separator: "\n")
  }

  /// What callgrind watches: one kind of work, so many replications of it, and the number of requests on standard output.
  static func live(_ arguments: ArraySlice<String>) {
    guard let name = arguments.first, let work = works.first(where: { $0.name == name }),
      let replications = arguments.dropFirst().first.flatMap({ Int($0) })
    else { preconditionFailure("once WORK REPLICATIONS") }
    print(work.live(replications))
  }

  private static func count(_ work: String, replications: Int) -> Count? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
      ProcessInfo.processInfo.arguments[0], "once", work, String(replications),
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
    return Count(instructions: instructions, requests: requests)
  }
}
