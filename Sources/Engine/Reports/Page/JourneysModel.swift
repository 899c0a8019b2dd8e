import Runs

/// How far people got, role by role, and what each role was allowed.
struct JourneysModel: Sendable {
  let begun: String
  let completed: String
  let ended: String
  let roles: [Role]
  let hasRoles: Bool
  let more: [Role]
  let hasMore: Bool
  let moreSummary: String
  let matrices: [Matrix]
  let hasMatrices: Bool
  /// Whether anything was granted or refused against the documents, as far as rules judge it.
  let answer: String
  /// The same of the tables of rights that domains declare.
  let judged: [String]
  let isJudged: Bool
  /// What adversaries may rightly do, where there are some.
  let adversaries: [String]
  /// Backends that have one role, in which there is nothing to tell apart.
  let alone: [String]

  /// Roles in sight, the most numerous first.
  private static let rolesShown = 6

  init(_ run: Run) {
    begun = Figures.count(run.journeys.begun)
    completed = Figures.count(run.journeys.completed)
    ended = Figures.count(run.journeys.ended)
    let ordered = run.funnel.enumerated().sorted {
      ($1.element.persons, $0.offset) < ($0.element.persons, $1.offset)
    }.map(\.element)
    let all = ordered.enumerated().map { Role($0.element, place: $0.offset) }
    roles = Array(all.prefix(Self.rolesShown))
    more = Array(all.dropFirst(Self.rolesShown))
    hasRoles = !roles.isEmpty
    hasMore = !more.isEmpty
    moreSummary = Texts.english.moreRoles(more.count)
    var worlds: [String] = []
    for world in run.funnel.map(\.world) + run.access.map(\.world) where !worlds.contains(world) {
      worlds.append(world)
    }
    matrices = worlds.compactMap { world in
      Matrix(world, run.access.filter { $0.world == world })
        ?? Matrix(world, run.funnel.filter { $0.world == world })
    }
    hasMatrices = !matrices.isEmpty
    answer = Texts.english.rightlyAnswered(Story.Counts(run), adversaries: run.hasAdversaries)
    judged = Texts.english.byTheTable(run.access)
    isJudged = !judged.isEmpty
    let told = matrices.map(\.world)
    alone = worlds.filter { !told.contains($0) }.map { Texts.english.oneRole($0.excerpt) }
    adversaries =
      run.funnel.contains { MatrixCell.isAdversary($0.role) } ? [Texts.english.adversaries] : []
  }

  /// The steps of one role, those that most people reached first: how many asked, and how many got it.
  struct Role: Sendable {
    let name: String
    let caption: String
    let picture: String

    /// Steps in the picture.
    private static let stepsShown = 10

    init(_ funnel: FunnelResult, place: Int) {
      let texts = Texts.english
      name = texts.role(funnel.role.excerpt, of: funnel.world.excerpt)
      let ordered = funnel.steps.enumerated().sorted {
        ($1.element.asked, $0.offset) < ($0.element.asked, $1.offset)
      }.map(\.element)
      caption = texts.stepsOf(funnel.persons, more: ordered.count - Self.stepsShown)
      let bars = ordered.prefix(Self.stepsShown).map { step in
        BarChart.Bar(
          name: step.title.excerpt, count: step.asked, part: step.got, style: "replied",
          note: texts.askedAndGot(
            Figures.count(step.asked),
            Figures.share(step.asked > 0 ? Double(step.got) / Double(step.asked) : 0)))
      }
      picture = BarChart(
        title: name, bars: bars, whole: funnel.persons,
        description: texts.barsSummary(bars.map { "\($0.name) \($0.note)" })
      ).draw(id: "steps-\(place)", narrow: true, style: "small")
    }
  }

  /// Operations by roles: how many of a role's requests were granted. A world with one role has nothing to tell apart.
  struct Matrix: Sendable {
    let world: String
    let heading: String
    let roles: [String]
    let rows: [Row]

    init?(_ world: String, _ funnels: [FunnelResult]) {
      guard funnels.count > 1 else { return nil }
      self.world = world
      heading = Texts.english.inWorld(world.excerpt)
      roles = funnels.map(\.role)
      var operations: [(name: String, title: String)] = []
      for step in funnels.flatMap(\.steps)
      where !operations.contains(where: { $0.0 == step.operation }) {
        operations.append((step.operation, step.title))
      }
      rows = operations.map { operation in
        Row(
          name: operation.title, path: world + "." + operation.name,
          cells: funnels.map { funnel in
            MatrixCell(funnel.steps.first { $0.operation == operation.name }, role: funnel.role)
          })
      }
    }

    /// As the documents' own table has it, with what was answered otherwise.
    init?(_ world: String, _ columns: [AccessResult]) {
      guard columns.contains(where: { !$0.entries.isEmpty }) else { return nil }
      self.world = world
      heading = Texts.english.inWorld(world.excerpt)
      roles = columns.map(\.column)
      var operations: [(name: String, title: String)] = []
      for entry in columns.flatMap(\.entries)
      where !operations.contains(where: { $0.0 == entry.operation }) {
        operations.append((entry.operation, entry.title))
      }
      rows = operations.map { operation in
        Row(
          name: operation.title, path: world + "." + operation.name,
          cells: columns.map { column in
            MatrixCell(
              column.entries.first { $0.operation == operation.name }, isJudged: !column.isOutside)
          })
      }
    }
  }

  struct Row: Sendable {
    let name: String
    let path: String
    let cells: [MatrixCell]
  }

  struct MatrixCell: Sendable {
    let sign: String
    let tone: String
    /// Role and counts, for a pointer and for readers without eyes.
    let text: String
    /// In percent: how much of its square is filled.
    let granted: String

    /// The engine's own word for people who break rules on purpose.
    static func isAdversary(_ role: String) -> Bool { role == "adversary" }

    /// A whole percentage, but no 0 or 100 of what is neither.
    static func percent(_ some: Int, of all: Int) -> String {
      let share = Double(some) / Double(all) * 100
      return share < 0.5 ? "<1" : share >= 99.5 ? ">99" : String(Int(share.rounded()))
    }

    /// Of a table of rights, which knows what is wrong.
    init(_ entry: AccessResult.Entry?, isJudged: Bool) {
      let texts = Texts.english
      guard let entry else {
        (sign, tone, text, granted) = ("·", "idle", texts.neverAsked, "0")
        return
      }
      let answered = entry.granted + entry.refused
      granted = String(Int((Double(entry.granted) / Double(answered) * 100).rounded()))
      text = texts.entry(entry, isJudged: isJudged)
      if entry.wrong > 0 {
        (sign, tone) = ("✗", "fail")
      } else {
        sign =
          entry.refused == 0
          ? "✓" : entry.granted == 0 ? "⊘" : Self.percent(entry.granted, of: answered)
        let isPart = entry.refused > 0 && entry.granted > 0
        tone = (isJudged ? "pass" : "idle") + (isPart ? " part" : "")
      }
    }

    /// A refusal is an answer and no failure, and to an adversary the right one: only what adversaries were refused is marked as good.
    init(_ step: FunnelResult.Step?, role: String) {
      let texts = Texts.english
      let answered = (step?.replied ?? 0) + (step?.refused ?? 0)
      granted =
        answered > 0
        ? String(Int((Double(step?.replied ?? 0) / Double(answered) * 100).rounded())) : "0"
      guard let step, answered > 0 else {
        (sign, tone) = step == nil ? ("·", "idle") : ("?", "idle")
        text = step == nil ? texts.neverAsked : texts.noAnswer
        return
      }
      switch (step.replied, step.refused) {
      case (_, 0):
        (sign, tone) = Self.isAdversary(role) ? ("○", "idle") : ("✓", "pass")
        text = texts.granted(step.replied)
      case (0, _):
        (sign, tone) = Self.isAdversary(role) ? ("⊘", "pass") : ("⊘", "idle")
        text =
          Self.isAdversary(role)
          ? texts.allRefused(step.refused) : texts.refusedTimes(step.refused)
      default:
        (sign, tone) = (Self.percent(step.replied, of: answered), "idle part")
        text = texts.granted(step.replied) + ", " + texts.refusedTimes(step.refused)
      }
    }
  }
}
