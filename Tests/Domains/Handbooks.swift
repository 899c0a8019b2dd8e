import Foundation
import KantineKoningRoom
import Reports
import Testing

@Suite struct `Handbooks` {
  @Test func `the page in a domain's folder says what the domain declares`() throws {
    let domains = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Domains").standardizedFileURL
    let page = domains.appending(path: "KantineKoning/README.md")
    let written = try String(contentsOf: page, encoding: .utf8)
    #expect(
      written == Handbook.markdown(of: KantineKoningBackend()),
      "stale: run 'make handbooks' and read the difference")
  }
}
