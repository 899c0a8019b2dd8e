import CCrypto
import Synchronization

/// RSA keys of 2,048 bits by their names. Each follows from a seed and its name, so that a run repeats to the byte in any process; it
/// is made when it is first asked for, which takes about a fifth of a second.
final class NamedKeys: Sendable {
  private let seed: [UInt8]
  private let made = Mutex<[String: RSAKey]>([:])

  init(seed: [UInt8]) { self.seed = seed }

  subscript(name: String) -> RSAKey {
    made.withLock { made in
      if let key = made[name] { return key }
      var source = ByteSource(seed + [0] + Array(name.utf8))
      let p = source.prime(bits: 1_024)
      let key = RSAKey(p: p, q: source.prime(bits: 1_024))
      made[name] = key
      return key
    }
  }
}

/// Bytes that follow from a seed: SHA-256 of the seed and a counter.
struct ByteSource {
  private let seed: [UInt8]
  private var blocks: UInt64 = 0

  init(_ seed: [UInt8]) { self.seed = seed }

  mutating func next(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let counter = withUnsafeBytes(of: blocks.bigEndian) { Array($0) }
      bytes += sha256(counter + seed)
      blocks += 1
    }
    return Array(bytes.prefix(count))
  }

  /// A prime of just so many bits that an RSA key with the exponent 65,537 can have: the first at or after odd bytes of the source.
  ///
  /// The two uppermost bits are set, so that the product of two such primes has all of its bits.
  mutating func prime(bits: Int) -> BigNumber {
    while true {
      var candidate = BigNumber(next(bits / 8))
      for bit in [0, bits - 2, bits - 1] { candidate.setBit(bit) }
      while candidate.bitCount == bits {
        if candidate.remainder(by: 65_537) != 1, candidate.isPrime { return candidate }
        candidate.add(2)
      }
    }
  }
}

func sha256(_ bytes: [UInt8]) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
    let written = SHA256(bytes, bytes.count, digest.baseAddress)
    precondition(written != nil, "SHA-256 of bytes in memory does not fail")
    count = Int(SHA256_DIGEST_LENGTH)
  }
}
