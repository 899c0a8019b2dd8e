import Testing
import Tokens

@Suite struct `Tokens signed with HMAC-SHA256` {
  private let codec = HS256(secret: "a secret of these tests, 32 bytes and more")

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
    #expect(HS256(secret: String(repeating: "x", count: 32)).verifiedPayload(of: token) == nil)
    #expect(codec.verifiedPayload(of: String(token.dropLast(2))) == nil)
    #expect(codec.verifiedPayload(of: token + "AA") == nil)
    #expect(codec.verifiedPayload(of: token + ".") == nil)
    let parts = token.split(separator: ".")
    #expect(codec.verifiedPayload(of: "\(parts[0]).eyJzdWIiOiJwaG9uZS0yIn0.\(parts[2])") == nil)
    #expect(codec.verifiedPayload(of: "\(parts[0]).\(parts[1]).") == nil)
    #expect(codec.verifiedPayload(of: "") == nil)
  }
}
