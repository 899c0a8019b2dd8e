import Observations
import Runs
import Testing
import Timekeeping

@Suite struct `Shares and parts` {
  private static let build = Part.Build(version: "1", commit: "abc")

  private static func part(
    _ share: String, round: Int = 1, work: String = "saturday", build: Part.Build = build
  ) -> PartSet.Named {
    var part = Part.empty
    part.share = Share(share)!
    part.round = round
    part.work = Array(work.utf8)
    part.build = build
    return PartSet.Named(path: "\(round)-\(share).part", part: part)
  }

  private static func problems(_ parts: PartSet.Named...) -> String {
    do throws(PartProblems) {
      _ = try PartSet(parts, build: build) { part, _ in
        "another scenario, \(String(decoding: part.work, as: UTF8.self))"
      }
      return ""
    } catch {
      return error.description
    }
  }

  @Test(arguments: [1, 2, 5, 16]) func `deal everything once, and evenly`(parts: Int) {
    let shares = (1...parts).map { Share($0, of: parts) }
    for whole in [0, 1, 15, 16, 17, 1_000] {
      let dealt = shares.map { share in (0..<whole).filter(share.takes) }
      #expect(dealt.flatMap(\.self).sorted() == Array(0..<whole))
      #expect(dealt.map(\.count) == shares.map { $0.size(of: whole) })
      let sizes = dealt.map(\.count)
      #expect(sizes.max()! - sizes.min()! <= 1)
    }
  }

  @Test(arguments: ["0/3", "4/3", "3", "3/", "/3", "-1/3", "1/99999", "1/2/3", "+1/3", ""])
  func `are named by which of how many`(text: String) {
    #expect(Share(text) == nil)
    #expect(Share("3/16") == Share(3, of: 16))
  }

  @Test func `come in any order, and say which of them are missing`() throws {
    let set = try PartSet(
      [Self.part("3/4"), Self.part("1/4"), Self.part("2/2", round: 2)], build: Self.build
    ) { _, _ in "" }
    #expect(set.parts.map(\.path) == ["1-1/4.part", "1-3/4.part", "2-2/2.part"])
    #expect(set.missing(fromRound: 1).map(\.description) == ["2/4", "4/4"])
    #expect(set.missing(fromRound: 2).map(\.description) == ["1/2"])
    #expect(set.missing(fromRound: 3) == [])
  }

  @Test func `are refused where one is there twice, and both files are named`() {
    var twin = Self.part("1/4")
    twin.path = "copy.part"
    let words = Self.problems(Self.part("1/4"), twin)
    #expect(words.contains("copy.part: part 1/4 is there twice, in 1-1/4.part, too"))
  }

  @Test func `are refused where one is of another scenario, build or number of parts`() {
    let other = Self.problems(Self.part("1/4"), Self.part("2/4", work: "sunday"))
    #expect(
      other.contains("1-2/4.part: a part of something else") && other.contains("sunday"))
    let older = Part.Build(version: "0", commit: "def")
    let build = Self.problems(Self.part("1/4"), Self.part("2/4", build: older))
    #expect(build.contains("1-2/4.part: made by rehearse 0 (def), and this is 1 (abc)"))
    let uneven = Self.problems(Self.part("1/4"), Self.part("2/5"))
    #expect(uneven.contains("1-2/5.part: part 2/5, where 1-1/4.part is part 1/4"))
  }

  @Test
  func `name clocks that are further apart than calls may be late, and those that nothing set`() {
    let shares = (1...3).map { Share($0, of: 3) }
    func judged(_ offsets: Double?...) -> ClockJudgement {
      ClockJudgement(Array(zip(shares, offsets)), limit: .milliseconds(10))
    }
    #expect(judged(0.004, -0.005, 0).breaches == [])
    #expect(
      judged(0.006, -0.005, 0).breaches == [
        "clocks: those of generators 2/3 and 1/3 differ by 11ms (limit 10ms)"
      ])
    #expect(judged(nil, 5, nil).breaches == [] && judged(nil, 5, nil).words.contains("1/3, 3/3"))
    #expect(judged(0, 0, 0).words == "All clocks were set by time servers.")
  }
}
