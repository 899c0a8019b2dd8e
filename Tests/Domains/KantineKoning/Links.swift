import KantineKoningContract
import KantineKoningJourneys
import Testing

@Suite struct `Codes and links of Kantine Koning's app` {
  static let club = QRPayload(slug: "agovv", name: "AGOVV")

  @Test(arguments: [
    "kantinekoning://tenant?slug=agovv&name=AGOVV",
    "kantinekoning://tenant?name=AGOVV&x=1&slug=agovv",
    "KantineKoning://TENANT?slug=agovv&name=AGOVV#here",
    "kantinekoning://tenant?slug=agovv&slug=other&name=AGOVV",
    "kantinekoning://tenant?slug=agovv&amp;name=AGOVV",
    "kantinekoning://tenant?slug=%61govv&name=AGOVV",
    "kantinekoning://invite?tenant=agovv&tenant_name=AGOVV",
    "https://kantinekoning.com/invite?tenant=agovv&tenant_name=AGOVV",
    "https://app.kantinekoning.com/nl/invite/now?tenant=agovv&amp;tenant_name=AGOVV",
    "https://KantineKoning.com:443/invite?tenant=agovv&tenant_name=AGOVV",
  ])
  func `KK-123: the direct forms are accepted`(text: String) {
    #expect(QRPayload.parse(text) == Self.club)
  }

  @Test(arguments: [
    ("kantinekoning://invite?tenant=vv&tenant_name=VV+Wilhelmus", "VV Wilhelmus"),
    ("kantinekoning://invite?tenant=vv&tenant_name=VV%20Wilhelmus", "VV Wilhelmus"),
    ("kantinekoning://invite?tenant=vv&tenant_name=A%2BB", "A+B"),
    ("kantinekoning://tenant?slug=vv&name=A+B", "A+B"),
    ("kantinekoning://tenant?slug=vv&name=Caf%C3%A9", "Café"),
  ])
  func `KK-123: a plus is a space in tenant_name alone`(text: String, name: String) {
    #expect(QRPayload.parse(text) == QRPayload(slug: "vv", name: name))
  }

  @Test(arguments: [
    "https://example.org/qr?data=kantinekoning%3A%2F%2Ftenant%3Fslug%3Dagovv%26name%3DAGOVV",
    "http://x?y=1&data=kantinekoning%3A%2F%2Finvite%3Ftenant%3Dagovv%26tenant_name%3DAGOVV",
    "kantinekoning://scan?data=kantinekoning%3A%2F%2Ftenant%3Fslug%3Dagovv%26name%3DAGOVV",
    // Encoded twice: decoded once more.
    "https://x/?data=kantinekoning%253A%252F%252Ftenant%253Fslug%253Dagovv%2526name%253DAGOVV",
    "https://x/?data="
      + "https%3A%2F%2Fkantinekoning.com%2Finvite%3Ftenant%3Dagovv%26tenant_name%3DAGOVV",
    // A direct form whose own parameters fail.
    "kantinekoning://tenant?data=kantinekoning%3A%2F%2Ftenant%3Fslug%3Dagovv%26name%3DAGOVV",
  ])
  func `KK-124: a payload may be nested in any address, in both inner forms`(text: String) {
    #expect(QRPayload.parse(text) == Self.club)
  }

  @Test func `KK-124: a blank in a nested name survives its decoding`() {
    let text = "https://x/?data=kantinekoning%3A%2F%2Ftenant%3Fslug%3Dvv%26name%3DVV%20Wilhelmus"
    #expect(QRPayload.parse(text) == QRPayload(slug: "vv", name: "VV Wilhelmus"))
  }

  @Test(arguments: [
    "", "hello", "kantinekoning://tenant", "kantinekoning://tenant?slug=agovv",
    "kantinekoning://tenant?slug=&name=AGOVV", "kantinekoning://tenant?slug=agovv&name=",
    "kantinekoning://tenant?slug=&slug=agovv&name=AGOVV",
    "kantinekoning://tenant/x?slug=agovv&name=AGOVV",
    "kantinekoning://tenants?slug=agovv&name=AGOVV",
    "kantinekoning://tenant?slug=agovv&name=%C3", "kantinekoning://tenant?slug=agovv&name=%4",
    "kantinekoning://invite?slug=agovv&name=AGOVV",
    "https://kantinekoning.com/tenant?slug=agovv&name=AGOVV",
    "http://kantinekoning.com/invite?tenant=agovv&tenant_name=AGOVV",
    "https://notkantinekoning.com/invite?tenant=agovv&tenant_name=AGOVV",
    "https://kantinekoning.com.evil.org/invite?tenant=agovv&tenant_name=AGOVV",
    "https://.kantinekoning.com/invite?tenant=agovv&tenant_name=AGOVV",
    "https://kantinekoning.com@evil.org/invite?tenant=agovv&tenant_name=AGOVV",
    "https://evil.org/kantinekoning.com/invite?tenant=agovv&tenant_name=AGOVV",
    "https://kantinekoning.com/?tenant=agovv&tenant_name=AGOVV",
    // Nested twice.
    "https://x/?data=https%3A%2F%2Fx%2F%3Fdata%3Dkantinekoning%253A%252F%252Ftenant%253Fslug"
      + "%253Dagovv%2526name%253DAGOVV",
    "?data=kantinekoning%3A%2F%2Ftenant%3Fslug%3Dagovv%26name%3DAGOVV",
    "https://x/?data=kantinekoning://tenant?slug=agovv&name=AGOVV",
  ])
  func `KK-127: every other code is ignored`(text: String) {
    #expect(QRPayload.parse(text) == nil)
  }

  @Test(arguments: [
    ("kantinekoning://device-enroll?token=a.b-c_d", DeepLink.deviceEnroll(token: "a.b-c_d")),
    ("https://kantinekoning.com/device-enroll?token=a%2Bb", .deviceEnroll(token: "a+b")),
    ("https://kantinekoning.com/device-enroll?token=a+b", .deviceEnroll(token: "a+b")),
    ("https://app.kantinekoning.com/x/device-enroll/y?x=1&amp;token=t", .deviceEnroll(token: "t")),
    ("kantinekoning://cta/shift-volunteer?token=t", .callToAction(token: "t")),
    ("https://kantinekoning.com/cta/shift-volunteer?token=t", .callToAction(token: "t")),
    ("kantinekoning://invite?tenant=agovv&tenant_name=AGOVV", .invite(club)),
    ("https://kantinekoning.com/invite?tenant=agovv&tenant_name=AGOVV", .invite(club)),
    (
      "kantinekoning://claim-dienst?tenant=vv&dienst_id=d-1&token=t",
      .claimDienst(tenant: "vv", dienstID: "d-1", token: "t")
    ),
    (
      "https://www.kantinekoning.com/claim-dienst?tenant=vv&dienst_id=d-1&token=t",
      .claimDienst(tenant: "vv", dienstID: "d-1", token: "t")
    ),
    // The first form that fits decides.
    ("https://kantinekoning.com/cta/device-enroll?token=t", .deviceEnroll(token: "t")),
    ("https://kantinekoning.com/invite/cta?token=t", .callToAction(token: "t")),
  ])
  func `KK-125, KK-126: links exist as app scheme and as page of the product's domain`(
    text: String, link: DeepLink
  ) {
    #expect(DeepLink.parse(text) == link)
  }

  @Test(arguments: [
    "kantinekoning://device-enroll", "kantinekoning://device-enroll?token=",
    "kantinekoning://device-enroll/x?token=t", "http://kantinekoning.com/device-enroll?token=t",
    "https://example.org/device-enroll?token=t", "kantinekoning://cta?token=t",
    "kantinekoning://cta/other?token=t", "kantinekoning://cta/shift-volunteer",
    "kantinekoning://tenant?slug=agovv&name=AGOVV",
    "kantinekoning://invite?tenant=agovv", "kantinekoning://claim-dienst?tenant=vv&token=t",
    "kantinekoning://claim-dienst?dienst_id=d&token=t", "https://kantinekoning.com/?token=t",
    "https://kantinekoning.com/device-enroll/cta?tenant=a&tenant_name=b",
  ])
  func `KK-127: every other link is without effect`(text: String) {
    #expect(DeepLink.parse(text) == nil)
  }
}
