extension RandomStream {
  /// The index of one of several weights, each as likely as its share of their sum; a weight of zero is never taken.
  ///
  /// - Precondition: No weight is negative or infinite, and one is positive.
  /// - Complexity: O(count), one word of the stream.
  public mutating func pick(weights: [Double]) -> Int {
    var total = 0.0
    for weight in weights {
      precondition(weight >= 0 && weight < .infinity, "a weight is a finite number, not below 0")
      total += weight
    }
    precondition(
      total > 0 && total < .infinity, "nothing to pick from: no positive finite sum of weights")
    let target = unit() * total
    var sum = 0.0
    var last = 0
    for (index, weight) in weights.enumerated() where weight > 0 {
      sum += weight
      last = index
      if target < sum { break }
    }
    return last
  }

  /// One of several values, each as likely as its weight's share of the sum.
  public mutating func choose<Value>(_ choices: [(value: Value, weight: Double)]) -> Value {
    choices[pick(weights: choices.map(\.weight))].value
  }

  /// Puts the elements in an order of which all are equally likely: one word for each element but the first.
  ///
  /// The standard library's `shuffle(using:)` promises no algorithm, so a new compiler could change every digest.
  ///
  /// - Source: R. Durstenfeld, "Algorithm 235: Random permutation", CACM 7 (1964), 420.
  public mutating func shuffle<Element>(_ elements: inout [Element]) {
    guard elements.count > 1 else { return }
    for last in stride(from: elements.count - 1, to: 0, by: -1) {
      elements.swapAt(last, pick(0..<last + 1))
    }
  }

  /// The elements in an order of which all are equally likely.
  public mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    shuffle(&elements)
    return elements
  }
}
