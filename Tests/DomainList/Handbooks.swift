import Backends
import DomainList
import Foundation
import Reports
import Testing

@Suite struct `Handbooks` {
  @Test(arguments: Domains.all)
  func `the page in a domain's folder says what the domain declares`(
    backend: any Backend
  ) throws {
    let folder = "\(type(of: backend))".replacing("Backend", with: "")
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Domains/\(folder)/README.md").standardizedFileURL
    let written = try String(contentsOf: page, encoding: .utf8)
    #expect(
      written == Handbook.markdown(of: backend),
      "stale: run 'make handbooks' and read the difference")
  }
}
