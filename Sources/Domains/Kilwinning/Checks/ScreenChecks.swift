import Contracts
import KilwinningContract
import Observations
import Timekeeping

/// What devices show: KW-026, KW-032, KW-096 to KW-098, KW-101, KW-118, KW-119, KW-121 and KW-130.
enum ScreenChecks {
  static let all: [KWCheck] = [
    .screen(.kw026) { screen, _, diary, judge in
      guard case .dashboard(let view) = screen, let user = diary.user else { return }
      judge.expect(
        view.nome == user.nome && view.grado == user.grado
          && view.hasAdminBadge == user.adminAccess,
        "the header of \(user.nome) shows \(view.nome), \(view.hasAdminBadge)")
    },
    .screen(.kw032) { screen, _, diary, judge in
      guard case .picker(let rows) = screen else { return }
      judge.expect(
        rows == diary.list.map { Kilwinning.PickerRow($0.id, icon: icon($0.grado)) },
        "the list shows other icons or another order")
    },
    .screen(.kw096) { screen, _, _, judge in
      guard case .riepilogo(_, let rows) = screen else { return }
      let wrong = rows.first { $0.colour != colour($0.percentuale) }
      judge.expect(
        wrong == nil, "\(wrong?.percentuale ?? 0) % are \(wrong?.colour.rawValue ?? "")")
    },
    .screen(.kw097) { screen, _, diary, judge in
      guard case .riepilogo(_, let rows) = screen else { return }
      judge.expect(
        rows.count == diary.rows.count
          && zip(rows, diary.rows).allSatisfy { view, row in
            view.nome == row.nome && view.badge.hasSuffix(" " + row.grado.rawValue)
              && view.percentuale == row.percentuale
              && view.counter == "\(row.presenze)/\(row.tornateDisponibili)"
          }, "a row shows something else than was answered")
    },
    .screen(.kw098) { screen, _, diary, judge in
      diary.forEachListed(on: screen) { card, tornata in
        judge.expect(
          card.badge == badge(tornata.stato), "\(tornata.stato) is \(card.badge.rawValue)")
      }
      if let shown = screen.statistics, let due = diary.figures(of: screen) {
        judge.expect(
          shown.streak == (due.streak > 0 ? "🔥 \(due.streak)" : nil),
          "a streak of \(due.streak) is shown as \(shown.streak ?? "nothing")")
      }
    },
    .screen(.kw101) { screen, _, diary, judge in
      diary.forEachListed(on: screen) { card, tornata in
        judge.expect(
          card.data == tornata.data && card.discussione == tornata.discussione
            && card.location == tornata.location && card.hasDinnerMark == tornata.cena,
          "the card of tornata \(tornata.id) shows something else")
      }
      if let shown = screen.statistics, let due = diary.figures(of: screen) {
        judge.expect(
          shown.total == due.total && shown.presences == due.presences
            && shown.percentage == screen.percentage(of: due.percentage, rate: due.rate),
          "\(shown.percentage) of \(shown.presences)/\(shown.total) is shown")
      }
    },
    .screen(.kw118) { screen, moment, diary, judge in
      guard case .dashboard(let view) = screen,
        let planned = diary.tornate[TornateSelection(.tutti, .programmata)]
      else { return }
      if diary.opening?.page == .dashboard {
        judge.expect(
          Set(diary.loading.map(\.intended)).count <= 1
            && diary.loading.allSatisfy { isOfADashboard($0.request) },
          "the dashboard loaded other things, or one after the other")
      }
      let coming = planned.filter { $0.data > moment.time }
        .sorted { $0.data != $1.data ? $0.data < $1.data : $0.id < $1.id }
      let next = view.next.filter { $0.data > moment.time }
      judge.expect(
        next.map(\.id)
          == Array(coming.prefix(next.count < view.next.count ? next.count : 3))
          .map(\.id), "the next tornate are other ones")
    },
    .screen(.kw119) { screen, moment, diary, judge in
      guard case .dashboard(let view) = screen,
        let planned = diary.tornate[TornateSelection(.tutti, .programmata)],
        planned.contains(where: { $0.data <= moment.time })
      else { return }
      judge.expect(
        view.next.allSatisfy { $0.data > moment.time }, "what has begun is shown as next")
    },
    .screen(.kw121) { screen, _, diary, judge in
      guard case .presenze(let view) = screen, let user = diary.user else { return }
      if let opening = diary.opening, opening.page == .presenze, opening.reason != .annoChosen {
        let asked = diary.loading.map(\.request.load)
        let anno = view.anno.selection
        let wanted: [Kilwinning.Load] = [
          .presenze(user.id, anno), .tornate(TornateSelection(anno)), .statistiche(user.id, anno),
        ]
        judge.expect(
          wanted.allSatisfy { asked.contains($0) || diary.loaded[$0] != nil }
            && Set(diary.loading.map(\.intended)).count <= 1,
          "the presenze did not load all of \(view.anno.text ?? "-") together")
      }
      let anno = view.anno.selection
      guard let tornate = diary.tornate[TornateSelection(anno)] else { return }
      let zone = diary.lodge.decided.newest.zone
      let start = user.dataIniziazione.map { zone.instant(zone.civil(at: $0).date) }
      let own = tornate.filter { $0.data >= start ?? .distantPast }
      let isOn = diary.attendance(in: anno) ?? [:]
      judge.expect(
        view.rows.map(\.card.id) == own.map(\.id)
          && view.rows.allSatisfy { $0.isOn == isOn[$0.card.id] ?? false },
        "\(view.rows.count) rows for \(own.count) tornate, or toggles that are not so")
    },
    .screen(.kw130) { screen, moment, diary, judge in
      guard !diary.isOnline, let anno = screen.anno?.selection, let user = diary.user else {
        return
      }
      guard let tornate = diary.tornate[TornateSelection(anno)],
        let isThere = diary.attendance(in: anno)
      else {
        return judge.expect(screen.statistics == nil, "figures of what was never loaded are shown")
      }
      guard
        let due = diary.lodge.offline(user, anno, tornate.items, isThere, at: moment.time)
      else { return }
      guard let shown = screen.statistics else {
        return judge.violated("no figures without network, although all they take was loaded")
      }
      judge.expect(
        shown.total == due.total && shown.presences == due.presences
          && shown.percentage == screen.percentage(of: due.percentage, rate: due.rate)
          && shown.streak == (due.streak > 0 ? "🔥 \(due.streak)" : nil),
        "offline \(shown.presences)/\(shown.total) instead of \(due.presences)/\(due.total)")
    },
  ]

  static func icon(_ grado: Fratello.Grado) -> String {
    switch grado {
    case .maestro: "🔶"
    case .compagno: "🔷"
    case .apprendista: "🔹"
    }
  }

  private static func colour(_ percentage: Int) -> Badges.Colour {
    percentage >= 90 && percentage <= 100
      ? .green : percentage >= 70 && percentage < 90 ? .orange : .red
  }

  private static func badge(_ stato: Tornata.Stato) -> Badges.Colour {
    switch stato {
    case .programmata: .blue
    case .completata: .green
    case .annullata: .red
    }
  }

  private static func isOfADashboard(_ request: Kilwinning.Request) -> Bool {
    switch request {
    case .statistiche(let query): query.anno.selection == .tutti
    case .tornate(let query): query == TornateQuery(stato: .programmata)
    default: false
    }
  }
}

extension Kilwinning.Screen {
  var cards: [Kilwinning.Card] {
    switch self {
    case .dashboard(let view): view.next
    case .presenze(let view): view.rows.map(\.card)
    case .management(_, let cards): cards
    default: []
    }
  }

  var statistics: Kilwinning.StatisticsCard? {
    switch self {
    case .dashboard(let view): view.statistics
    case .presenze(let view): view.header
    default: nil
    }
  }

  var anno: Anno? {
    switch self {
    case .dashboard: .tutti
    case .presenze(let view): view.anno
    default: nil
    }
  }

  /// The dashboard rounds the rate, halves to the even neighbour (KW-091).
  func percentage(of whole: Int, rate: Double) -> String {
    guard case .dashboard = self else { return "\(whole)%" }
    return "\(Int((rate * 100).rounded(.toNearestOrEven)))%"
  }
}

extension Diary {
  /// The cards of a screen, each with its tornata as it was listed last for that screen.
  func forEachListed(
    on screen: Kilwinning.Screen, _ body: (Kilwinning.Card, Tornata) -> Void
  ) {
    let selection: TornateSelection
    switch screen {
    case .dashboard: selection = TornateSelection(.tutti, .programmata)
    case .presenze(let view): selection = TornateSelection(view.anno.selection)
    case .management(let anno, _): selection = TornateSelection(anno.selection)
    default: return
    }
    guard let list = tornate[selection]?.items else { return }
    // Screens mostly follow the list.
    var next = 0
    for card in screen.cards {
      let place =
        list[next...].firstIndex { $0.id == card.id } ?? list.firstIndex { $0.id == card.id }
      guard let place else { continue }
      body(card, list[place])
      next = place + 1
    }
  }

  /// What was answered of the figures that a screen shows; `nil` without network, where they are computed (KW-130).
  func figures(of screen: Kilwinning.Screen) -> Statistiche? {
    isOnline ? screen.anno.flatMap { statistiche[$0.selection] } : nil
  }

  /// Whether all was loaded that a screen takes (KW-122).
  func hasLoaded(_ page: Kilwinning.Opening.Page, _ anno: Anno) -> Bool {
    switch page {
    case .dashboard: tornate[TornateSelection(.tutti, .programmata)] != nil
    case .presenze:
      tornate[TornateSelection(anno.selection)] != nil && attendance(in: anno.selection) != nil
    case .picker, .riepilogo, .management: false
    }
  }
}

extension LodgeFacts {
  /// The figures of a device without network: from what it loaded, what it wrote and what waits in its queue (KW-130).
  func offline(
    _ user: Fratello, _ anno: Anno.Selection, _ tornate: [Tornata], _ isThere: [Tornata.ID: Bool],
    at now: Instant
  ) -> Figures? {
    guard !countsOtherwise, let zone = zone(during: now...now),
      let start = start(of: user, during: now...now),
      let conteggio = decided.value(\.conteggio, during: now...now)
    else { return nil }
    let counted = tornate.filter {
      let held = Held(tornata: $0, year: zone.civil(at: $0.data).date.year)
      return isIn(held, anno) && $0.data >= start ?? .distantPast
        && isHeld(held, conteggio, during: now...now) == true
    }.sorted(by: isNewer)
    var figures = Figures()
    for tornata in counted { figures.count(isIn: true, attended: isThere[tornata.id] ?? false) }
    figures.conclude()
    return figures
  }
}
