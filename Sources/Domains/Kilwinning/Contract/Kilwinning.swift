import Contracts
import Timekeeping

/// The typed surface of the operations by which a device logs in and synchronises its offline queue: O3, O4, O7
/// and O10 of the specification.
///
/// The *person* of a request is the fratello that the session proves; the *device* is whoever sends it. A fratello's
/// two devices have two sessions (KW-006), two network addresses and two queues; the keys of idempotency are the
/// fratello's (KW-072).
public enum Kilwinning: DeclaredContract {
  public static let domain = "kilwinning"

  public enum Request: DeclaredRequest {
    case logIn(nome: String)
    case me
    case presenze(PresenzeQuery)
    case confirm(Confirmation)
    case unread(Unread)

    var logIn: String? { if case .logIn(let it) = self { it } else { nil } }
    var presenze: PresenzeQuery? { if case .presenze(let it) = self { it } else { nil } }
    var confirm: Confirmation? { if case .confirm(let it) = self { it } else { nil } }
    public var unread: Unread? { if case .unread(let it) = self { it } else { nil } }
  }

  public enum Reply: Hashable, Sendable {
    case loggedIn(Login)
    case fratello(Fratello)
    case presenze([Presenza])
    case confirmed(Acknowledgement)

    var loggedIn: Login? { if case .loggedIn(let it) = self { it } else { nil } }
    var fratello: Fratello? { if case .fratello(let it) = self { it } else { nil } }
    var presenze: [Presenza]? { if case .presenze(let it) = self { it } else { nil } }
    var confirmed: Acknowledgement? { if case .confirmed(let it) = self { it } else { nil } }
  }

  /// Nothing arrives unasked: there is no push, widget and dashboard poll.
  public typealias Signal = Never
  public typealias Address = Never
}
