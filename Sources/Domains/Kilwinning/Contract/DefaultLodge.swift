import Contracts
import Timekeeping

/// A lodge as §5.4 draws it: its fratelli, the seasons before an instant, and who attended.
public struct DefaultLodge: Hashable, Sendable {
  /// The administrators are the first two.
  public var fratelli: Int
  /// Past seasons, September to June; the last one may be under way.
  public var seasons: Int
  public var seed: Int

  public init(fratelli: Int = 25, seasons: Int = 3, seed: Int = 1) {
    (self.fratelli, self.seasons, self.seed) = (fratelli, seasons, seed)
  }

  static let shape: Shape<DefaultLodge> = Shape(
    { DefaultLodge(fratelli: $0, seasons: $1, seed: $2) },
    Field(
      "fratelli", \.fratelli, .int(2...200).otherwise(25), "how many, both administrators included"),
    Field("seasons", \.seasons, .int(0...50).otherwise(3), "how many, the present one included"),
    Field("seed", \.seed, .int.otherwise(1), "what the draws follow from"))

  /// The lodge as it is at an instant.
  public func fixture(
    at now: Instant, _ deployment: Kilwinning.Deployment = Kilwinning.Deployment()
  ) -> Fixture {
    var stream = RandomStream(
      seed: UInt64(bitPattern: Int64(seed)), owner: stableHash("default lodge"), purpose: 0)
    let zone = deployment.zone
    let today = zone.civil(at: now).date
    let season = today.month >= 9 ? today.year : today.year - 1
    var tornate: [Tornata] = []
    for year in (season - seasons + 1..<season + 1) {
      tornate += LodgeCalendar.season(year, in: zone, drawing: &stream)
    }
    for index in tornate.indices {
      tornate[index].id = Serial(index + 1)
      if tornate[index].data < now, tornate[index].stato == .programmata, stream.chance(0.9) {
        tornate[index].stato = .completata
      }
    }
    let ceremonies = tornate.filter { $0.tipo == .cerimonia && $0.data < now }.map(\.data)
    let people = (0..<fratelli).map { place in
      fratello(
        place, deployment.adminNames, ceremonies: ceremonies, before: now, drawing: &stream)
    }
    let presenze = people.flatMap { attendance(of: $0, tornate, before: now, drawing: &stream) }
    return Fixture(fratelli: people, tornate: tornate, presenze: presenze)
  }

  // MARK: Fratelli

  private func fratello(
    _ place: Int, _ adminNames: [String], ceremonies: [Instant], before now: Instant,
    drawing stream: inout RandomStream
  ) -> Fratello {
    let offices = Fratello.Carica.allCases
    let nome = Self.name(place, adminNames)
    let words = nome.split(separator: " ")
    let chosen = stream.unit()
    let grado: Fratello.Grado =
      place < offices.count || chosen < 0.6
      ? .maestro : chosen < 0.75 ? .compagno : .apprendista
    var fratello = Fratello(
      id: Serial(place + 1), nome: nome, firstName: words.dropLast().joined(separator: " "),
      lastName: words.last.map(String.init) ?? "", email: "fratello\(place + 1)@example.test",
      grado: grado, caricaFissa: place < offices.count ? offices[(place + 4) % offices.count] : nil,
      registrationDate: now - .days(400))
    switch stream.unit() {
    case ..<0.05: break
    case ..<0.15 where !ceremonies.isEmpty && grado == .apprendista:
      fratello.dataIniziazione = stream.pick(ceremonies)
    default:
      // Somebody's degree takes its time: 9 to 18 months a step.
      let steps = 2 - grado.rank
      let years = stream.sample(
        .uniform(from: .days(365 * (1 + 2 * Int64(steps))), to: .days(9_125)))
      var date = (now - years).inWholeSeconds
      fratello.dataIniziazione = date
      if steps >= 1 {
        date += step(drawing: &stream)
        fratello.dataPassaggio = date
      }
      if steps >= 2 { fratello.dataElevazione = date + step(drawing: &stream) }
    }
    return fratello
  }

  private func step(drawing stream: inout RandomStream) -> Span {
    .days(Int64(274 + stream.pick(0..<274)))
  }

  /// The name of a fratello by his place; the administrators come first.
  public static func name(
    _ place: Int, _ adminNames: [String] = Kilwinning.Deployment().adminNames
  ) -> String {
    if place < adminNames.count { return adminNames[place] }
    let (first, last) = (
      place % firstNames.count, (place * 7 + place / firstNames.count) % lastNames.count
    )
    let round = place / (firstNames.count * lastNames.count)
    return "\(firstNames[first]) \(lastNames[last])" + (round > 0 ? " \(round + 1)" : "")
  }

  private static let firstNames = [
    "Alessandro", "Bruno", "Carlo", "Dario", "Enrico", "Fabio", "Giorgio", "Ivo", "Luca", "Marco",
    "Nicolò", "Oreste", "Piero", "Renzo", "Sergio", "Tullio", "Ugo", "Valerio", "Walter", "Zeno",
  ]
  private static let lastNames = [
    "Amato", "Bianchi", "Conti", "D'Arpini", "Esposito", "Ferri", "Galli", "Imparato", "Leone",
    "Marini", "Neri", "Orlando", "Pace", "Quaranta", "Riva", "Sala", "Testa", "Urbani", "Vitale",
    "Zanetti", "Però", "Basile", "Costa",
  ]

  // MARK: Presenze

  private func attendance(
    of fratello: Fratello, _ tornate: [Tornata], before now: Instant,
    drawing stream: inout RandomStream
  ) -> [Presenza] {
    let habit = Propensity.drawn(&stream)
    var presenze: [Presenza] = []
    for tornata in tornate where tornata.data >= fratello.dataIniziazione ?? .distantPast {
      guard stream.chance(habit.answers), tornata.data < now else { continue }
      let isThere = stream.chance(habit.attends(tornata))
      presenze.append(
        Presenza(
          id: nil, fratelloID: fratello.id, tornataID: tornata.id,
          status: isThere ? .presente : .assente, confirmedAt: tornata.data - .days(2)))
    }
    return presenze
  }
}

/// How readily a fratello comes and answers (§5.4).
public enum Propensity: Hashable, Sendable, CaseIterable {
  case regular, occasional, rare

  public static func drawn(_ stream: inout RandomStream) -> Propensity {
    switch stream.unit() {
    case ..<0.6: .regular
    case ..<0.9: .occasional
    default: .rare
    }
  }

  /// The share of tornate for which he answers in the app.
  public var answers: Double {
    switch self {
    case .regular: 0.85
    case .occasional: 0.6
    case .rare: 0.3
    }
  }

  /// The probability that he attends.
  public func attends(_ tornata: Tornata, in zone: CivilZone = .rome) -> Double {
    var share =
      switch self {
      case .regular: 0.93
      case .occasional: 0.75
      case .rare: 0.4
      }
    if zone.civil(at: tornata.data).date.month == 12 { share *= 0.8 }
    if !tornata.isAtOwnLodge { share *= 0.8 }
    return tornata.cena ? min(0.98, share * 1.05) : share
  }
}
