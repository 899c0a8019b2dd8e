import Backends
import Foundation
import KantineKoningRoom
import MimiSupplyRoom
import Reports
import Testing

@Suite struct `Handbooks` {
  @Test(
    arguments: [("KantineKoning", KantineKoningBackend()), ("MimiSupply", MimiSupplyBackend())]
      as [(String, any Backend)])
  func `the page in a domain's folder says what the domain declares`(
    folder: String, room: any Backend
  ) throws {
    let domains = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Domains").standardizedFileURL
    let page = domains.appending(path: "\(folder)/README.md")
    let written = try String(contentsOf: page, encoding: .utf8)
    #expect(
      written == Handbook.markdown(of: room),
      "stale: run 'make handbooks' and read the difference")
  }
}
