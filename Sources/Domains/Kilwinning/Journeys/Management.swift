import Contracts
import Journeys
import KilwinningContract
import Timekeeping

/// What an administrator finds to be done on the management screen (§5.2, §5.4).
private enum Errand {
  case create([NewTornata])
  case change(Tornata.ID, TornataChange)
  case delete(Tornata.ID)
  /// One is created too much, and deleted at once.
  case mistake(NewTornata)
  case export
  /// A degree or a date after a ceremony (KW-033).
  case record(FratelloUpdate)
  /// The registry, kept for others (KW-061).
  case register(Confirmation)
}

extension Device {
  /// The management of administrators (KW-025): never offline (KW-131).
  func visitManagement(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    guard chance(0.7, me) else { return }
    let year = Anno(lodge.zone.civil(at: me.now).date.year)
    guard me.isOnline else {
      if managesOffline { _ = try await ask(.exportRiepilogo(year), as: me) }
      return
    }
    // With KW-025 off somebody without the right finds the export.
    if user?.adminAccess != true { _ = try await ask(.exportRiepilogo(year), as: me) }
    try await loadManagement(year, as: me)
    for _ in 0..<3 {
      guard isLoggedIn, let list = cache.tornate[TornateSelection(year.selection)]?.value,
        let errand = errands(list, at: me.now, as: me).first
      else { return }
      try await think(as: me)
      try await run(errand, of: year, as: me)
      if case .export = errand { return }
    }
  }

  /// KW-131.
  var managesOffline: Bool { !rules.binds(.kw131) }

  private func loadManagement(_ anno: Anno, as me: Person<Kilwinning>) async throws(JourneyEnded) {
    let request = Kilwinning.Request.tornate(TornateQuery(anno: anno))
    let outcome = try await ask(request, as: me)
    guard let list = outcome.reply?.tornate else { return }
    cache.keep(request, outcome, at: me.now)
    me.note(.shows(.management(anno, list.map { card(of: $0, isEditable: true) })))
  }

  // MARK: What is to be done

  private func errands(
    _ list: SharedList<Tornata>, at now: Instant, as me: Person<Kilwinning>
  ) -> [Errand] {
    var errands: [Errand] = []
    if seed.isSecretarys, let season = unpublished(list, at: now) {
      errands.append(.create(season))
    }
    for tornata in list {
      var fate = lodge.fate(of: tornata.id)
      let (isCancelled, isEdited, isMarked, isReinstated) = (
        fate.chance(habits.cancelled), fate.chance(habits.edited), fate.chance(habits.markedHeld),
        fate.chance(0.1)
      )
      let ahead = tornata.data - now
      switch tornata.stato {
      case .programmata where ahead > .days(1) && ahead < .days(10) && isCancelled && !isReinstated:
        errands.append(.change(tornata.id, TornataChange { $0.stato = .to(.annullata) }))
      case .annullata where ahead > .zero && ahead < .days(8) && isReinstated:
        errands.append(.change(tornata.id, TornataChange { $0.stato = .to(.programmata) }))
      case .programmata
      where ahead > .days(1) && ahead < .days(21) && isEdited
        && !tornata.discussione.hasSuffix("."):
        errands.append(.change(tornata.id, edit(tornata)))
      case .programmata where ahead < .hours(-8) && ahead > .days(-21) && isMarked:
        errands.append(.change(tornata.id, TornataChange { $0.stato = .to(.completata) }))
        if tornata.tipo == .cerimonia, let update = ceremony(of: tornata) {
          errands.append(.record(update))
        }
      default: break
      }
    }
    if errands.isEmpty, chance(habits.exports, me) { errands.append(.export) }
    if errands.isEmpty, chance(habits.mistaken, me) {
      errands.append(
        .mistake(NewTornata(data: (now + .days(9)).inWholeSeconds, discussione: "Errore")))
    }
    if errands.isEmpty, chance(0.1, me), let kept = registry(list, at: now) {
      errands.append(.register(kept))
    }
    return errands
  }

  /// The form sends all six fields.
  private func edit(_ tornata: Tornata) -> TornataChange {
    TornataChange {
      $0.discussione = .to(tornata.discussione + ".")
      $0.data = .to(tornata.data)
      $0.location = .to(tornata.location)
      $0.cena = .to(!tornata.cena)
      $0.tipo = .to(tornata.tipo)
      $0.stato = .to(tornata.stato)
    }
  }

  /// From late August to October the season that begins, while it is not there.
  private func unpublished(_ list: SharedList<Tornata>, at now: Instant) -> [NewTornata]? {
    let today = lodge.zone.civil(at: now).date
    let begins = lodge.zone.instant(CivilDate(year: today.year, month: 9, day: 1))
    guard today >= CivilDate(year: today.year, month: 8, day: 20), today.month <= 10,
      !list.contains(where: { $0.data >= begins && $0.tipo == .ordinaria })
    else { return nil }
    var stream = lodge.fate(of: Serial(-today.year))
    return LodgeCalendar.season(today.year, in: lodge.zone, drawing: &stream).map {
      NewTornata(
        data: $0.data, discussione: $0.discussione, location: $0.location, cena: $0.cena,
        tipo: $0.tipo)
    }
  }

  /// The youngest Apprendista without a date is initiated there; the figures change at once (KW-035).
  private func ceremony(of tornata: Tornata) -> FratelloUpdate? {
    guard
      let apprentice = lodge.fixture.fratelli.last(where: {
        $0.grado == .apprendista && $0.dataIniziazione == nil && $0.id.number % 5 != 0
      })
    else { return nil }
    return FratelloUpdate(
      apprentice.id, FratelloChange(grado: .apprendista, dataIniziazione: .to(tornata.data)))
  }

  private func registry(_ list: SharedList<Tornata>, at now: Instant) -> Confirmation? {
    guard let tornata = list.first(where: { $0.data < now && $0.stato != .annullata }) else {
      return nil
    }
    var fate = lodge.fate(of: tornata.id)
    let other = fate.pick(lodge.fixture.fratelli)
    return Confirmation(tornataID: tornata.id, presente: true, fratelloID: other.id)
  }

  // MARK: Doing it

  private func run(
    _ errand: Errand, of anno: Anno, as me: Person<Kilwinning>
  ) async throws(JourneyEnded) {
    switch errand {
    case .create(let season):
      for tornata in season {
        try await write(.createTornata(tornata), of: anno, as: me)
        guard isLoggedIn else { return }
        try await me.think(.uniform(from: .seconds(20), to: .minutes(2)))
      }
      if let double = season.last, chance(habits.mistaken * Double(season.count), me) {
        try await run(.mistake(double), of: anno, as: me)
      }
    case .mistake(let double):
      guard let made = try await write(.createTornata(double), of: anno, as: me)?.tornata else {
        return
      }
      try await me.think(.uniform(from: .seconds(30), to: .minutes(5)))
      try await run(.delete(made.id), of: anno, as: me)
    case .change(let id, let change):
      try await write(.updateTornata(TornataUpdate(id, .success(change))), of: anno, as: me)
    case .delete(let id):
      // KW-052: asked before, and nothing is sent by who declines.
      let isConfirmed = !chance(0.2, me)
      if rules.binds(.kw052) { me.note(.asksBeforeDeleting(id, isConfirmed: isConfirmed)) }
      guard isConfirmed || !rules.binds(.kw052) else { return }
      try await write(.deleteTornata(id), of: anno, as: me)
    case .export: _ = try await ask(.exportRiepilogo(pickExport(anno, as: me)), as: me)
    case .record(let update): try await put(.updateFratello(update), as: me)
    case .register(let written): try await put(.confirm(written), as: me)
    }
  }

  /// A write that no list shows; whatever this device writes, nothing it has loaded is fresh (KW-122).
  private func put(
    _ request: Kilwinning.Request, as me: Person<Kilwinning>
  ) async throws(JourneyEnded) {
    guard try await ask(request, as: me).isReplied else { return }
    if case .confirm(let written) = request, let own = user?.id, written.fratelloID == own {
      cache.age(own: .written(written.tornataID, written.presente, by: own))
    } else {
      cache.age()
    }
  }

  private func pickExport(_ anno: Anno, as me: Person<Kilwinning>) -> Anno {
    chance(0.5, me) ? anno : .tutti
  }

  /// A write of the management, and after its success the list of its anno once (KW-053).
  @discardableResult
  private func write(
    _ request: Kilwinning.Request, of anno: Anno, as me: Person<Kilwinning>
  ) async throws(JourneyEnded) -> Kilwinning.Reply? {
    let outcome = try await ask(request, as: me)
    guard let reply = outcome.reply, isLoggedIn else { return nil }
    cache.age()
    if rules.binds(.kw053) { try await loadManagement(anno, as: me) }
    return reply
  }
}
