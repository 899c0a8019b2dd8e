import CCrypto

/// A whole number that is not negative, of any size.
///
/// The library fails only where memory is short or a divisor is nought.
struct BigNumber: ~Copyable {
  let value: OpaquePointer

  /// - Parameter bytes: The most significant first.
  init(_ bytes: [UInt8]) {
    value = Self.sound(BN_bin2bn(bytes, Int32(bytes.count), nil))
  }

  init(_ word: UInt) {
    self.init([])
    add(word)
  }

  deinit { BN_clear_free(value) }

  /// The most significant first, without leading noughts.
  var bytes: [UInt8] {
    let length = (bitCount + 7) / 8
    return [UInt8](unsafeUninitializedCapacity: length) { bytes, count in
      count = Int(BN_bn2bin(value, bytes.baseAddress))
    }
  }

  var bitCount: Int { Int(BN_num_bits(value)) }

  mutating func setBit(_ index: Int) { Self.sure(BN_set_bit(value, Int32(index))) }
  mutating func add(_ word: UInt) { Self.sure(BN_add_word(value, word)) }

  func remainder(by word: UInt) -> UInt { BN_mod_word(value, word) }

  /// Miller's and Rabin's test: a composite number passes with a probability below 2^-128.
  var isPrime: Bool {
    let context = Context()
    return BN_check_prime(value, context.value, nil) == 1
  }

  /// One less.
  var predecessor: BigNumber {
    let result = BigNumber(bytes)
    Self.sure(BN_sub_word(result.value, 1))
    return result
  }

  func times(_ other: borrowing BigNumber) -> BigNumber {
    let result = BigNumber([])
    let context = Context()
    Self.sure(BN_mul(result.value, value, other.value, context.value))
    return result
  }

  func remainder(by other: borrowing BigNumber) -> BigNumber {
    let result = BigNumber([])
    let context = Context()
    Self.sure(BN_div(nil, result.value, value, other.value, context.value))
    return result
  }

  /// What this has to be multiplied with to leave 1 when divided by a modulus that it shares no factor with.
  func inverse(modulo modulus: borrowing BigNumber) -> BigNumber {
    let context = Context()
    return BigNumber(owning: Self.sound(BN_mod_inverse(nil, value, modulus.value, context.value)))
  }

  private init(owning value: OpaquePointer) { self.value = value }

  private static func sure(_ done: Int32) {
    precondition(done == 1, "libcrypto has no memory for a number")
  }

  private static func sound(_ number: OpaquePointer?) -> OpaquePointer {
    guard let number else { preconditionFailure("libcrypto has no memory for a number") }
    return number
  }

  /// Memory that calculations borrow from.
  private struct Context: ~Copyable {
    let value = BigNumber.sound(BN_CTX_new())
    deinit { BN_CTX_free(value) }
  }
}
