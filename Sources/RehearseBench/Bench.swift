import Foundation
import Timekeeping

/// Measures the engine on this machine and prints a table. Ratios within one run travel between machines; absolute
/// figures do not.
@main
enum Bench {
  static func main() {
    if CommandLine.arguments.dropFirst().first == "once" {
      return Instructions.live(CommandLine.arguments.dropFirst(2))
    }
    let figures: [(name: String, measure: () -> String)] = [
      ("hold", HoldModel.figure), ("trivial", TrivialJourneys.figure),
      ("trivial-two", TrivialJourneys.scaling), ("saturday", CanteenSaturday.figure),
      ("parts", CanteenSaturday.parts), ("saturday-two", CanteenSaturday.scaling),
      ("memory", CanteenSaturday.memory), ("city", CityDay.figure),
      ("instructions", Instructions.figure), ("report", ReportBench.figure),
      ("matching", DriverMatching.figure), ("lodge", LodgeFigures.figure),
      ("samples", SampleMemory.figure),
    ]
    let wanted = CommandLine.arguments.dropFirst()
    if let strange = wanted.first(where: { word in !figures.contains { $0.name == word } }) {
      let isAsked = ["--help", "-h", "help"].contains(strange)
      let words = usage(figures.map(\.name)) + (isAsked ? "" : "\nThere is no figure '\(strange)'.")
      FileHandle(fileDescriptor: isAsked ? STDOUT_FILENO : STDERR_FILENO).write(
        Data((words + "\n").utf8))
      exit(isAsked ? 0 : 64)
    }
    print(
      "Rehearsal bench: medians of \(Measurement.repetitions) interleaved repetitions, with their range\n"
    )
    for figure in figures where wanted.isEmpty || wanted.contains(figure.name) {
      print(figure.measure() + "\n")
    }
  }
}

extension Bench {
  private static func usage(_ names: [String]) -> String {
    """
    rehearse-bench: measures the engine on this machine, for some minutes, and prints a table.

    Usage: rehearse-bench [FIGURE…]   those figures, in their order; without names all of them
           rehearse-bench --help

    Figures: \(names.joined(separator: ", "))
    'instructions' needs valgrind. Do nothing else on the machine meanwhile.
    """
  }
}

/// Repeated timings of the same work.
struct Measurement {
  static let repetitions = 5
  let values: [Double]

  /// Measures several things in turn, so that a busy moment of the machine meets them alike.
  static func interleaved(_ bodies: [() -> Double]) -> [Measurement] {
    var values = bodies.map { _ in [Double]() }
    for _ in 0..<repetitions {
      for index in bodies.indices { values[index].append(bodies[index]()) }
    }
    return values.map(Measurement.init)
  }

  var median: Double { values.sorted()[values.count / 2] }

  /// `12.3 (11.9…12.8)` with a unit.
  func text(_ unit: String, digits: Int = 2) -> String {
    func round(_ value: Double) -> String { String(format: "%.\(digits)f", value) }
    return "\(round(median)) \(unit) (\(round(values.min()!))…\(round(values.max()!)))"
  }

  /// Seconds of this process's processor time: what a figure for each core is made of, also on a busy machine.
  static func processorSeconds(_ body: () -> Void) -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let began = now()
    body()
    return now() - began
  }

  /// Seconds of wall time that a piece of work takes.
  static func seconds(_ body: () -> Void) -> Double {
    let began = DispatchTime.now().uptimeNanoseconds
    body()
    return Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9
  }
}
