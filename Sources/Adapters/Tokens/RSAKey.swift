import CCrypto

/// A key for RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 §8.2), which signs equal texts equally.
final class RSAKey: @unchecked Sendable {
  /// The modulus, the most significant byte first.
  let n: [UInt8]
  /// Never changed once it is made: libcrypto lets threads share such a key.
  private let key: OpaquePointer

  /// A pair from two primes.
  /// - Precondition: Neither prime leaves 1 when divided by the exponent.
  init(p: borrowing BigNumber, q: borrowing BigNumber, e: UInt = 65_537) {
    let n = p.times(q)
    let exponent = BigNumber(e)
    let lessP = p.predecessor
    let lessQ = q.predecessor
    let d = exponent.inverse(modulo: lessP.times(lessQ))
    let dP = d.remainder(by: lessP)
    let dQ = d.remainder(by: lessQ)
    let qInv = q.inverse(modulo: p)
    let key = ccrypto_rsa_pair(
      ccrypto_rsa(
        n: n.value, e: exponent.value, d: d.value, p: p.value, q: q.value, dP: dP.value,
        dQ: dQ.value, qInv: qInv.value))
    guard let key else { preconditionFailure("two primes make an RSA key") }
    (self.n, self.key) = (n.bytes, key)
  }

  deinit { EVP_PKEY_free(key) }

  func signature(of text: [UInt8]) -> [UInt8] {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    var length = n.count
    return [UInt8](unsafeUninitializedCapacity: length) { signature, count in
      let isSigned =
        EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1
        && EVP_DigestSign(context, signature.baseAddress, &length, text, text.count) == 1
      precondition(isSigned, "signing bytes in memory with a private key does not fail")
      count = length
    }
  }

  func signs(_ text: [UInt8], with signature: [UInt8]) -> Bool {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
      && EVP_DigestVerify(context, signature, signature.count, text, text.count) == 1
  }
}
