import Statistics

/// What a run's intervals come from, and what brings more of it.
enum Repetition: Hashable {
  /// Runs of the scenario with seeds of their own; more of them are more evidence.
  case replication
  /// Stretches of one load. There are never more of them: a longer load has longer ones.
  ///
  /// - Parameter most: How many could have calls at most, whatever the length, because the plan asks for none in the others.
  case part(most: Int)

  var noun: String {
    switch self {
    case .replication: "replication"
    case .part: "part"
    }
  }

  /// Fewer decide nothing about a share, and so about a quantile.
  var fewestForShares: Int {
    switch self {
    case .replication: 20
    case .part: Self.fewestOfEqualSize
    }
  }

  /// The same of equal size that those have to be worth that differ in size.
  static let fewestOfEqualSize = 10

  /// How many would decide, as far as so few can tell: below twenty their spread says too little to demand more than twenty.
  ///
  /// - Parameters:
  ///   - have: Those with requests.
  ///   - enough: How many would decide if the coming ones were like those seen; `nil` where no number would.
  func enough(_ enough: Int?, have: Int) -> Int? {
    guard let enough else { return nil }
    switch self {
    case .replication:
      let tells = Self.replication.fewestForShares
      return max(have + 1, have < tells ? min(enough, tells) : enough)
    case .part:
      let isOutOfReach = Double(enough) > Self.mostTimesAsLong * Double(have)
      return isOutOfReach ? nil : max(have + 1, enough)
    }
  }

  /// A load that has to be longer than so many times is no advice.
  private static let mostTimesAsLong = 100.0

  /// `; about 3 more replications would decide`.
  ///
  /// - Parameter enough: As `enough(_:have:)` says it.
  func remedy(_ enough: Int?, have: Int) -> String {
    switch (self, enough) {
    case (.replication, nil):
      return "; the truth is so near the bound that no number of replications would decide"
    case (.replication, .some(let enough)):
      let more = enough - have
      let would = have < fewestForShares && enough == fewestForShares ? "tell more" : "decide"
      return "; about \(more) more replication\(more == 1 ? "" : "s") would \(would)"
    case (.part, nil):
      return "; the truth is so near the bound that no load of bearable length would decide"
    case (.part, .some(let enough)):
      return "; a load about \(Self.times(enough, have)) times as long would decide"
    }
  }

  /// `1.4`, `12`; rounded up, so that it is enough.
  private static func times(_ enough: Int, _ have: Int) -> String {
    let tenths = (enough * 10 + have - 1) / max(1, have)
    return tenths < 30 ? "\(tenths / 10).\(tenths % 10)" : "\((tenths + 9) / 10)"
  }

  /// What too few parts lack, or parts that differ much in size: no length of the same load changes that.
  func remedyOfUneven(have: Int) -> String? {
    switch self {
    case .replication: return nil
    case .part(let most) where most < Self.fewestOfEqualSize:
      return
        "; the load asks for calls in \(most) of its parts only: leave out the phases that ask for none, or load the others by themselves"
    case .part where have < fewestForShares: return nil
    case .part:
      return "; load each phase by itself, or let phases ask for calls more evenly"
    }
  }
}
