import Contracts
import Foundation
import ScenarioFiles
import Scenarios
import Testing
import Timekeeping

private let canteen = WorldDeclaration(
  domain: "kantine-koning", title: "Canteen shifts",
  population: [Setting("clubs", .count(1...500), .count(20), "Clubs", source: "an assumption")],
  parameters: [
    Setting("requestLost", .share(0...0.5), .share(0.005), "Lost requests", source: "§9")
  ],
  quirks: [Quirk("Q1", "throttle in memory")], profiles: [Profile("documented", quirks: [])],
  operations: [Operation("sync", "Reconcile", source: "O4")], business: ["orphan-revoked"],
  limits: [Limit("KK-58", Stated("A name is short.", source: "§2"))],
  controls: [
    ControlDeclaration(
      "setEnrollmentOpen", "Opens or closes enrollment",
      [.init("club", "slug", "Which"), .init("open", "bool", "Whether")])
  ])

/// The example of the format's description, word for word.
private let saturday = """
  rehearsal: 1
  name: saturday                  # also the folder below reports/
  title: Match Saturday at forty clubs
  starts: 2026-03-21T06:00 Europe/Amsterdam
  lasts: 18h
  seed: 1
  replications: 20                # the seed of replication i is derived from (seed, i)
  worlds:
    - domain: kantine-koning
      regions: 4                  # part of the scenario, never of the machine
      population: {clubs: 40}
      parameters: {requestLost: 1%}
      profile: documented
      adversaries: 0.5%
  network: {latency: {lognormal: {median: 60ms, p95: 250ms}}, timeout: 60s}
  service: {servers: 8, perRowRead: 4us}
  exchange: 15min
  warmup: 0s
  events:  [{at: "10:00", do: kantine-koning.setEnrollmentOpen, with: {club: kantine-koning/1/club-3, open: false}}]
  faults:  [{from: "12:00", to: "12:10", on: kantine-koning, kind: answerLost, share: 20%}]
  objectives: ["p99 of kantine-koning.sync < 250ms"]
  documented: judged              # or all: a limit that was not exercised then counts as failed
  inconclusive: fail              # or warn

  """

private func read(_ text: String) throws -> (scenario: Scenario, warnings: [ScenarioProblem]) {
  try ScenarioFile.read(Array(text.utf8), file: "s.yaml", declarations: [canteen])
}

private func problems(_ bytes: some Sequence<UInt8>) -> [String] {
  do {
    _ = try ScenarioFile.read(Array(bytes), file: "s.yaml", declarations: [canteen])
    return []
  } catch {
    return error.problems.map(\.description)
  }
}

private func problems(_ text: String) -> [String] { problems(text.utf8) }

@Suite struct `Scenario files` {
  @Test func `the documented example is read to exactly these values`() throws {
    let (scenario, warnings) = try read(saturday)
    #expect(warnings == [])
    let world = World(
      domain: "kantine-koning", regions: 4,
      population: Settings(canteen.population, overridden: ["clubs": .count(40)]),
      parameters: Settings(canteen.parameters, overridden: ["requestLost": .share(0.01)]),
      adversaries: 0.005,
      differing: [
        .init(name: "clubs", value: "40", standard: "20"),
        .init(name: "requestLost", value: "1%", standard: "0.5%"),
      ], line: 9)
    var digest = Digest()
    digest.mix(saturday)
    #expect(
      scenario
        == Scenario(
          name: "saturday", title: "Match Saturday at forty clubs",
          starts: Instant("2026-03-21T05:00:00Z")!, zone: .amsterdam, lasts: .hours(18), seed: 1,
          replications: 20, worlds: [world],
          network: Network(
            latency: .lognormal(median: .milliseconds(60), p95: .milliseconds(250)),
            timeout: .seconds(60)),
          service: Service(servers: 8, perRowRead: .microseconds(4)), barrierInterval: .minutes(15),
          warmup: .zero,
          events: [
            ScheduledEvent(
              at: Instant("2026-03-21T09:00:00Z")!, domain: "kantine-koning",
              command: "setEnrollmentOpen",
              parameters: ["club": "kantine-koning/1/club-3", "open": false], line: 19, column: 11)
          ],
          faults: [
            Fault(
              from: Instant("2026-03-21T11:00:00Z")!, to: Instant("2026-03-21T11:10:00Z")!,
              domain: "kantine-koning", kind: .answerLost, share: 0.2)
          ],
          objectives: [
            Objective(
              text: "p99 of kantine-koning.sync < 250ms", measure: .quantile(0.99),
              domain: "kantine-koning", subject: "sync", comparison: .less, bound: 0.25, line: 21)
          ], documented: .judged, inconclusive: .fail, digest: digest.hexadecimal))
  }

  @Test func `every problem of a file comes at once, with its line and column`() {
    let text = saturday.replacing("lasts: 18h", with: "lasts: 5")
      .replacing("regions: 4 ", with: "regions: four ").replacing("4us", with: "-4us")
      .replacing("kind: answerLost", with: "kind: answersLost")
    #expect(
      problems(text + "\nreplicatons: 3\n") == [
        "s.yaml:5:8: 'lasts' cannot be '5': a time needs a unit, e.g. 5s; give a time from 1s to 3653d, e.g. 18h",
        "s.yaml:10:14: 'regions' cannot be 'four'; give a whole number from 1 to 1024, e.g. 4",
        "s.yaml:16:35: 'perRowRead' cannot be '-4us'; give a time from 0s to 1min, e.g. 4us",
        "s.yaml:20:66: 'kind' cannot be 'answersLost'; did you mean 'answerLost'?",
        "s.yaml:25:1: unknown key 'replicatons' in a scenario; did you mean 'replications'?",
      ])
  }

  @Test func `carriage returns, a byte order mark, a document marker and core tags change nothing`()
    throws
  {
    let plain = try read(saturday).scenario
    for text in [
      saturday.replacing("\n", with: "\r\n"), "\u{FEFF}" + saturday, "---\n" + saturday + "...\n",
      "%YAML 1.1\n---\n" + saturday, saturday.replacing("lasts: 18h", with: "lasts: !!str 18h"),
    ] {
      var other = try read(text).scenario
      other.digest = plain.digest
      other.worlds[0].line = plain.worlds[0].line
      #expect(other.starts == plain.starts && other.worlds == plain.worlds)
      #expect(other.network == plain.network && other.faults == plain.faults)
    }
  }

  @Test(arguments: [
    ("", "s.yaml: it is empty; begin with 'rehearsal: 1'; scenarios/saturday.yaml is an example"),
    (
      "# nothing\n",
      "s.yaml: it is empty; begin with 'rehearsal: 1'; scenarios/saturday.yaml is an example"
    ),
    ("\u{0}\u{1}\u{2}", "s.yaml: it is binary, not text; give a YAML file"),
    (
      "name: \u{1B}[2J",
      "s.yaml:1:7: there is a control character, \\u{1B}; remove it, or write it as \\x1B in double quotes"
    ),
    (
      "- 1\n- 2\n",
      "s.yaml:1:1: a scenario cannot be a list; give a mapping that begins with 'rehearsal: 1'"
    ),
    (
      "just text",
      "s.yaml:1:1: a scenario cannot be 'just text'; give a mapping that begins with 'rehearsal: 1'"
    ),
    (
      "a: [1, 2\nb: }",
      "s.yaml:2:2: this is not valid YAML: did not find expected ',' or ']' while parsing a flow sequence that begins in line 1; correct this line or the one before it"
    ),
    (
      "a: 1\n\tb: 2",
      "s.yaml:2:1: this is not valid YAML: found a tab character that violates indentation while scanning a plain scalar that begins in line 1; correct this line or the one before it"
    ),
    (
      "a: \"x\nb: 2",
      "s.yaml:2:5: this is not valid YAML: found unexpected end of stream while scanning a quoted scalar that begins in line 1; correct this line or the one before it"
    ),
    (
      "a: 1\n---\nb: 2\n",
      "s.yaml:2:1: a second document begins; give each scenario a file of its own"
    ),
    (
      "a: 1\nb: 2\na: 3\n",
      "s.yaml:1:1: 'a' is given more than once in one mapping, first here; keep one of them"
    ),
    (
      "a: &x 1\nb: *x\n",
      "s.yaml:2:4: anchors and aliases are not supported ('*x'); write the value where it belongs"
    ),
    (
      "a: &x 1\n",
      "s.yaml:1:4: anchors and aliases are not supported ('&x'); write the value where it belongs"
    ),
    (
      "a: 1\nb: *x\n",
      "s.yaml:2:4: anchors and aliases are not supported; write the value where it belongs, or put text that begins with * in quotes"
    ),
    ("a: {<<: {b: 1}}\n", "s.yaml:1:5: merge keys are not supported; write the members themselves"),
    (
      "a: !!binary aGk=\n",
      "s.yaml:1:4: the tag 'tag:yaml.org,2002:binary' is not supported; remove it"
    ),
    ("a: !mine x\n", "s.yaml:1:4: the tag '!mine' is not supported; remove it"),
  ])
  func `what is no plain YAML mapping is refused with its line`(text: String, message: String) {
    #expect(problems(text) == [message])
  }

  @Test func `text that is not UTF-8 is refused`() {
    #expect(problems([0x61, 0x3A, 0x20, 0xFF]) == ["s.yaml: it is not UTF-8; save it as UTF-8"])
    // UTF-16 with its mark, as some editors save it.
    #expect(
      problems([0xFF, 0xFE, 0x61, 0x00]) == [
        "s.yaml: it is not UTF-8 but looks like UTF-16; save it as UTF-8"
      ])
  }

  @Test func `nine lines of aliases are refused where the first alias stands`() {
    var bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n"
    for (previous, next) in zip("abcdefgh", "bcdefghi") {
      let aliases = Array(repeating: "*\(previous)", count: 9).joined(separator: ",")
      bomb += "\(next): &\(next) [\(aliases)]\n"
    }
    #expect(
      problems(bomb) == [
        "s.yaml:2:8: anchors and aliases are not supported ('*a'); write the value where it belongs"
      ])
  }

  @Test
  func `aliases as keys, behind quotes and in brackets are found before the parser hashes them`() {
    for text in [
      "a: &a [x]\n? *a\n: 1\n", "a: &a x\n*a : 1\n", "{k: &a x, *a: 1}\n",
      "\"q\": &a [x]\n'r':[*a,*a]\n",
      "a: 'x\n  # y': &b z\n? [*b]\n: 1\n", "a: \"it's # *\"\nb: &z [1]\nc: [\"#\", *z]\n",
    ] {
      #expect(
        problems(text).contains { $0.contains("anchors and aliases are not supported") }, "\(text)")
    }
  }

  @Test func `ampersands and stars in text are text`() throws {
    let title = "R&D *and* friends & *co* # [[[ {"
    let text = saturday.replacing("Match Saturday at forty clubs", with: "\"\(title)\"")
      .replacing("seed: 1\n", with: "seed: 1  # 2 * 3 & [0, 1)\n")
    #expect(try read(text).scenario.title == title)
  }

  @Test func `twenty thousand brackets are refused at the sixty-fifth`() {
    let text = "a: " + String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
    let expected = [
      "s.yaml:1:68: more than 64 lists and mappings inside one another; a scenario needs six levels"
    ]
    #expect(problems(text) == expected)
    #expect(problems(text.replacing("]", with: "}")) == expected)
  }

  @Test func `depth by indentation, by dashes and behind misleading quotes is refused too`() {
    var indented = ""
    for level in 0..<3_000 { indented += String(repeating: " ", count: level % 500) + "a:\n" }
    var nested = ""
    for level in 0..<400 { nested += String(repeating: " ", count: level) + "a:\n" }
    for text in [
      nested, "a:\n  " + String(repeating: "- ", count: 5_000) + "x\n",
      String(repeating: "? ", count: 5_000) + "x\n",
      "a:\n" + String(repeating: " [ ']]]]',\n", count: 3_000),
    ] {
      let found = problems(text)
      #expect(found.count == 1)
      #expect(found[0].contains("more than 64 lists and mappings inside one another"), "\(found)")
    }
    #expect(!problems(indented).isEmpty)
  }

  @Test func `sixty-four levels are read and sixty-five are not`() {
    func lists(_ count: Int) -> String {
      "a: " + String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }
    #expect(!problems(lists(62)).contains { $0.contains("inside one another") })
    #expect(problems(lists(64)).contains { $0.contains("inside one another") })
  }

  @Test func `a file larger than a megabyte is refused`() {
    let text = saturday + "#" + String(repeating: "x", count: 1_000_000)
    #expect(
      problems(text) == [
        "s.yaml: it is larger than 1000000 bytes; give a scenario, not a recording"
      ])
  }
}

@Suite struct `Scenario files on disk` {
  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "scenario-files-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  private func problems(_ path: String) -> [String] {
    do {
      _ = try ScenarioFile.load(path, declarations: [canteen])
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  @Test func `a file is loaded, with its path in every message`() throws {
    try inFolder { folder in
      let path = folder + "/saturday.yaml"
      try saturday.write(toFile: path, atomically: false, encoding: .utf8)
      #expect(
        try ScenarioFile.load(path, declarations: [canteen]).scenario == read(saturday).scenario)
      try saturday.replacing("18h", with: ".nan").write(
        toFile: path, atomically: false, encoding: .utf8)
      #expect(
        problems(path) == [
          "\(path):5:8: 'lasts' cannot be '.nan': it is not a finite number; give a time from 1s to 3653d, e.g. 18h"
        ])
    }
  }

  @Test func `folders, missing files and endless ones are refused`() throws {
    try inFolder { folder in
      #expect(problems(folder) == ["\(folder): it is a folder; give the path of a scenario"])
      #expect(
        problems(folder + "/x.yaml") == [
          "\(folder)/x.yaml: there is no such file; give the path of a scenario"
        ])
    }
    #expect(problems("/dev/zero") == ["/dev/zero: it is a device; give the path of a scenario"])
    try inFolder { folder in
      let fifo = folder + "/fifo"
      mkfifo(fifo, 0o600)
      #expect(problems(fifo) == ["\(fifo): it is a FIFO; give the path of a scenario"])
      let large = folder + "/large.yaml"
      try Data(count: 1_000_001).write(to: URL(fileURLWithPath: large))
      #expect(
        problems(large) == [
          "\(large): it is larger than 1000000 bytes; give a scenario, not a recording"
        ])
    }
    #expect(problems("").count == 1)
  }
}
