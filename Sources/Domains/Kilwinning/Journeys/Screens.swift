import Contracts
import Journeys
import KilwinningContract
import Timekeeping

// Dashboard, presenze and riepilogo: what they load, what they show, and what their cache is for.

extension Device {
  /// Loads what a screen needs and is not fresh in the cache, all at once (KW-118, KW-121, KW-122).
  /// - Returns: Whether all of it is known now.
  func load(
    _ requests: [Kilwinning.Request], _ opening: Kilwinning.Opening, as me: Person<Kilwinning>
  ) async throws(JourneyEnded) -> Bool {
    me.note(.opens(opening))
    let usesCache = opening.reason == .shown && rules.binds(.kw122)
    let missing = requests.filter { !usesCache || !cache.isFresh($0, at: me.now) }
    let owner = user?.id
    let outcomes: [Outcome<Kilwinning>]
    if rules.binds(.kw118) || opening.page != .dashboard {
      outcomes = try await ask(all: missing, as: me)
    } else {
      // With KW-118 off one after the other.
      var each: [Outcome<Kilwinning>] = []
      for request in missing { each.append(try await ask(request, as: me)) }
      outcomes = each
    }
    guard user?.id == owner else { return false }
    for (request, outcome) in zip(missing, outcomes) { cache.keep(request, outcome, at: me.now) }
    return isLoggedIn && outcomes.allSatisfy(\.isReplied)
  }

  // MARK: Dashboard

  static let planned = TornateQuery(stato: .programmata)

  func showDashboard(
    _ reason: Kilwinning.Opening.Reason, as me: Person<Kilwinning>
  ) async throws(JourneyEnded) {
    guard let user else { return }
    if me.isOnline {
      let wanted: [Kilwinning.Request] = [
        .statistiche(PresenzeQuery(user.id, anno: .tutti)), .tornate(Self.planned),
      ]
      guard try await load(wanted, Kilwinning.Opening(.dashboard, reason), as: me) else { return }
      // KW-141: whenever the app has loaded, the widget has, too.
      feedWidget(as: me)
    }
    guard let list = cache.tornate[Self.planned.selection] else {
      return me.note(.shows(.nothing(.dashboard, .tutti)))
    }
    let isStale = !me.isOnline
    let figures =
      isStale
      ? offlineFigures(.tutti, at: me.now).map { shown($0, onDashboard: true) }
      : cache.statistiche[.tutti].map { shown($0.value, onDashboard: true) }
    let tiles = Kilwinning.DashboardView.Tile.allCases.filter {
      $0 != .gestione || isAdminDevice && (me.isOnline || managesOffline)
    }
    me.note(
      .shows(
        .dashboard(
          Kilwinning.DashboardView(
            nome: user.nome, grado: user.grado,
            hasAdminBadge: rules.binds(.kw026) ? user.adminAccess : true, tiles: tiles,
            next: next(in: list.value, at: me.now).map { card(of: $0) }, statistics: figures,
            staleSince: isStale ? list.fetchedAt : nil))))
  }

  /// At most three, by start and id (KW-118); what has begun is none of them (KW-119).
  func next(in list: SharedList<Tornata>, at now: Instant) -> [Tornata] {
    Self.first(3, of: list) { $0.stato == .programmata && (!rules.binds(.kw119) || $0.data > now) }
  }

  // MARK: Presenze

  func visitPresenze(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    try await think(as: me)
    try await showPresenze(.shown, as: me)
    try await toggle(as: me)
    var changes = me.draw(.habit) { $0.poisson(mean: habits.annoChanges) }
    while changes > 0, isLoggedIn {
      try await think(as: me)
      anno = pickAnno(as: me)
      try await showPresenze(.annoChosen, as: me)
      changes -= 1
    }
    if isLoggedIn, me.isOnline, chance(habits.pulls, me) {
      try await think(as: me)
      try await showPresenze(.pulled, as: me)
    }
  }

  /// KW-078: at first 2025.
  static func firstAnno(_ rules: Rules<Kilwinning.Rule>) -> Anno {
    rules.binds(.kw078) ? Anno(2025) : Anno(2019)
  }

  /// KW-078: 2020 to 2025 and Tutti.
  private func pickAnno(as me: Person<Kilwinning>) -> Anno {
    let years = rules.binds(.kw078) ? 2020...2025 : 2018...2026
    let offered = years.map { Anno($0) } + [Anno("Tutti")]
    return me.draw(.habit) { $0.pick(offered.filter { $0 != anno }) }
  }

  func showPresenze(
    _ reason: Kilwinning.Opening.Reason, as me: Person<Kilwinning>
  ) async throws(JourneyEnded) {
    guard let user, isLoggedIn else { return }
    let list = TornateQuery(anno: anno)
    if me.isOnline {
      var wanted: [Kilwinning.Request] = [
        .presenze(PresenzeQuery(user.id, anno: anno)), .tornate(list),
        .statistiche(PresenzeQuery(user.id, anno: anno)),
      ]
      // With KW-079 off another anno loads its presenze alone, with KW-121 off a screen has no figures.
      if reason == .annoChosen, !rules.binds(.kw079) { wanted = [wanted[0]] }
      if reason != .annoChosen, !rules.binds(.kw121) { wanted = [wanted[0], wanted[1]] }
      let opening = Kilwinning.Opening(.presenze, reason, anno: anno)
      guard try await load(wanted, opening, as: me) else { return }
    }
    guard let tornate = cache.tornate[list.selection],
      let presenze = cache.presenze(of: anno.selection)
    else { return me.note(.shows(.nothing(.presenze, anno))) }
    let records = me.isOnline ? presenze : withQueue(presenze)
    let status = Dictionary(
      records.map { ($0.tornataID, $0.status) }, uniquingKeysWith: { $1 })
    let own =
      rules.binds(.kw121)
      ? PresenceCalculator.filterByIniziazione(
        tornate.value.items, user.dataIniziazione.map(lodge.zone.startOfDay)) : tornate.value.items
    let figures =
      me.isOnline
      ? cache.statistiche[anno.selection]?.value : offlineFigures(anno.selection, at: me.now)
    me.note(
      .shows(
        .presenze(
          Kilwinning.PresenzeView(
            anno: anno,
            rows: own.map { .init(card(of: $0), isOn: status[$0.id] == .presente) },
            header: figures.map { shown($0, onDashboard: false) },
            staleSince: me.isOnline ? nil : tornate.fetchedAt))))
  }

  // MARK: Riepilogo

  func visitRiepilogo(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    guard me.isOnline else { return }
    try await think(as: me)
    try await showRiepilogo(.shown, as: me)
    guard isLoggedIn, chance(habits.annoChanges / 2, me) else { return }
    try await think(as: me)
    anno = pickAnno(as: me)
    try await showRiepilogo(.annoChosen, as: me)
  }

  private func showRiepilogo(
    _ reason: Kilwinning.Opening.Reason, as me: Person<Kilwinning>
  ) async throws(JourneyEnded) {
    me.note(.opens(Kilwinning.Opening(.riepilogo, reason, anno: anno)))
    guard let rows = try await ask(.riepilogo(anno), as: me).reply?.riepilogo else { return }
    me.note(
      .shows(
        .riepilogo(
          anno,
          rows.map { row in
            // KW-096, KW-097; with the latter off a comma stands for the slash.
            Kilwinning.RiepilogoView(
              nome: row.nome, badge: icon(row.grado) + " " + row.grado.rawValue,
              colour: rules.binds(.kw096) ? Badges.colour(ofPercentage: row.percentuale) : .green,
              percentuale: row.percentuale,
              counter: "\(row.presenze)" + (rules.binds(.kw097) ? "/" : ",")
                + "\(row.tornateDisponibili)")
          })))
  }

  // MARK: What is shown

  /// KW-101; the badge by KW-098.
  func card(of tornata: Tornata, isEditable: Bool = false) -> Kilwinning.Card {
    var card = Kilwinning.Card(tornata, isEditable: isEditable)
    if !rules.binds(.kw101) { card.hasDinnerMark = false }
    if !rules.binds(.kw098), tornata.stato == .completata { card.badge = .blue }
    return card
  }

  /// The dashboard shows the rate, rounded, the other screens `percentuale` (KW-091, KW-098).
  func shown(_ it: Statistiche, onDashboard: Bool) -> Kilwinning.StatisticsCard {
    Kilwinning.StatisticsCard(
      total: it.total, presences: it.presences,
      percentage: onDashboard ? Badges.shownPercentage(it.rate) : "\(it.percentage)%",
      streak: Badges.streak(it.streak))
  }

  /// His records with what waits in the queue (KW-130).
  func withQueue(_ presenze: [Presenza]) -> [Presenza] {
    guard let userID = secure.userID, rules.binds(.kw130) else { return presenze }
    return presenze
      + queue.filter { $0.fratelloID == userID }.map {
        .written($0.tornataID, $0.presente, by: userID)
      }
  }

  /// Computed from the cache and the queue; `nil` where the cache does not hold all that it takes (KW-130).
  func offlineFigures(_ anno: Anno.Selection, at now: Instant) -> Statistiche? {
    guard let user, let tornate = cache.tornate[TornateSelection(anno)],
      let presenze = cache.presenze(of: anno)
    else { return nil }
    var year: Range<Instant>?
    if case .year(let number) = anno { year = lodge.zone.year(number) }
    return PresenceCalculator.statistics(
      withQueue(presenze), tornate.value.items,
      Counting(
        start: user.dataIniziazione.map(lodge.zone.startOfDay), year: year, at: now,
        conteggio: lodge.deployment.conteggio))
  }
}
