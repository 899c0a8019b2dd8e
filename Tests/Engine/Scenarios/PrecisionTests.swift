import Scenarios
import Testing

@Suite struct `Replications of a scenario` {
  @Test func `precision, maximum and early stop are read`() throws {
    let read = try read(
      scenario(
        ("replications", "20"), ("maximumReplications", "320"), ("precision", "5% at 95%"),
        ("stopEarly", "on"))
    ).scenario
    #expect(read.precision == Precision(halfWidth: 0.05, confidence: 0.95))
    #expect(read.maximumReplications == 320 && read.mostReplications == 320 && read.stopEarly)
  }

  @Test func `without a maximum only a wanted precision asks for more replications`() throws {
    #expect(try read(scenario(("replications", "20"))).scenario.mostReplications == 20)
    let precise = scenario(("replications", "30"), ("precision", "0.02 at 99 %"))
    #expect(try read(precise).scenario.mostReplications == 240)
    #expect(try read(scenario(("precision", "2% at 99%"))).scenario.mostReplications == 160)
  }

  @Test(arguments: [
    ("0% at 95%", "no number of replications makes an interval as short as 0%"),
    ("5% at 100%", "no interval is certain to hold the truth"),
    ("5% at 1", "no interval is certain to hold the truth"),
    ("5% at 40%", "an interval that misses the truth more often than not says nothing"),
    ("100% at 95%", "an interval that reaches 100% to either side says nothing"),
    ("-5% at 95%", "no number of replications makes an interval as short as -5%"),
  ])
  func `a precision that cannot be is refused`(text: String, why: String) {
    #expect(
      messages(scenario(("precision", .plain(text)))) == [
        "'precision' cannot be '\(text)': \(why); give a share above 0% and below 100% at a confidence from 50% to below 100%, e.g. 5% at 95%"
      ])
  }

  @Test(arguments: [
    ("5%", "it names no confidence"), ("5ms at 95%", "it is not two shares"),
    ("nan at 95%", "it is not two shares"),
  ])
  func `a precision in other words is refused`(text: String, why: String) {
    #expect(
      messages(scenario(("precision", .plain(text)))) == [
        "'precision' cannot be '\(text)': \(why); give a share at a confidence, e.g. 5% at 95%"
      ])
  }

  @Test func `a maximum below the replications, or too few for a precision, is refused`() {
    #expect(
      messages(scenario(("replications", "20"), ("maximumReplications", "10"))) == [
        "'maximumReplications' cannot be '10': the run begins with 20 (6:2); give a whole number from 20, 'replications', to 10000"
      ])
    #expect(
      messages(scenario(("maximumReplications", "4"), ("precision", "5% at 95%"))) == [
        "'precision' cannot be '5% at 95%': 4 replications give no interval to speak of; give 'maximumReplications' of 10 or more with it"
      ])
  }

  @Test func `an objective that so few replications cannot decide is warned of`() throws {
    let objectives = ("objectives", Tree.list([.plain("p99 of canteen.sync < 1s")]))
    let warnings = try read(scenario(objectives)).warnings.map(\.description)
    #expect(warnings.count == 1)
    #expect(warnings[0].contains("needs 20 replications and will stay inconclusive with 1"))
    #expect(try read(scenario(("replications", "20"), objectives)).warnings.isEmpty)
    #expect(try read(scenario(("maximumReplications", "40"), objectives)).warnings.isEmpty)
  }

  @Test func `response times of the warm-up alone are no subject, and that is warned of`() throws {
    func warnings(_ text: String) throws -> [String] {
      try read(
        scenario(
          ("replications", "20"), ("warmup", "2h"), ("objectives", .list([.plain(text)])))
      ).warnings.map(\.description)
    }
    let found = try warnings("p99 of canteen.sync from 07:00 to 08:00 < 1s")
    #expect(found.count == 1 && found[0].contains("is about a part of the warm-up"))
    #expect(try warnings("p99 of canteen.sync from 07:00 to 08:01 < 1s").isEmpty)
    #expect(try warnings("errors from 07:00 to 08:00 < 1%").isEmpty)
  }
}
