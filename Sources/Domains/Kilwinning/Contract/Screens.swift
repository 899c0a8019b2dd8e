import Contracts
import Timekeeping

extension Kilwinning {
  /// What a device shows, as far as rules speak of it.
  public enum Screen: Hashable, Sendable {
    case picker([PickerRow])
    case dashboard(DashboardView)
    case presenze(PresenzeView)
    case riepilogo(Anno, [RiepilogoView])
    case management(Anno, [Card])
    /// Offline and nothing in the cache: an error with a way to retry (KW-122).
    case nothing(Opening.Page, Anno)
  }

  /// A fratello in the login list (KW-116).
  public struct PickerRow: Hashable, Sendable {
    public var id: Fratello.ID
    public var icon: String

    public init(_ id: Fratello.ID, icon: String) { (self.id, self.icon) = (id, icon) }
  }

  /// KW-026, KW-118, KW-121.
  public struct DashboardView: Hashable, Sendable {
    public enum Tile: String, Hashable, Sendable, CaseIterable {
      case presenze, tornate, riepilogo, gestione
    }

    public var nome: String
    public var grado: Fratello.Grado
    public var hasAdminBadge: Bool
    public var tiles: [Tile]
    public var next: [Card]
    /// `nil` where they are not known.
    public var statistics: StatisticsCard?
    /// When what is shown was loaded, on a device without network (KW-122).
    public var staleSince: Instant?

    public init(
      nome: String, grado: Fratello.Grado, hasAdminBadge: Bool, tiles: [Tile], next: [Card],
      statistics: StatisticsCard?, staleSince: Instant? = nil
    ) {
      (self.nome, self.grado, self.hasAdminBadge) = (nome, grado, hasAdminBadge)
      (self.tiles, self.next, self.statistics) = (tiles, next, statistics)
      self.staleSince = staleSince
    }
  }

  /// KW-121.
  public struct PresenzeView: Hashable, Sendable {
    public struct Row: Hashable, Sendable {
      public var card: Card
      public var isOn: Bool

      public init(_ card: Card, isOn: Bool) { (self.card, self.isOn) = (card, isOn) }
    }

    public var anno: Anno
    public var rows: [Row]
    public var header: StatisticsCard?
    public var staleSince: Instant?

    public init(anno: Anno, rows: [Row], header: StatisticsCard?, staleSince: Instant? = nil) {
      (self.anno, self.rows, self.header) = (anno, rows, header)
      self.staleSince = staleSince
    }
  }

  /// A row of the riepilogo (KW-097).
  public struct RiepilogoView: Hashable, Sendable {
    public var nome: String
    public var badge: String
    public var colour: Badges.Colour
    public var percentuale: Int
    /// Presenze, a slash, and the tornate that there were.
    public var counter: String

    public init(
      nome: String, badge: String, colour: Badges.Colour, percentuale: Int, counter: String
    ) {
      (self.nome, self.badge, self.colour) = (nome, badge, colour)
      (self.percentuale, self.counter) = (percentuale, counter)
    }
  }

  /// A tornata (KW-098, KW-101).
  public struct Card: Hashable, Sendable {
    public var id: Tornata.ID
    public var data: Instant
    public var badge: Badges.Colour
    public var discussione: String
    public var location: String
    public var hasDinnerMark: Bool
    /// Whether it has the controls to edit and delete it.
    public var isEditable: Bool

    public init(_ tornata: Tornata, isEditable: Bool = false) {
      (id, data, discussione) = (tornata.id, tornata.data, tornata.discussione)
      (location, hasDinnerMark) = (tornata.location, tornata.cena)
      badge = Badges.colour(ofState: tornata.stato.rawValue)
      self.isEditable = isEditable
    }
  }

  /// KW-091, KW-098, KW-101.
  public struct StatisticsCard: Hashable, Sendable {
    public var total: Int
    public var presences: Int
    /// Of the dashboard, rounded; of the presenze screen as the backend says it.
    public var percentage: String
    /// The flame with its number; none at 0.
    public var streak: String?

    public init(total: Int, presences: Int, percentage: String, streak: String?) {
      (self.total, self.presences) = (total, presences)
      (self.percentage, self.streak) = (percentage, streak)
    }
  }

  /// KW-140, KW-143.
  public struct WidgetView: Hashable, Sendable {
    public var next: [Card]
    public var isStale: Bool
    /// Nobody is logged in.
    public var isPlaceholder: Bool
    /// When it means to refresh itself next (KW-141).
    public var refreshesAt: Instant?

    public init(
      next: [Card], isStale: Bool = false, isPlaceholder: Bool = false, refreshesAt: Instant? = nil
    ) {
      (self.next, self.isStale, self.isPlaceholder) = (next, isStale, isPlaceholder)
      self.refreshesAt = refreshesAt
    }
  }
}

extension Kilwinning.Screen {
  var words: String {
    switch self {
    case .picker(let rows): "\(rows.count) fratelli"
    case .dashboard(let it):
      "dashboard of \(it.nome), next \(it.next.map(\.id)), \(it.statistics?.percentage ?? "-")"
    case .presenze(let it): "\(it.rows.count) presenze, \(it.header?.percentage ?? "-")"
    case .riepilogo(_, let rows): "riepilogo of \(rows.count)"
    case .management(_, let cards): "management of \(cards.count) tornate"
    case .nothing(let page, _): "nothing for \(page.rawValue)"
    }
  }
}
