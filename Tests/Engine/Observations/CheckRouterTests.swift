import Contracts
import Observations
import Testing
import Timekeeping

@Suite struct `Bringing records to the checks that want them` {
  /// Says everything that it sees, with how many things it has seen before.
  private struct Diary<Location: DiaryScope>: History {
    static var scope: Scope<Parlour> { Location.scope }
    private var seen = 0

    private mutating func see(_ what: String, _ judge: inout Judge) {
      judge.violated("\(what) after \(seen)")
      seen += 1
    }

    mutating func asked(_ call: AskedTable, at moment: Moment, _ judge: inout Judge) {
      see("asked for \(call.table)", &judge)
    }
    mutating func noted(_ note: String, at moment: Moment, _ judge: inout Judge) {
      see("noted \(note)", &judge)
    }
    mutating func signalled(_ signal: String, at moment: Moment, _ judge: inout Judge) {
      see("heard \(signal)", &judge)
    }
    mutating func commanded(_ command: String, at moment: Moment, _ judge: inout Judge) {
      see("told \(command)", &judge)
    }
    mutating func inspected(_ shown: Int, at moment: Moment, _ judge: inout Judge) {
      see("shown \(shown)", &judge)
    }
    mutating func ended(at instant: Instant, _ judge: inout Judge) { see("ended", &judge) }
  }

  private static let everything: Set<Concern> = [
    .operation(0), .notes, .signals, .controls, .inspections,
  ]

  @Test func `each class of records comes to its own handler, typed`() {
    var story = ParlourStory()
    story.ask("a")
    story.note("n")
    story.command("c")
    story.inspect(3)
    let judge = story.judged(by: .history(.p1, Self.everything, Diary<ByRegion>.init))[0]
    #expect(
      judge.found == [
        "asked for a after 0", "noted n after 1", "told c after 2", "shown 3 after 3",
        "ended after 4",
      ])
  }

  @Test func `what a check does not want never reaches it`() {
    var story = ParlourStory()
    story.ask("a")
    story.signal("s")
    story.note("n")
    let judge = story.judged(by: .history(.p1, [.signals], Diary<ByRegion>.init))[0]
    #expect(judge.found == ["heard s after 0", "ended after 1"])
  }

  @Test func `a command that was refused happened to nobody`() {
    var story = ParlourStory()
    story.command("c", .refused(.init(code: "no")))
    let judge = story.judged(by: .history(.p1, [.controls], Diary<ByRegion>.init))[0]
    #expect(judge.exercised == 0)
  }

  @Test func `there is one history for each cell, person or thing, and they end as they began`() {
    var story = ParlourStory()
    story.ask("b", by: 7, in: 1)
    story.ask("a", by: 3, in: 0)
    story.ask("b", by: 3, in: 0)
    var ofOneCell = ParlourStory()
    for table in ["b", "a", "b"] { ofOneCell.ask(table, by: 3, in: 0) }
    func found<Location: DiaryScope & SendableMetatype>(
      _ location: Location.Type, in story: ParlourStory
    ) -> [String] {
      story.judged(by: .history(.p1, [.operation(0)], Diary<Location>.init))[0].found
    }
    #expect(
      found(ByCell.self, in: story) == [
        "asked for b after 0", "asked for a after 0", "asked for b after 1", "ended after 1",
        "ended after 2",
      ])
    #expect(found(ByPerson.self, in: story) == found(ByCell.self, in: story))
    #expect(
      found(ByTable.self, in: ofOneCell) == [
        "asked for b after 0", "asked for a after 0", "asked for b after 1", "ended after 2",
        "ended after 1",
      ])
    // What two cells call alike are two things.
    #expect(!found(ByTable.self, in: story).contains { $0.hasSuffix("after 2") })
  }

  @Test func `what nobody saw is nobody's`() {
    var story = ParlourStory()
    story.command("c")
    story.inspect(1)
    let judge = story.judged(by: .history(.p1, Self.everything, Diary<ByPerson>.init))[0]
    #expect(judge.exercised == 0)
  }

  @Test func `what looks have shown adds up by cell, once a look, however many look at it`() {
    var story = ParlourStory()
    for (count, cell) in [(3, 0), (5, 1), (2, 0), (0, 1)] { story.inspect(count, in: cell) }
    let census = Check<Parlour>.census(.p3) { shown, judge in judge.violated("\(shown)") }
    let judges = story.judged(by: census, census)
    for judge in judges { #expect(judge.found == ["3", "5", "5", "5"]) }
  }

  @Test func `a record may be about several things, and a thing may be named by several records`() {
    var story = ParlourStory()
    story.command("a b")
    story.ask("b")
    let judge = story.judged(by: .history(.p1, Self.everything, Diary<ByTable>.init))[0]
    #expect(
      judge.found == [
        "told a b after 0", "told a b after 0", "asked for b after 1", "ended after 1",
        "ended after 2",
      ])
  }

  @Test func `a finding stands where it was seen`() throws {
    var story = ParlourStory()
    story.note("fine", by: 1)
    story.note("bad", by: 4, in: 2)
    let judge = story.judged(
      by: .note(.p1) { note, _, judge in judge.expect(note == "fine", note) })[0]
    let place = try #require(judge.evidence.first?.location)
    #expect(place.person == PersonID(4) && place.cell == 2)
    #expect(place.time == Instant(unixSeconds: 2))
    #expect(judge.exercised == 2 && judge.violations == 1)
  }

  @Test func `a call is looked at once, whoever judges it`() {
    var story = ParlourStory()
    story.ask("a")
    story.ask("b")
    let looks = Looks()
    let looking: @Sendable (AskedTable, inout Judge) -> Void = { asked, judge in
      looks.see(asked)
      judge.held()
    }
    let judges = story.judged(
      by: .each(.p1, [.operation(0)], looking), .each(.p2, [.operation(0)], looking))
    #expect(judges.map(\.exercised) == [2, 2])
    #expect(looks.views.count == 2)
  }

  @Test func `shapes see their own class: signals, commands with their replies, inspections`() {
    var story = ParlourStory()
    story.signal("s")
    story.command("c")
    story.inspect(3)
    let judges = story.judged(
      by: .signal(.p1) { signal, _, judge in judge.expect(signal == "s", signal) },
      .command(.p2) { command, reply, judge in
        judge.expect(command == "c" && reply == .done, command)
      },
      .census(.p3) { shown, judge in judge.expect(shown == 3, "\(shown)") })
    #expect(judges.map(\.exercised) == [1, 1, 1])
    #expect(judges.map(\.violations) == [0, 0, 0])
  }
}

/// The views that somebody was given, by identity.
private final class Looks: @unchecked Sendable {
  private(set) var views: [AskedTable] = []
  func see(_ view: AskedTable) {
    if !views.contains(where: { $0 === view }) { views.append(view) }
  }
}

private protocol DiaryScope { static var scope: Scope<Parlour> { get } }
private enum ByRegion: DiaryScope { static let scope = Scope<Parlour>.region }
private enum ByCell: DiaryScope { static let scope = Scope<Parlour>.cell }
private enum ByPerson: DiaryScope { static let scope = Scope<Parlour>.person }
private enum ByTable: DiaryScope {
  static let scope = Scope<Parlour>.each(
    "table", by: String.self, asked: { asked, tell in tell(asked.table) },
    commanded: { command, tell in
      for table in command.split(separator: " ") { tell(String(table)) }
    })
}
