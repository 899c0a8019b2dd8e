import ArgumentParser
import Contracts
import Timekeeping

/// A part of a load with a rate of its own: `30s at 100/s`, `1min at 100/s to 1000/s`.
struct LoadPhase: CustomStringConvertible {
  let lasts: Span
  let from: Rate
  let to: Rate

  static func parse(_ text: String) throws -> LoadPhase {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 3 || words.count == 5, words[1] == "at",
      words.count == 3 || words[3] == "to", let lasts = Span(words[0]), lasts > .zero
    else {
      throw ValidationError(
        "'\(printable(text))' is no phase, e.g. \"30s at 100/s\", \"1min at 100/s to 1000/s\"")
    }
    let phase = LoadPhase(
      lasts: lasts, from: try Rate.parse(words[2]), to: try Rate.parse(words[words.count - 1]))
    for rate in [phase.from, phase.to] where !(0...LoadOptions.ratesMost).contains(rate.perSecond) {
      throw ValidationError(
        "'\(printable(text))': a rate is from 0/s to \(Int(LoadOptions.ratesMost))/s")
    }
    return phase
  }

  var description: String {
    "\(lasts) at \(from.text)"
      + (from.perSecond == to.perSecond ? "" : " to \(to.text)")
  }
}

extension [LoadPhase] {
  var rate: ArrivalRate {
    var corners: [ArrivalRate.Corner] = []
    var at = Span.zero
    for phase in self {
      corners.append(ArrivalRate.Corner(at: at, perSecond: phase.from.perSecond))
      at += phase.lasts
      corners.append(ArrivalRate.Corner(at: at, perSecond: phase.to.perSecond))
    }
    return ArrivalRate(corners)
  }
}
