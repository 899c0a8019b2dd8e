import Contracts
import MimiSupplyContract
import Timekeeping

// What the market remembers beside the records: instants of commits, reservations, rounds, sums. All of it follows
// from the records' history, and inspection shows it (§11).

struct OrderState: Sendable {
  /// One product's reserved pieces.
  struct Reservation: Hashable, Sendable {
    let product: RecordName
    let quantity: Int64
  }

  enum TriggerCause: String, Sendable { case first, redispatch }

  var customer: UserName
  let partner: RecordName
  var status: OrderStatus
  var driver: RecordName?
  /// Commit times.
  let createdAt: Instant
  /// When it entered its present status.
  var enteredAt: Instant
  var assignedAt: Instant?
  var pickedUpAt: Instant?
  /// Whether it ever was `payment_confirmed`: from then on its partner sees it (§2.13).
  var wasConfirmed = false

  var reservations: [Reservation] = []
  var paidCents: Int64 = 0
  var refundedCents: Int64 = 0

  /// §6.1: t_trigger of the search that runs; `nil` before the trigger and while a driver is assigned.
  var trigger: Instant?
  var cause = TriggerCause.first
  /// Drivers asked in this round.
  var asked: Set<RecordName> = []
  /// All candidates of the round have been asked.
  var roundIsOver = false
  var attempts: Int64 = 0
  var openOffer: RecordName?
  /// The offer by which the present driver came.
  var acceptedOffer: RecordName?
  /// Every driver that was ever offered it.
  var offered: Set<RecordName> = []
  /// Before pickup: the change tag of the state without a driver that each driver was shown last.
  var shown: [RecordName: String] = [:]

  /// When the assigned driver's paid waiting began (§5.4).
  var waitingSince: Instant?
  var payCents: Int64?
  /// The customer's account is gone; the rest of what is personal goes with the terminal commit (MS-116).
  var isOrphan = false

  /// Everybody may be asked anew.
  mutating func beginRound() {
    asked = []
    roundIsOver = false
  }

  /// Begins a round anew when all candidates of the last one have been asked.
  mutating func resumeRound() {
    if roundIsOver { beginRound() }
  }

  /// Whether the search for a driver runs.
  var isWaiting: Bool { trigger != nil && driver == nil && status.isBeforePickup }
}

struct PartnerState: Sendable {
  let owner: UserName
  var point: Geography.Point
  var radiusMetres: Double
  var hours: OpeningHours?
  var minimumOrderAmount: Int64
  var isVerified: Bool
  var isActive: Bool
  var ratings: RatingSum
  var activeOrders: Set<RecordName> = []
}

struct DriverFacts: Sendable {
  let user: UserName
  var isVerified: Bool
  var isOnline: Bool
  var isAvailable: Bool
  var vehicle: String
  var rating: Double
  var completedDeliveries: Int64
  var position: Geography.Point?
  /// The position's own time.
  var positionAt: Instant?
  /// When the last position came in, late ones included.
  var heardAt: Instant?
  var lastDeliveryEnd: Instant?
  var openOffer: RecordName?
  var activeOrders: Set<RecordName> = []
  var ratings: RatingSum
}

extension DriverFacts {
  func isFresh(since oldest: Instant?) -> Bool {
    positionAt.map { at in oldest.map { at >= $0 } ?? true } ?? false
  }
}

/// A mean kept exactly (MS-80).
struct RatingSum: Hashable, Sendable {
  var sum: Int64 = 0
  var count: Int64 = 0

  init(sum: Int64 = 0, count: Int64 = 0) {
    self.sum = sum
    self.count = count
  }

  /// The sum that a shown mean stands for.
  init(mean: Double, count: Int64) {
    self.init(sum: Int64(nearest: mean * Double(count)), count: count)
  }

  mutating func add(_ stars: Int64) {
    sum = sum.plus(stars)
    count = count.plus(1)
  }

  var mean: Double { count == 0 ? 0 : Double(sum) / Double(count) }
}

struct OfferFacts: Sendable {
  let order: RecordName
  let driver: RecordName
}

/// The matcher's work (§6.1), counted and never timed.
struct DispatchWork: Hashable, Sendable {
  /// Match attempts, and the drivers whose distance was looked at.
  private(set) var searches = Searches()
  private var told = Searches()
  var offers = 0
  var assignments = 0
  /// Rounds that the timer began anew.
  var retries = 0

  mutating func attempt() { searches.attempts += 1 }

  mutating func examine(_ candidates: Int) { searches.examined += candidates }

  /// What was not told before.
  mutating func untold() -> Searches {
    defer { told = searches }
    return searches - told
  }
}

/// Names in the order in which they are served: t_trigger, then name (§6.3).
struct WaitingLine: Sendable {
  struct Place: Hashable, Comparable, Sendable {
    let trigger: Instant
    let order: RecordName

    static func < (a: Place, b: Place) -> Bool {
      a.trigger == b.trigger ? a.order < b.order : a.trigger < b.trigger
    }
  }

  private(set) var places: [Place] = []
  /// Whether a place was taken before it was or was not.
  var log = UndoLog<(place: Place, wasIn: Bool)>()

  mutating func insert(_ place: Place) {
    let index = lowerBound(place)
    if index < places.count, places[index] == place { return }
    log.note((place, false))
    places.insert(place, at: index)
  }

  mutating func remove(_ place: Place) {
    let index = lowerBound(place)
    guard index < places.count, places[index] == place else { return }
    log.note((place, true))
    places.remove(at: index)
  }

  private func lowerBound(_ place: Place) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
