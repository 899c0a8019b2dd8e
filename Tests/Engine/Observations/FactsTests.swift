import Contracts
import Observations
import Testing
import Timekeeping

@Suite struct `Facts that are gathered once and lent` {
  @Test func `a check sees facts as they were before the record, and others' with it`() {
    var story = ParlourStory()
    story.ask("a")
    story.ask("b")
    let judges = story.judged(
      by: .each(.p1, [.operation(0)], by: Guests.self) { _, guests, judge in
        judge.violated("\(guests.count)")
      },
      .history(.p2, [.operation(0)], by: Guests.self) { Watching<Early>(guests: $0) },
      .history(.p3, [.operation(0)], by: Guests.self) { Watching<Late>(guests: $0) })
    #expect(judges[0].found == ["0", "1"])
    #expect(judges[1].found == ["0", "1"])
    #expect(judges[2].found == ["1", "2"])
  }

  @Test func `each kind is gathered once, for facts, histories and checks together`() {
    var story = ParlourStory()
    story.ask("a", in: 1)
    story.ask("b", in: 1)
    let router = story.watched(
      .each(.p1, [.operation(0)], by: Regulars.self) { _, regulars, judge in
        judge.violated("\(regulars.guests.count) \(regulars.known)")
      },
      .history(.p2, [.operation(0)], by: Both<Guests, Regulars>.self) {
        Watching<Early>(guests: $0.first)
      })
    #expect(router.judges[0].found == ["0 0", "1 1"])
    #expect(router.judges[1].found == ["0", "1"])
    #expect(router.library.lender(of: Guests.self)(1).count == 2)
  }

  @Test func `facts that go by others learn of a record after them`() {
    var story = ParlourStory()
    story.ask("a")
    let router = story.watched(
      .each(.p1, [.operation(0)], by: Regulars.self) { _, _, judge in judge.held() })
    #expect(router.library.lender(of: Regulars.self)(0).known == 1)
  }

  @Test func `there are facts for each cell and for each thing, with its name`() {
    var story = ParlourStory()
    story.command("a b", in: 1)
    story.ask("b", in: 1)
    story.ask("c", in: 0)
    let judges = story.judged(
      by: .each(.p1, [.operation(0)], by: Table.self) { _, table, judge in
        judge.violated("\(table.name) was named \(table.named) times in \(table.cell)")
      })
    #expect(judges[0].found == ["b was named 1 times in 1", "c was named 0 times in 0"])
  }

  @Test func `what two cells call alike are two things`() {
    var story = ParlourStory()
    story.command("a", in: 1)
    story.ask("a", in: 0)
    story.ask("a", in: 1)
    let judges = story.judged(
      by: .each(.p1, [.operation(0)], by: Table.self) { _, table, judge in
        judge.violated("\(table.name) was named \(table.named) times in \(table.cell)")
      })
    #expect(judges[0].found == ["a was named 0 times in 0", "a was named 1 times in 1"])
  }

  @Test func `a person's history goes by the facts of its cell`() {
    var story = ParlourStory()
    story.ask("a", by: 5, in: 2)
    story.ask("b", by: 5, in: 2)
    story.ask("c", by: 6, in: 0)
    let judges = story.judged(
      by: .history(.p1, [.operation(0)], by: Guests.self) { WatchingPerson(guests: $0) })
    #expect(judges[0].found == ["0", "1", "0"])
  }

  @Test func `who is no check goes by the same facts, as they are with the record`() {
    var router = CheckRouter<Parlour>([])
    let guests = router.library.lender(of: Guests.self)(0)
    var story = ParlourStory()
    story.ask("a")
    for record in story.records { router.see(record) }
    #expect(guests.count == 1)
  }

  @Test
  func `what ripens is judged once, before the first record after it is known, or at the end`() {
    var story = ParlourStory()
    for table in ["a", "b", "c", "d", "e", "f"] { story.ask(table) }
    // Due two seconds after their records at 1, 2, … s, they ripen with the records at 4, 5, 6 s.
    let judges = story.judged(
      by: .ripe(.p1, of: Patience.self) { table, facts, judge in
        judge.violated("\(table) when \(facts.count) were known")
      },
      .ripe(.p2, of: Patience.self) { _, _, judge in judge.held() })
    #expect(
      judges[0].found == ["a when 3 were known", "b when 4 were known", "c when 5 were known"])
    #expect(judges[0].evidence.map { $0.location.time.unixSeconds } == [4, 5, 6])
    #expect(judges[1].exercised == 3)
  }

  @Test func `what ripens after the last record is judged with the end, and what does not is open`()
  {
    var story = ParlourStory()
    story.ask("a")
    story.ask("b")
    var router = CheckRouter<Parlour>([
      .ripe(.p1, of: Patience.self) { table, _, judge in judge.violated(table) }
    ])
    for record in story.records { router.see(record) }
    router.end(at: Instant(unixSeconds: 4))
    #expect(router.judges[0].found == ["a"])
    #expect(router.judges[0].evidence.map { $0.location.time.unixSeconds } == [4])
  }

  @Test func `who judges one sort of what ripens is not shown the others`() {
    var story = ParlourStory()
    for note in ["odd", "even", "odd"] { story.note(note) }
    let judges = story.judged(
      by: .ripe(.p1, of: Sorted.self, sorts: [1]) { note, _, judge in judge.violated(note) },
      .ripe(.p2, of: Sorted.self) { _, _, judge in judge.held() })
    #expect(judges[0].found == ["odd", "odd"])
    #expect(judges[1].exercised == 3)
  }

  @Test func `facts learn of what arrived twice before they are told how the first went`() {
    var story = ParlourStory()
    story.ask("a", meeting: .duplicate)
    story.ask("b")
    let judges = story.judged(
      by: .each(.p1, [.operation(0)], by: Arrivals.self) { _, arrivals, judge in
        judge.violated(arrivals.seen.joined(separator: " "))
      },
      .history(.p2, [.operation(0)], by: Guests.self) { Watching<Late>(guests: $0) })
    #expect(judges[0].found == ["a unheard", "a unheard a replied"])
    #expect(judges[1].found == ["1", "2"])
  }

  @Test func `what ripened is judged before facts learn of what arrived twice`() {
    var story = ParlourStory()
    story.note("now")
    story.ask("a", meeting: .duplicate)
    let judges = story.judged(
      by: .ripe(.p1, of: Arrivals.self) { note, arrivals, judge in
        judge.violated("\(note) after \(arrivals.seen.count)")
      })
    #expect(judges[0].found == ["now after 0"])
  }

  @Test func `what is told at once is judged with the next record, or the end`() {
    var story = ParlourStory()
    story.note("now")
    story.note("later")
    let judges = story.judged(
      by: .ripe(.p1, of: Patience.self) { table, _, judge in judge.violated(table) })
    #expect(judges[0].found == ["now", "later"])
  }
}

extension ParlourStory {
  fileprivate func watched(_ checks: Check<Parlour>...) -> CheckRouter<Parlour> {
    var router = CheckRouter(checks)
    for record in records { router.see(record) }
    return router
  }
}

private final class Guests: Facts {
  static let concerns: Set<Concern> = [.operation(0)]
  private(set) var count = 0

  init(_ subject: Subject<Nothing<Parlour>>) {}
  func asked(_ call: AskedTable, at moment: Moment) { count += 1 }
}

/// Goes by the guests, and remembers how many those were with the last record.
private final class Regulars: Facts {
  static let concerns: Set<Concern> = [.operation(0)]
  let guests: Guests
  private(set) var known = 0

  init(_ subject: Subject<Guests>) { guests = subject.known }
  func asked(_ call: AskedTable, at moment: Moment) { known = guests.count }
}

private final class Table: Facts {
  static let scope = ParlourTable.scope
  static let concerns: Set<Concern> = [.controls]
  let name: String
  let cell: Int
  private(set) var named = 0

  init(_ subject: Subject<Nothing<Parlour>>) {
    name = subject.name
    cell = subject.cell
  }
  func commanded(_ command: String, at moment: Moment) { named += 1 }
}

private enum ParlourTable {
  static let scope = Scope<Parlour>.each(
    "table", by: String.self, asked: { asked, tell in tell(asked.table) },
    commanded: { command, tell in
      for table in command.split(separator: " ") { tell(String(table)) }
    })
}

private final class Patience: Facts {
  static let concerns: Set<Concern> = [.operation(0), .notes]
  private(set) var count = 0
  var ripening = Ripening<String>()

  init(_ subject: Subject<Nothing<Parlour>>) {}

  func asked(_ call: AskedTable, at moment: Moment) {
    count += 1
    ripening.keep(call.table, until: moment.time + .seconds(2))
  }

  func noted(_ note: String, at moment: Moment) { ripening.tell(note) }
}

/// How the calls went, those included that arrived a second time.
private final class Arrivals: Facts {
  static let concerns: Set<Concern> = [.operation(0), .notes]
  private(set) var seen: [String] = []
  var ripening = Ripening<String>()

  init(_ subject: Subject<Nothing<Parlour>>) {}

  func asked(_ call: AskedTable, at moment: Moment) {
    seen.append("\(call.table) \(call.call.isReplied ? "replied" : "lost")")
  }

  func askedAgain(_ unheard: AskedTable, at moment: Moment) {
    seen.append("\(unheard.table) \(unheard.call.isUnknown ? "unheard" : "heard")")
  }

  func noted(_ note: String, at moment: Moment) { ripening.tell(note) }
}

/// Tells of every note at once: those that are odd are of the second sort.
private final class Sorted: Facts {
  static let concerns: Set<Concern> = [.notes]
  static let sorts = 2
  static func sort(of note: String) -> Int { note == "odd" ? 1 : 0 }
  var ripening = Ripening<String>()

  init(_ subject: Subject<Nothing<Parlour>>) {}

  func noted(_ note: String, at moment: Moment) { ripening.tell(note) }
}

private protocol WatchingTime { static var standpoint: Standpoint { get } }
private enum Early: WatchingTime { static let standpoint = Standpoint.before }
private enum Late: WatchingTime { static let standpoint = Standpoint.after }

private struct Watching<Time: WatchingTime>: History {
  static var scope: Scope<Parlour> { .cell }
  static var standpoint: Standpoint { Time.standpoint }
  let guests: Guests

  mutating func asked(_ call: AskedTable, at moment: Moment, _ judge: inout Judge) {
    judge.violated("\(guests.count)")
  }
}

private struct WatchingPerson: History {
  static let scope = Scope<Parlour>.person
  let guests: Guests

  mutating func asked(_ call: AskedTable, at moment: Moment, _ judge: inout Judge) {
    judge.violated("\(guests.count)")
  }
}
