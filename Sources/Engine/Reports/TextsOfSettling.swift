import Runs

extension Settling {
  /// What readers should know of it, a sentence each; empty where nothing of it matters.
  public var sentences: [String] { Texts.english.settling(self) }
}

/// Words on how a run settled: what it left out, what it had better, and its steady state.
extension Texts {
  /// Less of a difference is no reason to leave anything out.
  private static let notableBias = 0.01

  fileprivate func settling(_ settling: Settling) -> [String] {
    warmUp(settling) + settling.steadyStates.map(steadyState)
  }

  private func warmUp(_ settling: Settling) -> [String] {
    if settling.isAutomatic {
      if let reason = settling.reason {
        return ["Nothing was left out as a warm-up, although one was asked for: \(reason)."]
      }
      guard settling.leftOut > 0 else {
        return ["Response times were settled from the beginning, so nothing was left out."]
      }
      return [
        "The first \(Figures.duration(settling.leftOut)) of each replication are left out: so long response times took to settle\(changed(settling, by: "they would make"))."
      ]
    }
    guard let advised = settling.advised, advised > settling.leftOut,
      let bias = settling.bias, bias.magnitude >= Self.notableBias
    else { return [] }
    return [
      "Response times had not settled for the first \(Figures.duration(advised)) of each replication, which makes their mean \(amount(bias)); ‘warmup: auto’ would leave that out."
    ]
  }

  private func changed(_ settling: Settling, by words: String) -> String {
    guard let bias = settling.bias, bias.magnitude >= Self.notableBias else { return "" }
    return ", and \(words) their mean \(amount(bias))"
  }

  private func amount(_ bias: Double) -> String {
    Figures.share(bias.magnitude) + (bias < 0 ? " smaller" : " larger")
  }

  private func steadyState(_ state: SteadyState) -> String {
    let interval =
      "\(Figures.duration(state.interval.low)) to \(Figures.duration(state.interval.high))"
    let mean =
      "Settled, a request to \(state.world.excerpt) takes \(Figures.duration(state.seconds)) on average (\(interval), 95 %, by \(state.batches) parts of the run as if they were independent)."
    guard state.isCorrelated else { return mean }
    return mean
      + " They are not: neighbours are alike (correlation \(Figures.number(state.correlation))), so that this interval is too short. Let the run last longer, or repeat it."
  }
}
