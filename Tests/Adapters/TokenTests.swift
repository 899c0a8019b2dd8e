import Testing

@testable import Tokens

@Suite struct `Tokens signed with HMAC-SHA256` {
  private let codec = TokenSignatures(secret: "a secret of these tests, 32 bytes and more")

  /// FIPS 180-2, appendix B.1.
  @Test func `hash as the standard's example says`() {
    let digest = codec.sha256(Array("abc".utf8))
    #expect(
      digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(codec.sha256([]).prefix(4) == [0xe3, 0xb0, 0xc4, 0x42])
  }

  /// The expected text is Python's: `hmac.new(key, b"eyJ…", "sha256")` over the same header and payload.
  @Test func `sign as another program does`() {
    #expect(
      codec.sign(payload: Array(#"{"sub":"phone-1"}"#.utf8))
        == "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJwaG9uZS0xIn0.tSEUE3qtyjYw3L09iZ_NfKB05FisxcPswGLON8Gp_l0"
    )
  }

  @Test func `are refused when any part was changed`() throws {
    let token = codec.sign(payload: Array(#"{"sub":"phone-1"}"#.utf8))
    #expect(codec.verifiedPayload(of: token) == Array(#"{"sub":"phone-1"}"#.utf8))
    let other = TokenSignatures(secret: String(repeating: "x", count: 32))
    #expect(other.verifiedPayload(of: token) == nil)
    #expect(codec.verifiedPayload(of: String(token.dropLast(2))) == nil)
    #expect(codec.verifiedPayload(of: token + "AA") == nil)
    #expect(codec.verifiedPayload(of: token + ".") == nil)
    let parts = token.split(separator: ".")
    #expect(codec.verifiedPayload(of: "\(parts[0]).eyJzdWIiOiJwaG9uZS0yIn0.\(parts[2])") == nil)
    #expect(codec.verifiedPayload(of: "\(parts[0]).\(parts[1]).") == nil)
    #expect(codec.verifiedPayload(of: "") == nil)
  }
}

@Suite struct `Tokens signed with a named RSA key` {
  private let codec = TokenSignatures(secret: "a secret of these tests, 32 bytes and more")
  private let payload = Array(#"{"sub":"ada"}"#.utf8)

  /// RFC 7515, appendix A.2: the primes of its key, what it signs, and the signature.
  @Test func `sign as the standard's example says`() throws {
    let p = try #require(
      Base64URL.decode(
        "4BzEEOtIpmVdVEZNCqS7baC4crd0pqnRH_5IB3jw3bcxGn6QLvnEtfdUdiYrqBdss1l58BQ3KhooKeQTa9AB0Hw_"
          + "Py5PJdTJNPY8cQn7ouZ2KKDcmnPGBY5t7yLc1QlQ5xHdwW1VhvKn-nXqhJTBgIPgtldC-KDV5z-y2XDwGUc"))
    let q = try #require(
      Base64URL.decode(
        "uQPEfgmVtjL0Uyyx88GZFF1fOunH3-7cepKmtH4pxhtCoHqpWmT8YAmZxaewHgHAjLYsp1ZSe7zFYHj7C6ul7Tje"
          + "LQeZD_YwD66t62wDmpe_HlB-TnBA-njbglfIsRLtXlnDzQkv5dTltRJ11BKBBypeeF6689rjcJIDEz9RWdc"))
    let key = RSAKey(p: BigNumber(p), q: BigNumber(q))
    #expect(
      Base64URL.encode(key.n)
        == "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1P"
        + "t0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSX"
        + "ndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5I"
        + "hlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ")
    let signed = Array(
      ("eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxl"
        + "LmNvbS9pc19yb290Ijp0cnVlfQ").utf8)
    let signature = key.signature(of: signed)
    #expect(
      Base64URL.encode(signature)
        == "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8"
        + "W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkS"
        + "jtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvW"
        + "h6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw")
    #expect(key.signs(signed, with: signature))
    #expect(!key.signs(signed + [0], with: signature))
  }

  @Test func `name it, and another process makes the same key of its name`() throws {
    let token = codec.sign(payload: payload, key: "key-1")
    #expect(codec.key(of: token) == "key-1")
    #expect(codec.verifiedPayload(of: token, key: "key-1") == payload)
    let other = TokenSignatures(secret: "a secret of these tests, 32 bytes and more")
    #expect(other.sign(payload: payload, key: "key-1") == token)
    #expect(other.modulus(of: "key-1") == codec.modulus(of: "key-1"))
    let modulus = try #require(Base64URL.decode(codec.modulus(of: "key-1")))
    #expect(modulus.count == 256 && modulus[0] >= 0x80, "2,048 bits")
  }

  @Test func `are refused when any part was changed, by another key, and by another algorithm`() {
    let token = codec.sign(payload: payload, key: "key-1")
    let parts = token.split(separator: ".").map(String.init)
    func encoded(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }
    let header = #"{"alg":"RS256","typ":"JWT","kid":"key-1","crit":["exp"]}"#
    let forged = [
      "", "..", token + ".", token + "AA", String(token.dropLast(4)), "\(parts[0]).\(parts[1]).",
      "\(parts[0]).\(encoded(#"{"sub":"bob"}"#)).\(parts[2])",
      "\(encoded(#"{"alg":"none"}"#)).\(parts[1]).",
      "\(encoded(#"{"alg":"none"}"#)).\(parts[1]).\(parts[2])",
      "\(encoded(header)).\(parts[1]).\(parts[2])", codec.sign(payload: payload),
      codec.sign(payload: payload, key: "key-2"),
    ]
    for text in forged { #expect(codec.verifiedPayload(of: text, key: "key-1") == nil, "\(text)") }
    #expect(codec.verifiedPayload(of: token) == nil, "an RSA signature is none of the secret's")
    #expect(codec.modulus(of: "key-1") != codec.modulus(of: "key-2"))
  }
}
