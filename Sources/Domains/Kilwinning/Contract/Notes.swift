import Contracts
import Timekeeping

extension Kilwinning {
  /// What a simulated device writes down about itself: its stores, its screens, its queue and its widget. The person of the
  /// record is the device; which fratello uses it stands in the note. No note holds a token (KW-111).
  public enum Note: Hashable, Sendable {
    /// The app begins.
    case launched(isOnline: Bool)
    /// The network went or came back while somebody has the device.
    case network(isUp: Bool)
    /// The secure store as something left it (§2.8).
    indirect case stored(SecureStore, because: StoreChange)
    /// The biometric was asked for (KW-146).
    case prompted(isAccepted: Bool)
    /// A screen is about to load its data.
    indirect case opens(Opening)
    indirect case shows(Screen)
    /// The dialog before a deletion (KW-052).
    case asksBeforeDeleting(Tornata.ID, isConfirmed: Bool)
    /// A toggle was accepted while offline; an older entry of the same tornata went (KW-123).
    indirect case queued(
      opID: String, fratelloID: Fratello.ID, tornataID: Tornata.ID, presente: Bool,
      replacing: String?)
    /// What became of an entry (KW-126); `nil` when it was applied.
    indirect case settled(opID: String, fratelloID: Fratello.ID, conflict: RefusalKind?)
    /// A run of the synchronisation begins with so many entries, or ends with so many kept (KW-125, KW-126).
    case synchronising(fratelloID: Fratello.ID, entries: Int)
    case paused(fratelloID: Fratello.ID, kept: Int)
    /// An explicit logout threw away the queue (KW-129).
    case discarded(fratelloID: Fratello.ID, count: Int)
    /// The widget refreshes itself (KW-141).
    case widgetWakes
    indirect case widgetShows(WidgetView)
  }

  /// What the secure store holds beside the token's text (KW-110).
  public struct SecureStore: Hashable, Sendable {
    public var userID: Fratello.ID?
    public var hasToken = false
    /// When the session was last known to be good.
    public var timestamp: Instant?
    /// Who enrolled for the biometric (KW-145).
    public var enrolled: Fratello.ID?

    public init() {}
  }

  public enum StoreChange: String, Hashable, Sendable {
    case login, verified, enrolled, expired, refused, logout
  }

  /// A screen with what it is about to ask for.
  public struct Opening: Hashable, Sendable {
    public enum Page: String, Hashable, Sendable {
      case picker, dashboard, presenze, riepilogo, management
    }

    public enum Reason: String, Hashable, Sendable {
      /// Shown, or shown again: what is fresh in the cache is not asked for (KW-122).
      case shown
      case pulled
      case annoChosen
    }

    public var page: Page
    public var reason: Reason
    public var anno: Anno

    public init(_ page: Page, _ reason: Reason, anno: Anno = .absent) {
      (self.page, self.reason, self.anno) = (page, reason, anno)
    }
  }

  public static func show(_ note: Note) -> JSON {
    switch note {
    case .launched(let isOnline): ["launched": .string(isOnline ? "online" : "offline")]
    case .network(let isUp): ["network": .bool(isUp)]
    case .stored(let store, let change):
      [
        "stored": .string(change.rawValue), "user": .optional(store.userID?.description),
        "hasToken": .bool(store.hasToken), "timestamp": .optional(store.timestamp?.description),
        "enrolled": .optional(store.enrolled?.description),
      ]
    case .prompted(let isAccepted): ["prompted": .bool(isAccepted)]
    case .opens(let it):
      [
        "opens": .string(it.page.rawValue), "reason": .string(it.reason.rawValue),
        "anno": .optional(it.anno.text),
      ]
    case .shows(let screen): ["shows": .string(screen.words)]
    case .asksBeforeDeleting(let id, let isConfirmed):
      ["deleting": .number(id.number), "confirmed": .bool(isConfirmed)]
    case .queued(let id, let fratello, let tornata, let presente, let replaced):
      [
        "queued": .string(id), "fratello": .number(fratello.number),
        "tornata": .number(tornata.number),
        "presente": .bool(presente), "replacing": .optional(replaced),
      ]
    case .settled(let id, let fratello, let conflict):
      [
        "settled": .string(id), "fratello": .number(fratello.number),
        "as": .string(conflict?.rawValue ?? "applied"),
      ]
    case .synchronising(let fratello, let count):
      ["synchronising": .number(fratello.number), "entries": .number(count)]
    case .paused(let fratello, let kept):
      ["paused": .number(fratello.number), "kept": .number(kept)]
    case .discarded(let fratello, let count):
      ["discarded": .number(count), "fratello": .number(fratello.number)]
    case .widgetWakes: ["widget": "wakes"]
    case .widgetShows(let view):
      [
        "widget": .strings(view.next.map(\.id.description)), "isStale": .bool(view.isStale),
        "isPlaceholder": .bool(view.isPlaceholder),
      ]
    }
  }
}
