import BenchWork
import Foundation
import Timekeeping

/// Measures the engine on this machine and prints a table. Ratios within one run travel between machines; absolute
/// figures do not.
@main
enum Bench {
  static func main() {
    if CommandLine.arguments.dropFirst().first == "once" {
      return Instructions.works.live(CommandLine.arguments.dropFirst(2))
    }
    let figures: [(name: String, measure: () -> String)] = [
      ("hold", HoldModel.figure), ("trivial", TrivialJourneys.figure),
      ("trivial-two", TrivialJourneys.scaling), ("saturday", CanteenSaturday.figure),
      ("parts", CanteenSaturday.parts), ("saturday-two", CanteenSaturday.scaling),
      ("memory", CanteenSaturday.memory), ("city", CityDay.figure),
      ("agency", AgencyYear.figure), ("agency-lists", AgencyYear.lists),
      ("instructions", { Instructions.works.figure }), ("report", ReportBench.figure),
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
