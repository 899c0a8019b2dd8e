import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

extension Register {
  /// Sets it and forgets what no request can meet that is still judged.
  mutating func note(_ value: Value, during: ClosedRange<Instant>, isCertain: Bool = true) {
    set(value, during: during, isCertain: isCertain)
    forget(before: during.lowerBound - .minutes(2))
  }
}

/// What a partner's record says that orders depend on (§4.4).
struct PartnerTerms: Equatable, Sendable {
  var exists = true
  var isActive: Bool
  var isVerified: Bool
  var minimum: Int64
  /// In metres.
  var radius: Double
  var point: Geography.Point
  var hours: OpeningHours?

  init?(_ fields: Fields) {
    guard case .int64(let active)? = fields[.isActive],
      case .int64(let verified)? = fields[.isVerified],
      let minimum = fields[Partner.minimumOrderAmount],
      let radius = fields[Partner.deliveryRadius], let north = fields[Partner.latitude],
      let east = fields[Partner.longitude], let hours = fields[Partner.openingHours]
    else { return nil }
    isActive = active == 1
    isVerified = verified == 1
    self.minimum = minimum
    // A decimal number of kilometres is no exact double: whole millimetres are meant.
    self.radius = (radius * 1_000_000).rounded() / 1_000
    point = Geography.Point(north, east)
    guard point.isOnEarth else { return nil }
    self.hours = OpeningHours(parsing: hours)
  }
}

/// What is certain about one partner.
struct PartnerFacts: Sendable {
  let owner: UserName
  /// The rating and the reviews with which it began.
  let reviews: Reviews

  struct Reviews: Sendable {
    let rating: Double
    let count: Int64
    var sum: Int64 { Int64(nearest: rating * Double(count)) }
  }
  var terms = Register<PartnerTerms>()
}

/// What a product's record says that orders depend on, but for its stock.
struct ProductTerms: Equatable, Sendable {
  var exists = true
  var price: Int64
  var partner: RecordName

  init?(_ fields: Fields) {
    guard let price = fields[Product.priceCents], let partner = fields[Product.partner] else {
      return nil
    }
    self.price = price
    self.partner = partner
  }
}

/// What is certain about one product.
final class ProductFacts {
  var terms = Register<ProductTerms>()
  /// All fields, as somebody wrote them; the system writes others where the stock is finite.
  private(set) var fields = Register<Fields>()
  /// As its partner set it; the system switches it off and on beside that.
  var isAvailable = Register<Bool>()
  /// Whether nobody but the system has changed availability or stock since it was loaded or created.
  var isUntouched = true
  /// Whether its stock was ever finite.
  private(set) var wasFinite = false
  /// `nil` while the stock is unlimited.
  var stock: StockLedger?
  /// When its partner switched it off while there were pieces, and wrote neither switch nor stock since.
  private var ownSwitch: ClosedRange<Instant>?
  /// The stock with which it was loaded, while nobody wrote it.
  var initial: Int64?
  /// The last version that a lookup showed.
  var shown: (tag: String, isAvailable: Bool, stock: Int64?)?

  init(_ fields: Fields, during: ClosedRange<Instant>) {
    if let terms = ProductTerms(fields) { self.terms.note(terms, during: during) }
    self.fields.note(fields, during: during)
    if case .int64(let flag)? = fields[.isAvailable] {
      isAvailable.note(flag == 1, during: during)
    }
    initial = Self.finite(fields[.stockQuantity])
    stock = initial.map { StockLedger($0, during: during) }
    wasFinite = stock != nil
  }

  /// How it began was not seen, and so what was sold of it since is not known either.
  func beganUnseen() {
    initial = nil
    stock?.lose()
  }

  /// Absent or −1 is unlimited (MS-54).
  static func finite(_ value: FieldValue?) -> Int64? {
    guard case .int64(let pieces)? = value, pieces >= 0 else { return nil }
    return pieces
  }

  /// Whether its partner switched it off and nobody switched it since; `nil` when that is not certain.
  func switchedOff(before instant: Instant) -> Bool? {
    guard let own = ownSwitch, own.upperBound < instant else { return nil }
    return true
  }

  /// Takes note of a write of the partner's or of an admin.
  func wrote(
    _ draft: RecordDraft, _ fate: Fate, during: ClosedRange<Instant>
  ) {
    guard fate.isPossible else { return }
    let namesStock = draft.fields[.stockQuantity] != nil
    let namesFlag = draft.fields[.isAvailable] != nil
    if namesStock || namesFlag {
      isUntouched = false
      ownSwitch = nil
    }
    if case .done(let record) = fate, namesFlag, !record[Product.isAvailable], let shown,
      shown.tag == draft.changeTag, shown.isAvailable, shown.stock.map({ $0 > 0 }) == true
    {
      ownSwitch = during
    }
    switch fate {
    case .done(let record):
      if let terms = ProductTerms(record.fields) { self.terms.note(terms, during: during) }
      fields.note(record.fields, during: during)
      if namesFlag { isAvailable.note(record[Product.isAvailable], during: during) }
      if namesStock {
        initial = nil
        let pieces = Self.finite(record.fields[.stockQuantity])
        if let pieces {
          wasFinite = true
          if stock == nil {
            stock = StockLedger(pieces, during: during)
          } else {
            stock!.set(pieces, during: during)
          }
        } else {
          stock?.lose()
        }
      }
    case .deleted:
      guard var gone = terms.latest else { return }
      gone.exists = false
      terms.note(gone, during: during)
      fields.note([:], during: during)
    case .unknown:
      fields = Register()
      if var maybe = terms.latest {
        if let price = draft[Product.priceCents] { maybe.price = price }
        terms.note(maybe, during: during, isCertain: false)
      }
      if namesFlag, let flag = draft.fields[.isAvailable] {
        isAvailable.note(flag == .int64(1), during: during, isCertain: false)
      }
      if namesStock {
        initial = nil
        wasFinite = true
        stock = stock ?? StockLedger(0, during: during)
        stock!.lose()
      }
    case .refused: break
    }
  }
}
