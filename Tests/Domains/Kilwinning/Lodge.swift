import Contracts
import KilwinningContract
import KilwinningTwin
import Testing
import Timekeeping
import WireLine

/// A small lodge, asked over the wire.
///
/// Paolo Giulio Gazzano (1) and Emiliano Menicucci (2) administer it; Bruno D'Arpini (3) is Ven.mo Maestro and Carlo Conti (5) knows no
/// date of his iniziazione; Nicolò Però (4) was initiated on 11 November 2025, an hour and a half after the tornata of that day began.
struct Lodge {
  static let epoch = Instant("2026-01-10T09:00:00Z")!
  static let admin = "Paolo Giulio Gazzano"
  static let bruno = "Bruno D'Arpini"
  static let nicola = "Nicolò Però"
  static let carlo = "Carlo Conti"

  var line: Line<KilwinningTwin>
  var now = epoch
  var credentials: [String: Kilwinning.Credential] = [:]

  init(off: Set<Kilwinning.Rule> = [], _ fixture: Fixture = Self.fixture) {
    let stream = RandomStream(seed: 1, owner: 1, purpose: 0)
    line = Line(KilwinningTwin(identifiers: stream, rules: Rules(off: off)))
    tell(.load(fixture))
  }

  mutating func tell(_ command: Kilwinning.Request) {
    try! line.tell(command, from: .administration, at: now)
  }

  /// A new session of a fratello.
  @discardableResult
  mutating func logIn(
    _ nome: String, claims: Bool? = nil, peer: String? = nil
  ) -> Kilwinning.Credential? {
    let outcome = line.ask(.logIn(LogIn(nome, adminAccess: claims)), at: now)
    guard let token = outcome?.reply?.loggedIn?.token else { return nil }
    let credential = Kilwinning.Credential(peer: peer, authorization: .bearer(token))
    credentials[nome] = credential
    return credential
  }

  /// By his last session, or a first one.
  mutating func ask(_ request: Kilwinning.Request, as nome: String) -> Outcome<Kilwinning>? {
    ask(request, with: credentials[nome] ?? logIn(nome))
  }

  mutating func ask(
    _ request: Kilwinning.Request, with credential: Kilwinning.Credential?
  ) -> Outcome<Kilwinning>? { line.ask(request, with: credential, at: now) }

  mutating func wait(_ span: Span) { now += span }

  // MARK: What is asked often

  @discardableResult
  mutating func confirm(
    _ tornata: Tornata.ID, _ presente: Bool = true, as nome: String = bruno,
    of fratello: Fratello.ID? = nil, key: String? = nil
  ) -> Outcome<Kilwinning>? {
    ask(
      .confirm(
        Confirmation(
          tornataID: tornata, presente: presente, fratelloID: fratello, idempotencyKey: key)),
      as: nome)
  }

  mutating func statistics(
    of fratello: Fratello.ID = 3, _ anno: Anno = .absent, as nome: String = admin
  ) -> Statistiche? {
    ask(.statistiche(PresenzeQuery(fratello, anno: anno)), as: nome)?.reply?.statistiche
  }

  /// The identifiers of the tornate of which he has a record, as O7 lists them.
  mutating func records(
    of fratello: Fratello.ID = 3, _ anno: Anno = .absent, as nome: String = admin
  ) -> [Presenza] {
    ask(.presenze(PresenzeQuery(fratello, anno: anno)), as: nome)?.reply?.presenze ?? []
  }

  mutating func tornate(
    _ anno: Anno = .absent, _ stato: Tornata.Stato? = nil, as nome: String = admin
  ) -> [Tornata] {
    ask(.tornate(TornateQuery(anno: anno, stato: stato)), as: nome)?.reply?.tornate?.items ?? []
  }

  @discardableResult
  mutating func set(
    _ tornata: Tornata.ID, as nome: String = admin, _ change: (inout TornataChange) -> Void
  ) -> Outcome<Kilwinning>? { ask(.updateTornata(TornataUpdate(tornata, change)), as: nome) }

  var inspection: Inspection? { mutating get { look() } }

  /// Everything, or what has changed since a look.
  mutating func look(since: Int = 0) -> Inspection {
    guard
      case .now(.success(.inspection(let it))) = line.twin.handle(
        .inspect(since: since), from: .harness, at: now
      ).answer
    else { preconditionFailure("the harness was refused") }
    return it
  }

  // MARK: What is loaded

  static let fixture = Fixture(
    fratelli: [
      brother(1, admin, .maestro, since: "2010-05-04T19:00:00Z"),
      brother(2, "Emiliano Menicucci", .compagno, .segretario, since: "2018-05-04T19:00:00Z"),
      brother(3, bruno, .maestro, .venerabile, since: "2020-05-04T19:00:00Z"),
      brother(4, nicola, .apprendista, since: "2025-11-11T20:00:00Z"),
      brother(5, carlo, .apprendista, since: nil),
    ],
    tornate: [
      meeting(1, "2025-09-09T17:30:00Z", .completata),
      meeting(2, "2025-10-14T17:30:00Z", .completata),
      meeting(3, "2025-11-11T18:30:00Z", .completata),
      meeting(4, "2025-11-27T18:30:00Z", .annullata),
      // Half past midnight of the new year in Rome.
      meeting(5, "2025-12-31T23:30:00Z", .completata),
      meeting(6, "2026-01-08T18:30:00Z", .programmata),
      meeting(7, "2026-01-08T18:30:00Z", .completata),
      meeting(8, "2026-01-22T18:30:00Z", .programmata),
      meeting(9, "2026-02-10T18:30:00Z", .programmata),
    ],
    presenze: [
      attendance(1, of: 3, at: 1, .presente), attendance(2, of: 3, at: 2, .assente),
      attendance(3, of: 3, at: 3, .presente), attendance(4, of: 3, at: 4, .presente),
      attendance(5, of: 3, at: 5, .nonConfermato), attendance(6, of: 3, at: 6, .assente),
      attendance(7, of: 3, at: 7, .presente), attendance(8, of: 3, at: 8, .presente),
      attendance(9, of: 4, at: 2, .presente), attendance(10, of: 4, at: 3, .presente),
    ])

  static func brother(
    _ id: Fratello.ID, _ nome: String, _ grado: Fratello.Grado, _ carica: Fratello.Carica? = nil,
    since: String?
  ) -> Fratello {
    let words = nome.split(separator: " ").map(String.init)
    return Fratello(
      id: id, nome: nome, firstName: words.dropLast().joined(separator: " "),
      lastName: words.last ?? "", grado: grado, caricaFissa: carica,
      registrationDate: Instant("2020-01-01T00:00:00Z")!,
      dataIniziazione: since.map { Instant($0)! }
    )
  }

  static func meeting(
    _ id: Tornata.ID, _ data: String, _ stato: Tornata.Stato = .completata
  ) -> Tornata { Tornata(id: id, discussione: "Tema \(id)", data: Instant(data)!, stato: stato) }

  static func attendance(
    _ id: Presenza.ID, of fratello: Fratello.ID, at tornata: Tornata.ID, _ status: Presenza.Status
  ) -> Presenza {
    Presenza(
      id: id, fratelloID: fratello, tornataID: tornata, status: status,
      confirmedAt: status == .nonConfermato ? nil : Instant("2025-09-01T08:00:00Z")!)
  }
}

extension Outcome<Kilwinning>? {
  var code: String { self?.refusal?.code ?? (self?.isReplied == true ? "ok" : "nothing") }
}

extension [Tornata] {
  var ids: [Int] { map(\.id.number) }
}

extension [Presenza] {
  var ids: [Int] { map(\.tornataID.number) }
}
