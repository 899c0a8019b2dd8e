import Testing
import Timekeeping

@testable import Contracts

/// A bakery that decides a few things for itself.
private struct Bakery: Deployment {
  enum Oven: String, CaseIterable, Hashable, Sendable { case wood, gas }

  var loaves = 40
  var rise = Span.minutes(90)
  var isOpenOnSundays = false
  var oven = Oven.gas
  var spare: Oven?
  var mostDebt: Int? = 3
  /// What `later` stands for.
  private var later = Span.days(2)

  static let settings: [DeploymentSetting<Self>] = [
    DeploymentSetting("loaves", \.loaves, .count(1...100), "loaves of a batch", source: "B-1"),
    DeploymentSetting("riseTime", \.rise, .span(.minutes(1) ... .hours(9)), "rest", source: "B-2"),
    DeploymentSetting("sundays", \.isOpenOnSundays, .flag, "open on Sundays", source: "B-3"),
    DeploymentSetting("oven", \.oven, .word, "the oven", source: "B-4"),
    DeploymentSetting("spare", \.spare, .word(orNone: "no"), "a second oven", source: "B-4"),
    DeploymentSetting(
      "mostDebt", \.mostDebt, .countOrNone(0...9), "loaves on credit", source: "B-5"),
    DeploymentSetting(
      Setting(
        "restOfSourdough", .span(.hours(1) ... .days(3)), .span(.hours(1)), "of sourdough",
        source: "B-6")
    ) { value, bakery in
      if case .span(let span) = value, span > .hours(1) { bakery.rise = span }
    },
  ]

  static func wireName(of name: String) -> String { snakeCase(name) }
}

/// A setting is declared once: what scenarios give, what the operator gives and what is told of it follow.
@Suite struct `A setting of a deployment` {
  private static func read(_ text: String) throws -> Adjustment<Bakery> {
    let json = try #require(JSON(parsing: Array(text.utf8)))
    return try Adjustment<Bakery>.shape.coding.read(json)
  }

  private static func adjusted(_ text: String) throws -> Bakery {
    var bakery = Bakery()
    bakery.loaves = 7
    try read(text).apply(to: &bakery)
    return bakery
  }

  @Test func `has in scenarios its name, kind, default, meaning and source`() {
    #expect(
      Bakery.parameters.map(\.name) == [
        "loaves", "riseTime", "sundays", "oven", "spare", "restOfSourdough",
      ])
    #expect(
      Bakery.parameters[4]
        == Setting(
          "spare", .choice(["no", "wood", "gas"]), .choice("no"), "a second oven", source: "B-4"))
  }

  @Test func `is taken from what a scenario gives, in the order of the declarations`() {
    let given = Settings(
      Bakery.parameters,
      overridden: [
        "loaves": .count(3), "spare": .choice("wood"), "riseTime": .span(.hours(2)),
        "restOfSourdough": .span(.days(1)),
      ])
    let bakery = Bakery(given)
    #expect(bakery.loaves == 3 && bakery.spare == .wood && bakery.rise == .days(1))
    #expect(Bakery(Settings(Bakery.parameters)) == Bakery())
  }

  @Test func `is said by the operator of a scenario only where it is not the specification's`() {
    #expect(Bakery.adjustment(Settings(Bakery.parameters)) == nil)
    let given = Settings(Bakery.parameters, overridden: ["sundays": .flag(true)])
    #expect(Bakery.adjustment(given) == Adjustment { $0.isOpenOnSundays = true })
  }

  @Test(
    arguments: [
      (#"{"rise_time": 60, "spare": "wood", "most_debt": null}"#, 7, Span.minutes(1), nil),
      (#"{"rise_time": "3h", "most_debt": 9}"#, 7, Span.hours(3), 9),
      (#"{"loaves": 40}"#, 40, Span.minutes(90), 3),
      ("{}", 7, Span.minutes(90), 3),
    ] as [(String, Int, Span, Int?)])
  func `is set alone, and to the specification's value too`(
    text: String, loaves: Int, rise: Span, debt: Int?
  ) throws {
    let bakery = try Self.adjusted(text)
    #expect(bakery.loaves == loaves && bakery.rise == rise && bakery.mostDebt == debt)
  }

  @Test(arguments: [
    (#"{"loaves": 0}"#, "'loaves' is not in 1...100"),
    (#"{"loaves": null}"#, "'loaves' is not a whole number"),
    (
      #"{"rise_time": "soon"}"#,
      "'rise_time' is not seconds or a time such as \"10min\", 1min to 9h"
    ),
    (#"{"rise_time": 9223372036854775807}"#, "'rise_time' is not seconds"),
    (#"{"oven": "coal"}"#, "'oven' is none of wood, gas"),
  ])
  func `that cannot be is refused with what could`(text: String, problem: String) {
    let error = #expect(throws: Malformed.self) { try Self.read(text) }
    #expect(error?.description.hasPrefix(problem) == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    #"{"loaves":40}"#, #"{"rise_time":60,"spare":"wood","most_debt":null}"#,
    #"{"rise_time":"60500000000ns","sundays":true,"spare":null}"#, "{}",
  ])
  func `is written as it was read`(text: String) throws {
    let shape = Adjustment<Bakery>.shape
    let written = try #require(shape.coding.write(try Self.read(text), .redacted))
    #expect("\(written)" == text)
  }

  @Test func `is described to the operator with range, meaning, default and source`() {
    let members = Adjustment<Bakery>.shape.members
    #expect(
      members.map(\.name) == ["loaves", "rise_time", "sundays", "oven", "spare", "most_debt"])
    #expect(members[1].meaning == "rest; 5400 (B-2)" && !members[1].isRequired)
    #expect(members[1].words == "seconds or a time such as \"10min\", 1min to 9h")
  }
}
