/// One of the equal parts that a run is divided into: the third of sixteen.
public struct Share: Hashable, Sendable, CustomStringConvertible {
  /// More parts than these are more than a run has replications.
  public static let mostParts = 10_000

  /// From 1 on.
  public private(set) var number: Int
  public private(set) var parts: Int

  /// All of it.
  public static let whole = Share(1, of: 1)

  public init(_ number: Int, of parts: Int) {
    precondition((1...parts).contains(number), "a part is one of those that there are")
    (self.number, self.parts) = (number, parts)
  }

  /// From `3/16`; `nil` for what is no such part.
  public init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { word in
      word.utf8.allSatisfy { (48...57).contains($0) } ? Int(word) : nil
    }
    guard numbers.count == 2, let number = numbers[0], let parts = numbers[1],
      (1...Self.mostParts).contains(parts), (1...parts).contains(number)
    else { return nil }
    (self.number, self.parts) = (number, parts)
  }

  public var description: String { "\(number)/\(parts)" }

  /// Whether it is dealt the item of a number, from 0 on: they go round.
  public func takes(_ index: Int) -> Bool { index % parts == number - 1 }

  /// How many of so many it is dealt.
  public func size(of whole: Int) -> Int { (whole + parts - number) / parts }
}

extension Share: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.count(&number)
    try packing.count(&parts)
    guard (1...Self.mostParts).contains(parts), (1...parts).contains(number) else {
      throw PackingProblem()
    }
  }
}
