import Timekeeping

/// When a lodge meets (§5.4).
public enum LodgeCalendar {
  private static let months = [9, 10, 11, 12, 1, 2, 3, 4, 5, 6]
  /// 19:30 in the lodge's zone.
  private static let begins = Span.minutes(19 * 60 + 30)
  private static let topics = [
    "Il simbolismo della pietra grezza", "Le colonne del tempio", "La squadra e il compasso",
    "Il silenzio dell'apprendista", "La catena d'unione", "Luce e ombra", "Il viaggio",
    "La tavola da disegno", "Storia della loggia", "Il grembiule",
  ]

  /// The tornate of a season, September to June, from the oldest: the second Tuesday and the fourth Thursday of each month, and two to five
  /// extraordinary ones and ceremonies between them. Identifiers are still to be given.
  /// - Parameter year: Of its September.
  public static func season(
    _ year: Int, in zone: CivilZone = .rome, drawing stream: inout RandomStream
  ) -> [Tornata] {
    var tornate = days(ofSeason: year).map { tornata(on: $0, .ordinaria, in: zone, &stream) }
    for extra in 0..<(2 + stream.pick(0..<4)) {
      let day = CivilDate(
        daysSinceEpoch: stream.pick(days(ofSeason: year)).daysSinceEpoch
          + Int64(3 + stream.pick(0..<5)))
      tornate.append(
        tornata(on: day, extra % 2 == 0 ? .cerimonia : .straordinaria, in: zone, &stream))
    }
    return tornate.sorted { $0.data < $1.data }
  }

  /// The days of the regular tornate of a season.
  public static func days(ofSeason year: Int) -> [CivilDate] {
    months.flatMap { month in
      let year = month >= 9 ? year : year + 1
      return [day(2, weekday: 2, of: month, year), day(4, weekday: 4, of: month, year)]
    }
  }

  /// The n-th day of a month that is a certain weekday, 1 for Monday.
  static func day(_ number: Int, weekday: Int, of month: Int, _ year: Int) -> CivilDate {
    let first = CivilDate(year: year, month: month, day: 1)
    let ahead = (weekday - first.weekday + 7) % 7
    return CivilDate(year: year, month: month, day: 1 + ahead + 7 * (number - 1))
  }

  /// A tornata as somebody plans it.
  public static func tornata(
    on day: CivilDate, _ tipo: Tornata.Tipo, in zone: CivilZone, _ stream: inout RandomStream
  ) -> Tornata {
    Tornata(
      id: .none, discussione: stream.pick(topics), data: zone.instant(day, begins), tipo: tipo,
      location: stream.chance(0.9) ? Tornata.ownLodge : "Loggia Garibaldi - Civitavecchia",
      cena: stream.chance(0.6), stato: stream.chance(0.04) ? .annullata : .programmata)
  }
}
