import Contracts
import MimiSupplyContract
import Timekeeping

/// A partner before the run: where, what, when and at what prices it sells (§5.6).
struct PartnerSeed: Sendable {
  struct Item: Sendable {
    let name: RecordName
    let fields: Fields
  }

  /// The record: `partner-3`; also the person.
  let name: RecordName
  let category: String
  let point: Geography.Point
  let radiusKm: Double
  let hours: WeekPlan
  let fields: Fields
  let products: [Item]
  /// Registers during the run.
  let isNewcomer: Bool

  var user: UserName { "user-\(name)" }

  init(number: Int, plan: CityPlan) {
    name = "partner-\(number)"
    var stream = plan.stream(name.text, Shaping.settling.rawValue)
    category = stream.choose(Self.categories)
    point = stream.point(
      within: plan.population.number("cityRadius") * 1_000, of: City.centre)
    let smallest = plan.parameters.number("radiusSmallest")
    let largest = max(smallest, plan.parameters.number("radiusLargest"))
    radiusKm = (smallest + (largest - smallest) * stream.unit()).rounded(decimals: 1)
    hours = WeekPlan(of: category)
    isNewcomer = stream.chance(plan.population.share("newcomers"))
    let title = "\(Self.titles[category]!) \(number)"
    fields = [
      .name: .string(title), .category: .string(category),
      .description: .string("\(title) in Berlin"), .street: .string("Musterstraße \(number)"),
      .city: .string("Berlin"), .state: .string("Berlin"), .postalCode: .string("10117"),
      .country: .string("DE"), .latitude: .double(point.latitude),
      .longitude: .double(point.longitude), .phoneNumber: .string("+49 30 5550\(number)"),
      .email: .string("\(name)@example.com"), .deliveryRadius: .double(radiusKm),
      .minimumOrderAmount: .int64(Self.minimum(&stream)),
      .estimatedDeliveryTime: .int64(Int64(stream.pick(15..<60))),
      .openingHours: .string(hours.document.description),
    ]
    let catalogue = Catalogue(plan)
    products = (1...plan.population.count("productsPerPartner")).map { index in
      Item(
        name: "\(plan.productName(of: number, index))",
        fields: catalogue.product(index, of: "partner-\(number)", selling: title, &stream))
    }
  }

  /// 200–5 000 cent, typically 1 000–1 500 (§5.6), in steps of half an euro.
  private static func minimum(_ stream: inout RandomStream) -> Int64 {
    let range: Range<Int> =
      switch stream.pick(weights: [0.15, 0.75, 0.1]) {
      case 0: 4..<20
      case 1: 20..<31
      default: 31..<101
      }
    return Int64(stream.pick(range)) * 50
  }

  /// Mix of the demo data, thinned out towards what is ordered seldom; an assumption of this rehearsal.
  private static let categories: [(value: String, weight: Double)] = [
    ("restaurant", 50), ("grocery", 14), ("pharmacy", 6), ("retail", 4), ("convenience", 6),
    ("bakery", 7), ("coffee", 5), ("alcohol", 3), ("flowers", 3), ("electronics", 2),
  ]

  private static let titles = [
    "restaurant": "Gasthaus", "grocery": "Markt", "pharmacy": "Apotheke", "retail": "Kaufhaus",
    "convenience": "Späti", "bakery": "Bäckerei", "coffee": "Kaffeehaus", "alcohol": "Weinhandel",
    "flowers": "Blumen", "electronics": "Technik",
  ]
}

extension CityPlan {
  /// `partner-3-product-7`.
  func productName(of partner: Int, _ index: Int) -> String {
    "partner-\(partner)-product-\(index)"
  }
}

/// What a partner sells (§5.6, Catalogue).
struct Catalogue {
  private let median: Double
  private let sigma: Double
  private let unavailable: Double
  private let finite: Double
  private let stock: ClosedRange<Int>

  init(_ plan: CityPlan) {
    median = Double(plan.parameters.count("priceMedian"))
    sigma = plan.parameters.number("priceSigma")
    unavailable = plan.parameters.share("productsUnavailable")
    finite = plan.parameters.share("productsWithStock")
    let smallest = plan.parameters.count("stockSmallest")
    stock = smallest...max(smallest, plan.parameters.count("stockLargest"))
  }

  func product(
    _ index: Int, of partner: RecordName, selling title: String, _ stream: inout RandomStream
  ) -> Fields {
    let cents = stream.lognormal(median: median, sigma: sigma).rounded()
    var fields: Fields = [
      .partnerId: .name(partner), .name: .string("\(title), Nr. \(index)"),
      .description: .string(""), .category: .string(index % 5 == 0 ? "beverages" : "food"),
      .priceCents: .int64(Int64(min(max(50, cents), 100_000))),
      .isAvailable: .int64(stream.chance(unavailable) ? 0 : 1),
    ]
    if stream.chance(finite) {
      fields[.stockQuantity] = .int64(Int64(stream.pick(stock.lowerBound..<stock.upperBound + 1)))
    }
    return fields
  }
}
