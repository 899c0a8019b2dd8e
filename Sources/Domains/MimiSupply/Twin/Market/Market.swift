import Contracts
import MimiSupplyContract
import Timekeeping

/// The domain of MimiSupply: who may do what, and what follows from it. It keeps no record; the store asks it.
///
/// `refusal` and `objection` judge a change, `committed` gives what else the same commit changes, `fire` what time
/// brings. What the market knows beside the records follows from the changes it was told of.
struct Market: Sendable {
  var settings: MarketSettings
  var rules: Rules<MimiSupply.Rule>
  /// The store's commit sequence number: offers are named by it (§3.10).
  var csn = 0
  /// The latest instant that the market was told of.
  var now = Instant.distantPast

  var orders: UndoTable<RecordName, OrderState> = [:]
  var drivers: UndoTable<RecordName, DriverFacts> = [:]
  /// Driver record by user.
  var driverOfUser: UndoTable<UserName, RecordName> = [:]
  var partners: UndoTable<RecordName, PartnerState> = [:]
  /// Open offers.
  var offers: UndoTable<RecordName, OfferFacts> = [:]
  /// Products that the system switched off because their stock was used up (MS-53).
  var switchedOff: UndoSet<RecordName> = []
  var consentsWithdrawn: [UserName: Set<Consent>] = [:]
  /// Orders whose payment the stub will refuse.
  var refusedPayments: UndoSet<RecordName> = []

  var timers = Timers()
  var line = WaitingLine()
  var grid = DriverGrid()
  var work = DispatchWork()
  /// Drivers who may have become candidates in the commit that runs.
  var stirred: [RecordName] = []
  /// Orders that a direct assignment is to be tried for, in commits of their own.
  var assignable: UndoSet<RecordName> = []
  /// What the last tick matched and has not been committed yet, in the order of the line.
  var matched: [Match] = []
  var matchedAt = Instant.distantPast
  /// The last tick.
  var tickedAt = Instant.distantPast
  /// The instant of the timer that fires; `nil` in commits of requests.
  var firing: Instant?

  init(_ settings: MarketSettings, rules: Rules<MimiSupply.Rule>) {
    self.settings = settings
    self.rules = rules
  }

  /// MS-118.
  @inline(__always) func hasConsent(_ consent: Consent, of user: UserName) -> Bool {
    guard rules.binds(.ms118) else { return true }
    return consents(to: consent, user: user)
  }

  /// What the user said, whether a rule makes something follow from it or not.
  @inline(__always) func consents(to consent: Consent, user: UserName) -> Bool {
    !(consentsWithdrawn[user]?.contains(consent) ?? false)
  }

  /// §11: a scenario grants or withdraws; the schema has no field for it.
  mutating func setConsent(_ consent: Consent, of user: UserName, granted: Bool) {
    if granted {
      consentsWithdrawn[user]?.remove(consent)
    } else {
      consentsWithdrawn[user, default: []].insert(consent)
    }
    if consent == .location, let driver = driverOfUser[user] { placeInGrid(driver) }
  }

  /// The earliest instant at which `fire` has something to do; a call of it would copy the market.
  @inline(__always) var nextDue: Instant? {
    matched.isEmpty ? timers.earliest : min(matchedAt, timers.earliest ?? matchedAt)
  }
}
