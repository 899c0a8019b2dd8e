import Contracts
import KilwinningContract
import Timekeeping

/// What the people of one lodge share. It never changes.
public final class LodgeTraits: Sendable {
  /// As the operator loads it.
  public let fixture: Fixture
  public let deployment: Kilwinning.Deployment
  let habits: Habits
  let rules: Rules<Kilwinning.Rule>
  let starts: Instant
  let ends: Instant
  /// The regular tornate from the start on, as everybody knows them by heart.
  let evenings: [Instant]
  /// What befalls tornate, by their ids.
  private let fates: UInt64

  init(
    _ fixture: Fixture, _ deployment: Kilwinning.Deployment, habits: Habits,
    rules: Rules<Kilwinning.Rule>, starts: Instant, ends: Instant, fates: UInt64
  ) {
    (self.fixture, self.deployment, self.habits, self.rules) = (fixture, deployment, habits, rules)
    (self.starts, self.ends, self.fates) = (starts, ends, fates)
    let zone = deployment.zone
    let years = zone.civil(at: starts).date.year - 1...zone.civil(at: ends).date.year
    evenings = years.flatMap { LodgeCalendar.days(ofSeason: $0) }
      .map { zone.instant($0, .minutes(19 * 60 + 30)) }.filter { $0 > starts }.sorted()
  }

  var zone: CivilZone { deployment.zone }

  func isAdmin(_ nome: String) -> Bool {
    PresenceCalculator.isAdmin(nome, among: deployment.adminNames)
  }

  /// The same numbers for whoever asks about one tornata.
  func fate(of tornata: Tornata.ID) -> RandomStream {
    RandomStream(seed: fates, owner: UInt64(bitPattern: Int64(tornata.number)), purpose: 0)
  }

  /// Whether a fratello means to come: all his devices say the same.
  func attends(_ tornata: Tornata, _ brother: Fratello.ID, _ habit: Propensity) -> Bool {
    var stream = RandomStream(
      seed: fates, owner: UInt64(bitPattern: Int64(tornata.id.number)),
      purpose: UInt32(truncatingIfNeeded: brother.number))
    return stream.chance(habit.attends(tornata, in: zone))
  }
}

/// A device before it lives.
public struct DeviceSeed: Sendable {
  public let name: String
  public let lodge: LodgeTraits
  /// Whose it is.
  let owner: Fratello
  /// The first device of the first administrator: he publishes the season.
  let isSecretarys: Bool
  let propensity: Propensity
  let hasWidget, wantsBiometric, showsCookie: Bool
  let begins: Instant
}

/// Somebody who breaks rules on purpose.
public struct AdversarySeed: Sendable {
  public let name: String
  public let lodge: LodgeTraits
  /// Which act comes first; neighbours begin with different ones, other lodges with other kinds of the same.
  let turn: Int
  let begins: Instant
}

/// Everybody of one lodge, and what the operator does before they live.
public struct Lodge: Sendable {
  public let traits: LodgeTraits
  public private(set) var devices: [DeviceSeed] = []
  public private(set) var adversaries: [AdversarySeed] = []

  /// - Parameters:
  ///   - number: From 1 within its region.
  ///   - adversaries: The share of extra persons who break rules, in 0...1; one at least where it is above 0.
  ///   - stream: The random stream of a thing by its name.
  public init(
    number: Int, population: Settings, parameters: Settings, rules: Rules<Kilwinning.Rule>,
    adversaries share: Double, starts: Instant, ends: Instant,
    stream draw: (String) -> RandomStream
  ) {
    let name = "lodge-\(number)"
    var stream = draw(name)
    var deployment = Kilwinning.Deployment(parameters)
    let lodge = DefaultLodge(
      fratelli: population.count("fratelli"), seasons: population.count("pastSeasons"),
      seed: stream.pick(0..<1_000_000_000))
    // Drawn where somebody asks for it: whoever does not lives as ever.
    let elsewhere = population.share("lodgesElsewhere")
    if elsewhere > 0, stream.chance(elsewhere), let zone = CivilZone("America/New_York") {
      deployment.zone = zone
    }
    if stream.chance(population.share("lodgesCountingAll")) { deployment.conteggio = .tutte }
    if stream.chance(population.share("lodgesWithALimit")) { deployment.limitsRequests = true }
    var fixture = lodge.fixture(at: starts, deployment)
    if stream.chance(population.share("lodgesWithOtherNames")) {
      // The right moves from one name to another (KW-027).
      deployment.adminNames[1] = fixture.fratelli[fixture.fratelli.count - 1].nome
    }
    if share > 0 { Inheritance.add(to: &fixture, before: starts, in: deployment.zone) }
    traits = LodgeTraits(
      fixture, deployment, habits: Habits(parameters), rules: rules, starts: starts, ends: ends,
      fates: stream.next())
    for (place, owner) in fixture.fratelli.prefix(lodge.fratelli).enumerated() {
      let propensity = Propensity.drawn(&stream)
      let count = stream.chance(population.share("twoDevices")) ? 2 : 1
      for device in 1...count {
        devices.append(
          DeviceSeed(
            name: "\(name)-brother-\(place + 1)-device-\(device)", lodge: traits, owner: owner,
            isSecretarys: device == 1
              && owner.nome == fixture.fratelli.first { traits.isAdmin($0.nome) }?.nome,
            propensity: propensity, hasWidget: stream.chance(population.share("widgets")),
            wantsBiometric: stream.chance(population.share("biometric")),
            showsCookie: stream.chance(population.share("cookieClients")),
            begins: starts
              + stream.sample(
                .uniform(
                  from: .minutes(1), to: max(.minutes(1), min(.days(4), (ends - starts) * 1 / 4)))))
        )
      }
    }
    guard share > 0 else { return }
    let count = max(1, Int((share * Double(devices.count)).rounded()))
    adversaries = (0..<count).map { place in
      AdversarySeed(
        name: "\(name)-adversary-\(place + 1)", lodge: traits,
        turn: place * 5 + Adversary.acts * number,
        begins: starts + stream.sample(.uniform(from: .minutes(1), to: .minutes(40))))
    }
  }

  /// What the operator does at the start: what the lodge decides, all that it holds, and a load that repeats a name (KW-037).
  public var commands: [Kilwinning.Request] {
    let decided = Adjustment { $0 = traits.deployment }
    let configure = decided.isEmpty ? [] : [Kilwinning.Request.configure(decided)]
    guard !adversaries.isEmpty, var double = traits.fixture.fratelli.last else {
      return configure + [.load(traits.fixture)]
    }
    // A number that nothing else has: the name alone is refused.
    double.id = Serial(9_007_199_254_740_991)
    return configure + [.load(traits.fixture), .load(Fixture(fratelli: [double]))]
  }
}

/// What old records hold that nobody would write today: lodges with adversaries have all of it (§2.9).
enum Inheritance {
  /// Near misses of the first administrator's name (KW-020); names that a file has to quote for a quote, a comma or the end of a line alone
  /// (KW-135), or that stand between letters with and without an accent (KW-031); somebody without and somebody with an iniziazione
  /// later in the evening of its tornata (KW-081, KW-082), and one of yesterday's (KW-041).
  static let strangers = [
    "paolo giulio gazzano", "Gazzano Paolo Giulio", "Anselmo \"Nino\" Rossi, detto il Vecchio",
    "Nicolò Però, figlio", "Teodoro \"Doro\" Senzadata", "Nicoluccio Lasera", "Vito\r\nIeri",
  ]
  static let withoutDate = 4, thatEvening = 5, yesterday = 6
  /// How many tornate are inherited.
  static let count = 10

  static func add(to fixture: inout Fixture, before starts: Instant, in zone: CivilZone) {
    let next = fixture.tornate.map(\.id.number).max() ?? 0
    let year = zone.civil(at: starts).date.year
    // Of a day that is longer or shorter than others, where the zone has any: its evening does not lie as far behind midnight as it seems.
    let today = zone.civil(at: starts).date.daysSinceEpoch
    func midnight(_ day: Int64) -> Instant { zone.instant(CivilDate(daysSinceEpoch: day)) }
    let unlike = (8...400).first { midnight(today - $0 + 1) - midnight(today - $0) != .days(1) }
    let evening = zone.instant(
      CivilDate(daysSinceEpoch: today - (unlike ?? 40)), .minutes(19 * 60 + 30))
    let newYear = zone.instant(CivilDate(year: year, month: 1, day: 1))
    let last = newYear > starts - .days(1) ? zone.year(year - 1).lowerBound : newYear
    let midnight = zone.startOfDay(of: evening)
    // Two that began together (KW-087), the turn of the year in the lodge's zone, around and to the second (KW-076), one that was
    // cancelled, one forgotten as planned, and the first second of an iniziazione's day with the one before (KW-080).
    let instants = [
      evening, evening, last - .minutes(10), last + .minutes(20), evening + .days(2),
      evening + .days(4), last, last - .seconds(1), midnight, midnight - .seconds(1),
    ]
    precondition(instants.count == count)
    let tornate = instants.enumerated().map { place, data in
      Tornata(
        id: Serial(next + place + 1), discussione: "Eredità \(place + 1)", data: data,
        tipo: .straordinaria, cena: place % 2 == 0,
        stato: place == 4 ? .annullata : place == 5 ? .programmata : .completata)
    }
    let first = fixture.fratelli.map(\.id.number).max() ?? 0
    let people = strangers.enumerated().map { place, nome in
      let words = nome.split(separator: " ")
      return Fratello(
        id: Serial(first + place + 1), nome: nome,
        firstName: words.dropLast().joined(separator: " "), lastName: words.last.map(String.init)!,
        grado: place % 2 == 0 ? .apprendista : .compagno, registrationDate: starts - .days(400),
        dataIniziazione: place == withoutDate
          ? nil
          : place == thatEvening
            ? evening + .hours(2) : place == yesterday ? starts - .days(1) : evening - .days(700))
    }
    fixture.tornate += tornate
    fixture.fratelli += people
    for (place, person) in people.enumerated() {
      for (index, tornata) in tornate.enumerated() where (place + index) % 4 != 3 {
        let status: Presenza.Status =
          (place + index) % 5 == 2 ? .nonConfermato : index == 1 ? .assente : .presente
        fixture.presenze.append(
          Presenza(
            id: nil, fratelloID: person.id, tornataID: tornata.id, status: status,
            confirmedAt: status == .nonConfermato ? nil : tornata.data - .days(3)))
      }
    }
  }
}
