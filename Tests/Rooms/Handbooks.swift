import Backends
import Foundation
import Reports
import Rooms
import Testing

@Suite struct `Handbooks` {
  @Test(arguments: Rooms.all)
  func `the page in a domain's folder says what the domain declares`(
    room: any Backend
  ) throws {
    let folder = "\(type(of: room))".replacing("Backend", with: "")
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Domains/\(folder)/README.md").standardizedFileURL
    let written = try String(contentsOf: page, encoding: .utf8)
    #expect(
      written == Handbook.markdown(of: room),
      "stale: run 'make handbooks' and read the difference")
  }
}
