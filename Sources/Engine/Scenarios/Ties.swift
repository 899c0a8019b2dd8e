import Contracts

/// Settings of one section that contradict one another.
extension Reading {
  /// A setting with its value and, where the scenario gives it, its node; `nil` where what is given could not be read.
  private struct Tied {
    let name: String
    let value: Setting.Value
    let node: SourceNode?

    /// `'keystrokeLongest' (12:9) is 1s`, or by default.
    var inWords: String {
      node.map { "'\(name)' (\($0.location)) is \(value)" }
        ?? "'\(name)' is \(value) by default"
    }
  }

  /// - Parameters:
  ///   - members: What the scenario gives.
  ///   - values: The given values that could be read.
  func checkTies(
    of declared: [Setting], _ members: [String: SourceNode], _ values: [String: Setting.Value]
  ) {
    func tied(_ setting: Setting) -> Tied? {
      guard let node = members[setting.name] else {
        return Tied(name: setting.name, value: setting.standard, node: nil)
      }
      return values[setting.name].map { Tied(name: setting.name, value: $0, node: node) }
    }
    var judged: Set<Setting.Tie> = []
    for setting in declared {
      guard let tie = setting.tie, judged.insert(tie).inserted else { continue }
      if case .atMost(let name) = tie {
        guard let other = declared.first(where: { $0.name == name }) else {
          programFault("'\(setting.name)' is tied to '\(name)', which nobody declared")
        }
        if let low = tied(setting), let high = tied(other) { checkOrder(low, high) }
        continue
      }
      let all = declared.filter { $0.tie == tie }
      let readable = all.compactMap(tied)
      guard readable.count == all.count, let first = readable.first(where: { $0.node != nil })
      else { continue }
      let sum = readable.reduce(0) { $0 + $1.value.magnitude }
      let list = readable.map(\.inWords).joined(separator: ", ")
      switch tie {
      case .weight(let what) where sum <= 0:
        wrong(first.node!, "no weight of \(what) is above 0: \(list)", "give one of them a weight")
      case .share(let what) where sum > 1 + 1e-9:
        wrong(
          first.node!, "the shares of \(what) make \(percent(sum)): \(list)",
          "lower them to 100% in all")
      default: break
      }
    }
  }

  private func checkOrder(_ low: Tied, _ high: Tied) {
    guard let node = low.node ?? high.node, low.value.magnitude > high.value.magnitude else {
      return
    }
    wrong(
      node, "\(low.inWords), above what it may reach: \(high.inWords)",
      "make '\(low.name)' at most '\(high.name)'")
  }
}

extension Setting.Value {
  /// What can be set in order and added up; a flag and a choice have none.
  fileprivate var magnitude: Double {
    switch self {
    case .count(let count): Double(count)
    case .share(let share): share
    case .number(let number): number
    case .span(let span): Double(span.nanoseconds)
    case .flag, .choice: 0
    }
  }
}
