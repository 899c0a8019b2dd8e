import BenchWork
import Foundation

/// Measures the engine by the workshop of the tutorial and by journeys that do nothing: instructions a request, and processor time.
@main
enum WorkshopBench {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case nil, "time": print(time)
    case "instructions": print(CountedWork.small.figure)
    case "once": CountedWork.small.live(arguments.dropFirst())
    default:
      let usage = """
        workshop-bench [time]                  processor time a request of the workshop, medians of several runs
        workshop-bench instructions            instructions a request, counted by callgrind
        workshop-bench once WORK REPLICATIONS  for callgrind and perf: trivial, trivial-signals or workshop
        """
      let isAsked = ["--help", "-h", "help"].contains(arguments.first)
      FileHandle(fileDescriptor: isAsked ? STDOUT_FILENO : STDERR_FILENO).write(
        Data((usage + "\n").utf8))
      exit(isAsked ? 0 : 64)
    }
  }

  /// On one worker, with every check, digest and histogram.
  private static var time: String {
    let each = Measurement.interleaved([
      {
        var requests = 0
        let seconds = Measurement.processorSeconds { requests = Workshops.live(replications: 20) }
        return seconds / Double(requests) * 1e6
      }
    ])[0]
    let rate = String(format: "%.0f", 1e6 / each.median)
    return "The workshop: \(each.text("µs")) of processor time a request, \(rate) requests a second"
  }
}
