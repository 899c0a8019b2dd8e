import Contracts
import KilwinningContract
import KilwinningTwin
import Testing
import Timekeeping

/// A lodge of one fratello besides the administrator, its tornate a month apart, with a letter for each: P present, A absent, N not
/// confirmed, - no record; a small letter for a cancelled tornata, brackets round what has not begun.
private func lodgeOf(_ pattern: String, since: String? = nil) -> Lodge {
  let start = Instant("2024-11-05T18:30:00Z")!
  var (tornate, presenze) = ([Tornata](), [Presenza]())
  var isAhead = false
  for letter in pattern {
    if "[]".contains(letter) {
      isAhead = letter == "["
      continue
    }
    let id = Tornata.ID(tornate.count + 1)
    let data =
      isAhead
      ? Lodge.epoch + .days(Int64(id.number)) : start + .days(28 * Int64(id.number - 1))
    tornate.append(
      Tornata(
        id: id, discussione: "x", data: data,
        stato: letter.isLowercase ? .annullata : isAhead ? .programmata : .completata))
    let status: Presenza.Status? =
      switch letter {
      case "P", "p": .presente
      case "A", "a": .assente
      case "N": .nonConfermato
      default: nil
      }
    if let status {
      presenze.append(
        Presenza(id: nil, fratelloID: 2, tornataID: id, status: status, confirmedAt: nil))
    }
  }
  let fratelli = [
    Lodge.brother(1, Lodge.admin, .maestro, since: nil),
    Lodge.brother(2, Lodge.bruno, .maestro, since: since),
  ]
  // As a file may give it: in any order.
  return Lodge(Fixture(fratelli: fratelli, tornate: tornate.reversed(), presenze: presenze))
}

@Suite struct `Statistics computed by hand` {
  /// Pattern, total, presences, percentage, streak, record.
  static let table: [(String, Int, Int, Int, Int, Int)] = [
    ("", 0, 0, 0, 0, 0), ("P", 1, 1, 100, 1, 1), ("A", 1, 0, 0, 0, 0), ("-", 1, 0, 0, 0, 0),
    ("N", 1, 0, 0, 0, 0), ("p", 0, 0, 0, 0, 0), ("[P]", 0, 0, 0, 0, 0),
    ("PPP", 3, 3, 100, 3, 3), ("PPA", 3, 2, 66, 0, 2), ("APP", 3, 2, 66, 2, 2),
    ("PAP", 3, 2, 66, 1, 1), ("P-P", 3, 2, 66, 1, 1), ("PNP", 3, 2, 66, 1, 1),
    ("PaP", 2, 2, 100, 2, 2), ("PpP", 2, 2, 100, 2, 2), ("APa", 2, 1, 50, 1, 1),
    ("PPPAPP[P]", 6, 5, 83, 2, 3), ("PPPAPP[A]", 6, 5, 83, 2, 3), ("AAAAAAP", 7, 1, 14, 1, 1),
    ("PAPAPAPA", 8, 4, 50, 0, 1), ("PPPPPPPPPA", 10, 9, 90, 0, 9), ("AaaaP", 2, 1, 50, 1, 1),
    ("NNNNNNNNPP", 10, 2, 20, 2, 2),
  ]

  @Test(arguments: table)
  func `all years: KW-083 to KW-093`(
    pattern: String, total: Int, presences: Int, percentage: Int, streak: Int, record: Int
  ) {
    var lodge = lodgeOf(pattern)
    let figures = lodge.statistics(of: 2)
    let rate = total == 0 ? 0 : Double(presences) / Double(total)
    let expected = Statistiche(
      total: total, presences: presences, absences: total - presences, percentage: percentage,
      streak: streak, record: record, rate: rate)
    #expect(figures == expected)
    let row = lodge.ask(.riepilogo(.absent), as: Lodge.admin)?.reply?.riepilogo?.first {
      $0.id == 2
    }
    #expect(row?.presenze == presences && row?.tornateDisponibili == total)
    #expect(row?.percentuale == percentage)
  }

  @Test func `the whole part of the percentage for every total up to 200: KW-090`() {
    for total in 1...200 {
      for presences in 0...total {
        var tally = Tally()
        for place in 0..<total { tally.take(isPresent: place < presences) }
        // By repeated subtraction, not by division.
        var (left, percentage) = (100 * presences, 0)
        while left >= total { (left, percentage) = (left - total, percentage + 1) }
        #expect(tally.percentage == percentage)
      }
    }
    #expect(Tally().percentage == 0 && Tally().rate == 0)
  }

  @Test func `a streak and a record beyond New Year: KW-088, KW-093`() {
    // 5 November 2024 and every 28 days: three tornate in 2024, twelve in 2025.
    var lodge = lodgeOf("PPPPAPPAPPAPPPP")
    #expect(lodge.statistics(of: 2, Anno(2024))?.streak == 3)
    let of2025 = lodge.statistics(of: 2, Anno(2025))
    #expect(of2025?.total == 12 && of2025?.presences == 9 && of2025?.percentage == 75)
    #expect(of2025?.streak == 4 && of2025?.record == 4)
    #expect(lodge.statistics(of: 2, Anno(2024))?.record == 4)
    let whole = lodge.statistics(of: 2)!
    let years = [2024, 2025, 2026].map { lodge.statistics(of: 2, Anno($0))! }
    #expect(years.map(\.total).reduce(0, +) == whole.total, "KW-100")
    #expect(years.map(\.presences).reduce(0, +) == whole.presences, "KW-100")
  }

  @Test
  func
    `a tornata counts from its first instant and from the day of the iniziazione: KW-080, KW-081`()
  {
    // The third tornata is on 31 December 2024; the iniziazione on its evening, after it began.
    var lodge = lodgeOf("PPPAP", since: "2024-12-31T22:59:59Z")
    #expect(lodge.statistics(of: 2)?.total == 3)
    #expect(lodge.records(of: 2).ids == [5, 4, 3])
    var late = lodgeOf("PPPAP", since: "2024-12-31T23:00:00Z")
    #expect(late.statistics(of: 2)?.total == 2, "an hour into the next day in Rome")
    late.set(3) { $0.data = .to(Instant("2024-12-31T22:59:59Z")!) }
    #expect(late.statistics(of: 2)?.total == 2)
    late.set(3) { $0.data = .to(Instant("2024-12-31T23:00:00Z")!) }
    #expect(late.statistics(of: 2)?.total == 3)
  }

  @Test func `the statistics of random lodges are those of a second reckoning`() {
    var stream = RandomStream(seed: 9, owner: 1, purpose: 0)
    for _ in 0..<60 {
      let letters = (0..<(stream.pick(0..<30))).map { _ in stream.pick(Array("PPPPAAN-pa")) }
      let pattern = String(letters)
      var lodge = lodgeOf(pattern)
      // Letters alone, from the newest.
      let counted = pattern.filter(\.isCounted)
      let streak = counted.reversed().prefix { $0 == "P" }.count
      let runs = counted.split(omittingEmptySubsequences: true) { $0 != "P" }
      let figures = lodge.statistics(of: 2)!
      #expect(figures.total == counted.count)
      #expect(figures.presences == counted.filter { $0 == "P" }.count)
      #expect(figures.streak == streak)
      #expect(figures.record == runs.map(\.count).max() ?? 0)
      #expect(figures.streak <= figures.record && figures.record <= figures.presences, "I1, I3, I4")
    }
  }
}

extension Character {
  fileprivate var isCounted: Bool { isUppercase || self == "-" }
}

@Suite struct `The pure functions: KW-099` {
  private let tornate = Lodge.fixture.tornate.shuffled()
  private let presenze = Lodge.fixture.presenze.filter { $0.fratelloID == 3 }

  @Test func `the streak does not mind order, doubles or nothing at all`() {
    let list = [3, 1, 2].map { Lodge.meeting(Serial($0), "2025-0\($0)-10T18:00:00Z") }
    func answer(_ tornata: Tornata.ID, _ status: Presenza.Status) -> Presenza {
      Presenza(id: nil, fratelloID: 1, tornataID: tornata, status: status, confirmedAt: nil)
    }
    let all = [
      answer(2, .assente), answer(3, .presente), answer(2, .presente), answer(1, .assente),
    ]
    #expect(PresenceCalculator.streak(all, list) == 2, "the last of two records counts")
    #expect(PresenceCalculator.streak([], list) == 0)
    #expect(PresenceCalculator.streak(all, []) == 0)
    #expect(PresenceCalculator.streak([], []) == 0)
  }

  @Test func `the filter by iniziazione takes the instant itself in`() {
    let limit = Instant("2025-11-11T18:30:00Z")!
    let kept = PresenceCalculator.filterByIniziazione(tornate, limit)
    #expect(Set(kept.ids) == [3, 4, 5, 6, 7, 8, 9])
    #expect(PresenceCalculator.filterByIniziazione(tornate, limit + .seconds(1)).count == 6)
    #expect(PresenceCalculator.filterByIniziazione(tornate, nil).count == 9)
  }

  @Test func `names are administrators exactly`() {
    for name in ["Paolo Giulio Gazzano", "Emiliano Menicucci"] {
      #expect(PresenceCalculator.isAdmin(name))
    }
    for name in [
      "paolo giulio gazzano", "Paolo Gazzano", "Gazzano Paolo Giulio", " Emiliano Menicucci",
      "Emiliano  Menicucci", "Emiliano Menicucci ", "", "Emilianó Menicucci",
    ] { #expect(!PresenceCalculator.isAdmin(name)) }
  }

  @Test func `years restrict both lists, in Rome`() {
    let of2025 = PresenceCalculator.filterByYear(presenze, tornate, Anno(2025))
    #expect(Set(of2025.tornate.ids) == [1, 2, 3, 4] && Set(of2025.presenze.ids) == [1, 2, 3, 4])
    for anno in [Anno.tutti, .absent, Anno("nonsense")] {
      #expect(PresenceCalculator.filterByYear(presenze, tornate, anno).tornate == tornate)
    }
    #expect(PresenceCalculator.availableYears(tornate) == ["2026", "2025"])
    #expect(PresenceCalculator.availableYears([]) == [])
  }

  @Test func `statistics of lists are those of the backend`() {
    var lodge = Lodge()
    let zone = CivilZone.rome
    let start = Lodge.fixture.fratelli[2].dataIniziazione.map { zone.startOfDay(of: $0) }
    for (anno, year) in [
      (Anno.tutti, nil), (Anno(2025), zone.year(2025)), (Anno(2026), zone.year(2026)),
    ] {
      let counting = Counting(start: start, year: year, at: lodge.now)
      #expect(
        PresenceCalculator.statistics(presenze, tornate, counting) == lodge.statistics(of: 3, anno))
    }
  }

  @Test func `badges and colours: KW-032, KW-091, KW-096, KW-098`() {
    #expect(
      ["Maestro", "MAESTRI", "compagno", "Compagni", "Apprendista", "apprendisti", "Altro"]
        .map(Badges.degreeIcon) == ["🔶", "🔶", "🔷", "🔷", "🔹", "🔹", "◆"])
    #expect(
      [-1, 0, 69, 70, 89, 90, 100, 101].map { Badges.colour(ofPercentage: $0) } == [
        .red, .red, .red, .orange, .orange, .green, .green, .red,
      ])
    #expect(
      ["programmata", "completata", "annullata", "altro"].map { Badges.colour(ofState: $0) } == [
        .blue, .green, .red, .grey,
      ])
    #expect(
      [0, 0.125, 0.625, 0.5, 2.0 / 3, 1].map(Badges.shownPercentage) == [
        "0%", "12%", "62%", "50%", "67%", "100%",
      ])
    #expect(Badges.streak(0) == nil && Badges.streak(3) == "🔥 3")
    #expect(Badges.degree(.compagno) == "🔷 Compagno")
  }
}
