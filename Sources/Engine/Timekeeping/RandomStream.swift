/// One stream of random bits, named by (seed, owner, purpose): a function of its name and of how often it was
/// drawn from, so that one person more or one fault less leaves every other stream as it was.
///
/// - Source: J. K. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011: Philox4x32-10.
public struct RandomStream: RandomNumberGenerator, Sendable {
  /// How many 64-bit words have been drawn.
  public private(set) var drawn: UInt32
  private let key: UInt64
  private let owner: UInt64
  private let purpose: UInt32

  public init(seed: UInt64, owner: UInt64, purpose: UInt32, drawn: UInt32 = 0) {
    key = seed
    self.owner = owner
    self.purpose = purpose
    self.drawn = drawn
  }

  public mutating func next() -> UInt64 {
    let block = Philox.block(
      counter: (drawn >> 1, purpose, UInt32(truncatingIfNeeded: owner), UInt32(owner >> 32)),
      key: (UInt32(truncatingIfNeeded: key), UInt32(key >> 32)))
    defer { drawn &+= 1 }
    return drawn & 1 == 0
      ? UInt64(block.0) | UInt64(block.1) << 32 : UInt64(block.2) | UInt64(block.3) << 32
  }

  /// A double strictly between 0 and 1: the centre of one of 2^52 equal cells. With 2^53 cells the upper half of the
  /// centres would round, the last of them to 1.
  public mutating func unit() -> Double {
    (Double(next() >> 12) + 0.5) * 0x1p-52
  }

  /// True with the given probability; 0 and 1 are exact.
  public mutating func chance(_ probability: Double) -> Bool {
    unit() < probability
  }

  /// A whole number in a range, without modulo bias worth naming below 2^32 values (at most 2^-32).
  public mutating func pick(_ range: Range<Int>) -> Int {
    precondition(!range.isEmpty, "nothing to pick from")
    let (high, _) = next().multipliedFullWidth(by: UInt64(range.count))
    return range.lowerBound + Int(high)
  }

  public mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[pick(0..<choices.count)]
  }
}

/// The Philox4x32-10 block function: 128 bits of counter and 64 of key to 128 random bits.
public enum Philox {
  public typealias Counter = (UInt32, UInt32, UInt32, UInt32)

  public static func block(counter: Counter, key: (UInt32, UInt32)) -> Counter {
    var (c0, c1, c2, c3) = counter
    var (k0, k1) = key
    for _ in 0..<10 {
      let p0 = UInt64(0xD251_1F53) &* UInt64(c0)
      let p1 = UInt64(0xCD9E_8D57) &* UInt64(c2)
      (c0, c1, c2, c3) = (
        UInt32(p1 >> 32) ^ c1 ^ k0, UInt32(truncatingIfNeeded: p1),
        UInt32(p0 >> 32) ^ c3 ^ k1, UInt32(truncatingIfNeeded: p0)
      )
      k0 &+= 0x9E37_79B9
      k1 &+= 0xBB67_AE85
    }
    return (c0, c1, c2, c3)
  }
}

/// A stable 64-bit hash of a name: FNV-1a with a final avalanche. Names of streams go through it, so it is fixed.
public func stableHash(_ text: some StringProtocol) -> UInt64 {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  return avalanche(hash)
}

/// A bijection of 64-bit words in which every input bit reaches every output bit.
/// - Source: the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
public func avalanche(_ word: UInt64) -> UInt64 {
  var z = word &+ 0x9e37_79b9_7f4a_7c15
  z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
  z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
  return z ^ (z >> 31)
}
