import Contracts
import Scenarios
import Testing
import Timekeeping

@Suite struct `Worlds of a scenario` {
  @Test func `settings, profile, quirks and rules are read by the domain's declaration`() throws {
    let world = try read(
      scenario(
        (
          "worlds",
          [
            [
              "domain": "canteen", "regions": "4",
              "population": ["clubs": "40", "phonesPerClub": "150"],
              "parameters": [
                "requestLost": "1%", "reaction": "2s", "growth": "1.5", "night": "on",
                "mode": "tenant",
              ],
              "profile": "asBuilt", "quirks": ["Q1": "off", "Q4": "on"], "adversaries": "0.5%",
              "rulesOff": ["KK-58"],
            ]
          ]
        ))
    ).scenario.worlds[0]
    #expect(world.regions == 4)
    #expect(world.population.count("clubs") == 40)
    #expect(world.parameters.share("requestLost") == 0.01)
    #expect(world.parameters.span("reaction") == .seconds(2))
    #expect(world.parameters.number("growth") == 1.5)
    #expect(world.parameters.flag("night"))
    #expect(world.parameters.choice("mode") == "tenant")
    #expect(world.profile == "asBuilt")
    #expect(world.quirks == ["Q4"])
    #expect(world.adversaries == 0.005)
    #expect(world.rulesOff == ["KK-58"])
    #expect(
      world.differing.map { "\($0.name) \($0.value) not \($0.standard)" } == [
        "clubs 40 not 20", "requestLost 1% not 0.5%", "reaction 2s not 4s", "growth 1.5 not 1",
        "night on not off", "mode tenant not club", "profile asBuilt not documented",
        "Q1 off not on",
      ])
  }

  @Test(
    arguments: [
      (["domain": "cantine"], "there is no domain 'cantine'; did you mean 'canteen'?"),
      (["domain": "opera"], "there is no domain 'opera'; choose from canteen, lodge"),
      (["regions": "4"], "'domain' is missing in a world; add it, e.g. {domain: canteen}"),
      (
        ["domain": "canteen", "regions": "2000"],
        "'regions' cannot be '2000'; give a whole number from 1 to 1024, e.g. 4"
      ),
      (
        ["domain": "canteen", "population": ["club": "4"]],
        "unknown key 'club' in 'population' of canteen; did you mean 'clubs'?"
      ),
      (
        ["domain": "canteen", "population": ["clubs": "501"]],
        "'clubs' cannot be '501'; give a whole number from 1 to 500, e.g. 20"
      ),
      (
        ["domain": "canteen", "population": "40"],
        "'population' of canteen cannot be '40'; give a mapping, e.g. {clubs: 20}"
      ),
      (
        ["domain": "canteen", "parameters": ["requestLost": "51%"]],
        "'requestLost' cannot be '51%'; give a share from 0% to 50%, e.g. 0.5%"
      ),
      (
        ["domain": "canteen", "parameters": ["requestLost": "1 s"]],
        "'requestLost' cannot be '1 s': a share has the unit % or none; give a share from 0% to 50%, e.g. 0.5%"
      ),
      (
        ["domain": "canteen", "parameters": ["requestLost": ".NaN"]],
        "'requestLost' cannot be '.NaN': it is not a finite number; give a share from 0% to 50%, e.g. 0.5%"
      ),
      (
        ["domain": "canteen", "parameters": ["reaction": "4"]],
        "'reaction' cannot be '4': a time needs a unit, e.g. 4s; give a time from 0s to 1h, e.g. 4s"
      ),
      (
        ["domain": "canteen", "parameters": ["growth": "3"]],
        "'growth' cannot be '3'; give a number from 0.5 to 2, e.g. 1"
      ),
      (
        ["domain": "canteen", "parameters": ["night": "2"]], "'night' cannot be '2'; give on or off"
      ),
      (
        ["domain": "canteen", "parameters": ["mode": "tenants"]],
        "'mode' cannot be 'tenants'; did you mean 'tenant'?"
      ),
      (
        ["domain": "canteen", "profile": "asbuild"],
        "'profile' cannot be 'asbuild'; did you mean 'asBuilt'?"
      ),
      (["domain": "lodge", "profile": "x"], "'profile' cannot be 'x'; choose from documented"),
      (
        ["domain": "canteen", "quirks": ["Q9": "on"]],
        "unknown key 'Q9' in 'quirks' of canteen; did you mean 'Q1'?"
      ),
      (
        ["domain": "canteen", "quirks": ["Q1"]],
        "'quirks' of canteen cannot be a list; give a mapping, e.g. {Q1: on}"
      ),
      (
        ["domain": "canteen", "haste": "0"],
        "'haste' cannot be '0'; give a whole number from 1 to 1000, e.g. 20"
      ),
      (
        ["domain": "canteen", "adversaries": "-1%"],
        "'adversaries' cannot be '-1%'; give a share from 0% to 100%, e.g. 0.5%"
      ),
      (
        ["domain": "canteen", "adversaries": "5"],
        "'adversaries' cannot be '5'; give a share from 0% to 100%, e.g. 0.5%"
      ),
      (
        ["domain": "canteen", "rulesOff": ["KK-85"]],
        "canteen has no limit 'KK-85'; did you mean 'KK-58'?"
      ),
      (
        ["domain": "canteen", "rulesOff": ["KK-1"]],
        "KK-1 follows from the contract's shape and has no switch; remove it"
      ),
      (
        ["domain": "canteen", "rulesOff": ["KK-58", "KK-58"]],
        "KK-58 is listed twice; remove one of them"
      ),
      (
        ["domain": "lodge", "population": ["brothers": "3"]],
        "unknown key 'brothers' in 'population' of lodge; remove it"
      ),
    ] as [(Tree, String)])
  func `what the domain does not declare is refused`(world: Tree, message: String) {
    #expect(messages(scenario(("worlds", .list([world])))) == [message])
  }

  @Test func `a domain has one world`() {
    #expect(
      messages(scenario(("worlds", [["domain": "canteen"], ["domain": "canteen"]]))) == [
        "canteen has a world already, in line 5; merge the two and raise 'regions' or the population"
      ])
    #expect(
      messages(scenario(("worlds", []))) == [
        "'worlds' cannot be a list: nobody would live there; give at least one world, e.g. [{domain: canteen}]"
      ])
  }

  @Test func `a misspelt domain is one problem, not one for each event on it`() {
    let tree = scenario(
      ("worlds", [["domain": "canten"]]), ("events", [["at": "+1h", "do": "canteen.cleanUp"]]),
      ("objectives", ["p99 of canteen.sync < 1s"]))
    #expect(messages(tree) == ["there is no domain 'canten'; did you mean 'canteen'?"])
  }

  @Test func `without a bound of the domain's an exchange may be longer`() throws {
    let worlds: Tree = [["domain": "lodge"]]
    let read = try read(scenario(("worlds", worlds), ("exchange", "1h")))
    #expect(read.scenario.barrierInterval == .hours(1))
  }
}

@Suite struct `Network and service of a scenario` {
  @Test(
    arguments: [
      (["constant": "60ms"], .constant(.milliseconds(60))),
      (["constant": "0s"], .constant(.zero)),
      (
        ["uniform": ["from": "20ms", "to": "90ms"]],
        .uniform(from: .milliseconds(20), to: .milliseconds(90))
      ),
      (["exponential": ["mean": "80ms"]], .exponential(mean: .milliseconds(80))),
      (["exponential": "80ms"], .exponential(mean: .milliseconds(80))),
      (
        ["lognormal": ["median": "60ms", "p95": "250ms"]],
        .lognormal(median: .milliseconds(60), p95: .milliseconds(250))
      ),
    ] as [(Tree, Distribution)])
  func `every distribution is read`(latency: Tree, expected: Distribution) throws {
    let network = try read(scenario(("network", ["latency": latency, "timeout": "30s"]))).scenario
      .network
    #expect(network == Network(latency: expected, timeout: .seconds(30)))
  }

  @Test(
    arguments: [
      (
        ["latency": "60ms"],
        "'latency' cannot be '60ms'; give a mapping, e.g. {lognormal: {median: 60ms, p95: 250ms}}"
      ),
      (
        ["latency": ["normal": "60ms"]],
        "unknown key 'normal' in 'latency'; did you mean 'lognormal'?"
      ),
      (
        ["latency": ["constant": "60"]],
        "'constant' cannot be '60': a time needs a unit, e.g. 60s; give a time from 0s to 1h, e.g. 60ms"
      ),
      (
        ["latency": ["constant": "1s", "exponential": "1s"]],
        "'latency' has several distributions; keep one of them"
      ),
      (
        ["latency": .mapping([])],
        "'latency' cannot be a mapping; give a distribution, e.g. {lognormal: {median: 60ms, p95: 250ms}}"
      ),
      (
        ["latency": ["lognormal": ["median": "60ms"]]],
        "'p95' is missing in 'lognormal'; add it, e.g. {median: 60ms, p95: 250ms}"
      ),
      (
        ["latency": ["lognormal": ["median": "60ms", "p95": "60ms"]]],
        "'lognormal' has a median of 60ms (6:8) and a p95 of 60ms (6:10); make 'p95' the longer one, or use {constant: 60ms}"
      ),
      (
        ["latency": ["uniform": ["from": "9ms", "to": "2ms"]]],
        "'uniform' runs from 9ms (6:8) to 2ms (6:10); make 'to' the longer one"
      ),
      (
        ["latency": ["exponential": ["mean": "2h"]]],
        "'mean' cannot be '2h'; give a time above 0s and up to 1h, e.g. 60ms"
      ),
      (["timeout": "0s"], "'timeout' cannot be '0s'; give a time above 0s and up to 1d, e.g. 60s"),
      (["loss": "1%"], "unknown key 'loss' in 'network'; choose from latency, timeout"),
    ] as [(Tree, String)])
  func `a network that cannot be is refused`(network: Tree, message: String) {
    #expect(messages(scenario(("network", network))) == [message])
  }

  @Test func `each kind of work has its price`() throws {
    let service = try read(
      scenario(
        (
          "service",
          [
            "servers": "2", "perRequest": "1us", "perRowRead": "2us", "perRowWritten": "3us",
            "perMessage": "4us", "perSignature": "5us",
          ]
        ))
    ).scenario.service
    #expect(
      service
        == Service(
          servers: 2, perRequest: .microseconds(1), perRowRead: .microseconds(2),
          perRowWritten: .microseconds(3), perMessage: .microseconds(4),
          perSignature: .microseconds(5)))
  }

  @Test(
    arguments: [
      (["servers": "0"], "'servers' cannot be '0'; give a whole number from 1 to 100000, e.g. 8"),
      (
        ["perRowRead": "-4us"],
        "'perRowRead' cannot be '-4us'; give a time from 0s to 1min, e.g. 4us"
      ),
      (["perRow": "4us"], "unknown key 'perRow' in 'service'; did you mean 'perRowRead'?"),
    ] as [(Tree, String)])
  func `a service that cannot be is refused`(service: Tree, message: String) {
    #expect(messages(scenario(("service", service))) == [message])
  }
}
