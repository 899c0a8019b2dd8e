import Foundation
import Reports
import Runs
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct `The picture beside the summary` {
  private func picture(of run: Run) throws -> String {
    String(decoding: try #require(SummaryPicture.bytes(for: run)), as: UTF8.self)
  }

  @Test(arguments: [(SampleRun.failing, 700), (SampleLoad.climbing, 1_216)])
  func `is a file that asks for nothing, on light pages and dark ones`(
    run: Run, width: Int
  ) throws {
    let picture = try picture(of: run)
    #expect(XMLParser(data: Data(picture.utf8)).parse())
    #expect(picture.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\""))
    let own = picture.replacing("http://www.w3.org/2000/svg", with: "")
    for foreign in ["http", "url(", "@import", "href", "<script", "<image"] {
      #expect(!own.contains(foreign), "\(foreign)")
    }
    #expect(picture.contains("prefers-color-scheme:dark") && picture.contains("fill=\"var(--page)"))
  }

  @Test func `is shown by the summary, with words for those who do not see it`() throws {
    let run = SampleRun.failing
    let summary = String(decoding: SummaryDocument.bytes(for: run), as: UTF8.self)
    let shown = try #require(summary.firstMatch(of: /!\[([^\]]+)\]\(summary\.svg\)/))
    #expect(shown.output.1.contains("kantine-koning: busiest at 13:"))
    #expect(Rendering.views(of: run).contains { $0.path == "summary.svg" })
  }

  @Test func `is left out where nothing was sent`() {
    #expect(SummaryPicture.bytes(for: SampleRun.empty) == nil)
    #expect(!Rendering.views(of: SampleRun.empty).contains { $0.path == "summary.svg" })
    let summary = String(decoding: SummaryDocument.bytes(for: SampleRun.empty), as: UTF8.self)
    #expect(!summary.contains("summary.svg"))
  }

  @Test func `lets no text from outside out of its place`() throws {
    for name in `Text from outside in reports`.names {
      var run = SampleRun.failing
      run.load[0].world = name
      let picture = try picture(of: run)
      #expect(XMLParser(data: Data(picture.utf8)).parse(), "\(name)")
      let summary = String(decoding: SummaryDocument.bytes(for: run), as: UTF8.self)
      #expect(summary.matches(of: /!\[/).count == 1)
    }
  }
}
