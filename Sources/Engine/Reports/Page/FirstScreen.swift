import Foundation
import Runs
import Verdicts

/// What a reader takes in within a minute: the verdict in one line, how sure that is, how much room objectives leave, and which
/// rules were tried.
struct FirstScreen: Sendable {
  /// What follows the verdict's word.
  let line: String
  /// How sure that is; none where nothing is left to say.
  let doubt: [String]
  let objectives: [Objective]
  let hasObjectives: Bool
  let worlds: [World]
  let hasRules: Bool

  init(_ run: Run, _ story: Story) {
    let counts = Story.Counts(run)
    line = Texts.english.verdictLine(run, counts, story)
    let open = Texts.english.doubts(run, counts)
    doubt =
      (run.comparison.map { [Texts.english.againstBaseline($0)] } ?? [])
      + (open.isEmpty ? [] : [Texts.english.staysOpen(open)])
    objectives = run.objectives.enumerated().sorted {
      ($0.element.headroom, $0.offset) < ($1.element.headroom, $1.offset)
    }.map {
      Objective($0.element, parts: run.errorParts(of: $0.element), index: $0.offset)
    }
    hasObjectives = !objectives.isEmpty
    worlds = World.all(of: run)
    hasRules = !worlds.isEmpty
  }

  /// One objective as a line with its bar.
  struct Objective: Sendable {
    let badge: Badge
    let text: String
    let bar: String
    let figure: String
    /// What its errors are made of, where they are of two kinds.
    let parts: [String]

    init(
      _ objective: ObjectiveResult, parts: (lost: Double, offline: Double)?, index: Int
    ) {
      let texts = Texts.english
      badge = Badge(objective.verdict)
      text = objective.text.excerpt
      self.parts = parts.map { [texts.errorParts($0)] } ?? []
      bar = BulletBar.draw(objective, id: "objective-\(index)")
      figure = PageModel.holdingTogether(
        (objective.estimateInWords ?? texts.none) + (objective.range.map { " (\($0))" } ?? ""))
    }
  }

  /// The rules of one backend.
  struct World: Sendable {
    let name: String
    let themes: [Theme]

    static func all(of run: Run) -> [World] {
      var names: [String] = []
      for limit in run.limits where !names.contains(limit.domain) { names.append(limit.domain) }
      return names.map { name in
        let own = run.limits.enumerated().filter { $0.element.domain == name }
        var themes: [String] = []
        for limit in own where !themes.contains(limit.element.theme) {
          themes.append(limit.element.theme)
        }
        return World(
          name: name.excerpt,
          themes: themes.map { theme in
            Theme(
              name: theme.excerpt,
              rules: own.filter { $0.element.theme == theme }.map {
                Square($0.element, at: $0.offset)
              }
            )
          })
      }
    }
  }

  struct Theme: Sendable {
    let name: String
    let rules: [Square]
  }

  /// One rule: how it ended, and how often it was tried.
  struct Square: Sendable {
    let place: Int
    let name: String
    /// The classes of its style: `pass l3`, `pass thin`, `fail`, `inconclusive`, `notExercised`.
    let tone: String

    init(_ limit: LimitResult, at place: Int) {
      self.place = place
      name = Texts.english.square(limit)
      let verdict = limit.verdict.rawValue
      guard limit.verdict == .pass else {
        tone = verdict
        return
      }
      tone = verdict + (limit.openShare == nil ? " l\(Self.level(of: limit.exercised))" : " thin")
    }

    /// From 1, of a rule tried now and then, to 4, for one tried a hundred thousand times and more.
    static func level(of tries: Int) -> Int {
      tries < 1_000 ? 1 : tries < 10_000 ? 2 : tries < 100_000 ? 3 : 4
    }
  }
}
