import Contracts
import KilwinningContract
import Testing
import Timekeeping
import WireLine

/// What the specification prints, read and written by the mapping: a mistake that reading and writing share would
/// survive every round trip.
@Suite struct `Samples of the lodge's specification` {
  @Test func `a confirmation of Kilwinning has the keys, headers and answers of section 3`() {
    let request = Kilwinning.Request.confirm(
      Confirmation(tornataID: 3, presente: true, idempotencyKey: "op-1"))
    let wire = Kilwinning.write(
      request, credential: .init(authorization: .bearer("t")), tokens: codec)
    #expect(wire.method == "POST" && wire.target == "/api/presenze")
    #expect(String(decoding: wire.body, as: UTF8.self) == #"{"tornata_id":3,"presente":true}"#)
    #expect(wire.header("Idempotency-Key") == "op-1")
    #expect(wire.header("Authorization") == "Bearer t")

    let refused = Kilwinning.write(
      .failure(.init(.campoMancante, "manca", field: "nome")), to: .logIn(LogIn("")), tokens: codec)
    #expect(refused.status == 400)
    #expect(
      refused.body?.description
        == #"{"success":false,"error":"manca","code":"CAMPO_MANCANTE","field":"nome"}"#)
    let stored = Presenza(
      id: 1, fratelloID: 7, tornataID: 3, status: .presente,
      confirmedAt: Instant(unixMilliseconds: 1_774_072_800_999))
    let list = Kilwinning.write(
      .success(.presenze([stored])), to: .presenze(PresenzeQuery(7)), tokens: codec)
    #expect(
      list.body?.description
        == #"[{"id":1,"fratello_id":7,"brother_id":7,"tornata_id":3,"presente":true,"#
        + #""status":"Presente","confirmed_at":"2026-03-21T06:00:00Z"}]"#)
  }

  @Test(arguments: ["Bearer", "bearer t extra", "Bearer  t", "Token t", "Bearer "])
  func
    `a malformed Authorization header stays malformed, and a cookie does not help (KW-010, KW-011)`(
      header: String
    )
  {
    let wire = WireRequest(
      "GET", "/api/fratelli/me",
      headers: [
        WireHeader("Authorization", header), WireHeader("Cookie", "a=b; kilwinning_session=good"),
      ])
    let (request, credential) = Kilwinning.read(wire)
    #expect(request == .me)
    #expect(credential == .init(authorization: .malformed(header), cookie: "good"))
  }
}
