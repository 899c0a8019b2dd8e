import Contracts
import Timekeeping

/// The typed surface of the lodge's backend, its operator's commands and its inspection.
///
/// The *person* of a request is the fratello that the session proves; the *device* is whoever sends it. A fratello's
/// two devices have two sessions (KW-006), two network addresses and two queues; the keys of idempotency are the
/// fratello's (KW-072).
public enum Kilwinning: DeclaredContract {
  public static let domain = "kilwinning"

  public enum Request: DeclaredRequest {
    case welcome  // O1
    case fratelli  // O2
    indirect case logIn(LogIn)  // O3
    case me  // O4
    case logOut  // O5
    indirect case updateFratello(FratelloUpdate)  // O6
    case presenze(PresenzeQuery)  // O7
    case statistiche(PresenzeQuery)  // O8
    case riepilogo(Anno)  // O9
    indirect case confirm(Confirmation)  // O10
    case tornate(TornateQuery)  // O11
    indirect case createTornata(NewTornata)  // O12
    indirect case updateTornata(TornataUpdate)  // O13
    case deleteTornata(Tornata.ID)  // O14
    case exportRiepilogo(Anno)  // O15
    case load(Fixture)
    case populate(DefaultLodge)
    indirect case configure(Adjustment<Deployment>)
    case setRule(RuleSwitch<Rule>)
    /// What has changed since a look, by its number; 0: everything.
    case inspect(since: Int)
    indirect case unread(Unread)

    public var logIn: LogIn? { if case .logIn(let it) = self { it } else { nil } }
    public var updateFratello: FratelloUpdate? {
      if case .updateFratello(let it) = self { it } else { nil }
    }
    public var presenze: PresenzeQuery? { if case .presenze(let it) = self { it } else { nil } }
    public var statistiche: PresenzeQuery? {
      if case .statistiche(let it) = self { it } else { nil }
    }
    public var riepilogo: Anno? { if case .riepilogo(let it) = self { it } else { nil } }
    public var confirm: Confirmation? { if case .confirm(let it) = self { it } else { nil } }
    public var tornate: TornateQuery? { if case .tornate(let it) = self { it } else { nil } }
    public var createTornata: NewTornata? {
      if case .createTornata(let it) = self { it } else { nil }
    }
    public var updateTornata: TornataUpdate? {
      if case .updateTornata(let it) = self { it } else { nil }
    }
    public var deleteTornata: Tornata.ID? {
      if case .deleteTornata(let it) = self { it } else { nil }
    }
    public var exportRiepilogo: Anno? {
      if case .exportRiepilogo(let it) = self { it } else { nil }
    }
    public var unread: Unread? { if case .unread(let it) = self { it } else { nil } }
  }

  public enum Reply: Hashable, Sendable {
    case welcome(String)  // O1
    case fratelli(SharedList<Fratello>)  // O2
    indirect case loggedIn(Login)  // O3
    indirect case fratello(Fratello)  // O4, O6
    case loggedOut  // O5
    case presenze([Presenza])  // O7
    indirect case statistiche(Statistiche)  // O8
    case riepilogo([RigaRiepilogo])  // O9
    indirect case confirmed(Acknowledgement)  // O10
    case tornate(SharedList<Tornata>)  // O11
    indirect case tornata(Tornata)  // O12, O13
    case deleted(message: String)  // O14
    indirect case esportazione(Esportazione)  // O15
    case preflight  // O16
    case done  // a command
    indirect case loaded(Loaded)
    indirect case inspection(Inspection)

    public var welcome: String? { if case .welcome(let it) = self { it } else { nil } }
    public var fratelli: SharedList<Fratello>? {
      if case .fratelli(let it) = self { it } else { nil }
    }
    public var loggedIn: Login? { if case .loggedIn(let it) = self { it } else { nil } }
    public var fratello: Fratello? { if case .fratello(let it) = self { it } else { nil } }
    public var presenze: [Presenza]? { if case .presenze(let it) = self { it } else { nil } }
    public var statistiche: Statistiche? {
      if case .statistiche(let it) = self { it } else { nil }
    }
    public var riepilogo: [RigaRiepilogo]? { if case .riepilogo(let it) = self { it } else { nil } }
    public var confirmed: Acknowledgement? {
      if case .confirmed(let it) = self { it } else { nil }
    }
    public var tornate: SharedList<Tornata>? {
      if case .tornate(let it) = self { it } else { nil }
    }
    public var tornata: Tornata? { if case .tornata(let it) = self { it } else { nil } }
    public var deleted: String? { if case .deleted(let it) = self { it } else { nil } }
    public var esportazione: Esportazione? {
      if case .esportazione(let it) = self { it } else { nil }
    }
    public var loaded: Loaded? { if case .loaded(let it) = self { it } else { nil } }
    public var inspection: Inspection? { if case .inspection(let it) = self { it } else { nil } }
  }

  /// Nothing arrives unasked: there is no push, widget and dashboard poll.
  /// What a device keeps of a load (KW-122): the same one, however its anno was spelt.
  public enum Load: Hashable, Sendable {
    case tornate(TornateSelection)
    case presenze(Fratello.ID, Anno.Selection)
    case statistiche(Fratello.ID, Anno.Selection)
  }

  public typealias Signal = Never
  public typealias Address = Never
}
