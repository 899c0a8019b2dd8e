import ArgumentParser
import Contracts
import HTTPLoad
import Timekeeping

/// A part of a load with a rate or with users of its own: `30s at 100/s`, `1min at 100/s to 1000/s`, `30s of 5 to 50 users`.
struct LoadPhase: CustomStringConvertible {
  enum Load {
    case rate(from: Rate, to: Rate)
    case users(from: Int, to: Int)
  }

  let lasts: Span
  let load: Load

  static func parse(_ text: String) throws -> LoadPhase {
    var words = text.split(separator: " ").map(String.init)
    let isClosed = words.count > 1 && words[1] == "of"
    if isClosed, ["user", "users"].contains(words.last) { words.removeLast() }
    guard words.count == 3 || words.count == 5, isClosed || words[1] == "at",
      words.count == 3 || words[3] == "to",
      case let lasts = try LoadOptions.span(words[0]), lasts > .zero
    else {
      throw ValidationError(
        "'\(printable(text))' is no phase, e.g. \"30s at 100/s\", \"1min at 100/s to 1000/s\", \"30s of 5 to 50 users\""
      )
    }
    let (first, last) = (words[2], words[words.count - 1])
    if isClosed {
      guard let from = users(first), let to = users(last) else {
        throw ValidationError(
          "'\(printable(text))': users are a number from 0 to \(LoadOptions.usersMost)")
      }
      return LoadPhase(lasts: lasts, load: .users(from: from, to: to))
    }
    let (from, to) = (try Rate.parse(first), try Rate.parse(last))
    for rate in [from, to] where !(0...LoadOptions.ratesMost).contains(rate.perSecond) {
      throw ValidationError(
        "'\(printable(text))': a rate is from 0/s to \(Int(LoadOptions.ratesMost))/s")
    }
    return LoadPhase(lasts: lasts, load: .rate(from: from, to: to))
  }

  private static func users(_ text: String) -> Int? {
    Int(text).flatMap { (0...LoadOptions.usersMost).contains($0) ? $0 : nil }
  }

  /// Whether it asks for no call.
  var isResting: Bool {
    switch load {
    case .rate(let from, let to): from.perSecond == 0 && to.perSecond == 0
    case .users(let from, let to): from == 0 && to == 0
    }
  }

  var isClosed: Bool { if case .users = load { true } else { false } }

  var description: String {
    switch load {
    case .rate(let from, let to):
      "\(lasts) at \(from.text)" + (from.perSecond == to.perSecond ? "" : " to \(to.text)")
    case .users(let from, let to):
      "\(lasts) of \(from)" + (from == to ? "" : " to \(to)") + (to == 1 ? " user" : " users")
    }
  }
}

extension LoadOptions {
  /// The same load so many times as long, up to whole seconds; `nil` where no load may be so long.
  func lasting(_ times: Double) -> LoadOptions? {
    func stretched(_ span: Span) -> Span {
      Span.seconds(Int64((span.seconds * times).rounded(.up)))
    }
    guard times > 1, lasts.seconds * times < Self.longest.seconds - Double(phase.count + 1) else {
      return nil
    }
    var longer = self
    if phase.isEmpty {
      longer.time = stretched(lasts)
    } else {
      longer.phase = phase.map { LoadPhase(lasts: stretched($0.lasts), load: $0.load) }
    }
    return longer
  }
}

extension [LoadPhase] {
  /// Whether calls are asked for between two times; always where there are no phases.
  func asks(from: Span, to: Span) -> Bool {
    var begins = Span.zero
    for phase in self {
      let ends = begins + phase.lasts
      if begins < to, from < ends, !phase.isResting { return true }
      begins = ends
    }
    return isEmpty
  }

  /// Calls that are due a second, over time; nobody's in phases of users.
  var rate: ArrivalRate {
    var corners: [ArrivalRate.Corner] = []
    var at = Span.zero
    for phase in self {
      guard case .rate(let from, let to) = phase.load else { continue }
      corners.append(ArrivalRate.Corner(at: at, perSecond: from.perSecond))
      at += phase.lasts
      corners.append(ArrivalRate.Corner(at: at, perSecond: to.perSecond))
    }
    return ArrivalRate(corners)
  }

  /// How many users there are over time, where phases speak of users.
  var users: UserCount {
    UserCount(
      compactMap { phase in
        guard case .users(let from, let to) = phase.load else { return nil }
        return UserCount.Stage(lasts: phase.lasts, from: from, to: to)
      })
  }
}
