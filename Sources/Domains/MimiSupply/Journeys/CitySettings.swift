import Contracts
import MimiSupplyContract
import Timekeeping

/// What a scenario may say about the city and its people; the defaults are the specification's §5.6.
public enum CitySettings {
  static let assumption = "§5.6, assumption"
  static let ours = "assumption of this rehearsal"
  static let whole = 0.0...1
  static let anySpan = Span.milliseconds(1) ... .days(30)

  public static let population: [Setting] = [
    Setting(
      "customers", .count(0...1_000_000), .count(100),
      "customers, divided over the world's regions; each region is one city",
      source: "§5.6, scenario input"),
    Setting(
      "partners", .count(0...100_000), .count(8), "partners, divided over the regions",
      source: "§5.6, scenario input"),
    Setting(
      "drivers", .count(0...100_000), .count(8), "drivers, divided over the regions",
      source: "§5.6, scenario input"),
    Setting(
      "admins", .count(0...1_000), .count(1), "admins of each city",
      source: "§5.6, scenario input"),
    Setting(
      "ordersPerDay", .number(0...100), .number(0.2),
      "orders that a customer means to place on a day of weekday factor 1",
      source: "§5.6, scenario input"),
    Setting(
      "newcomers", .share(whole), .share(0.05),
      "partners and drivers who register during the run instead of before it", source: ours),
    Setting(
      "signInAtCheckout", .share(whole), .share(0.1),
      "customers who sign in for the first time at their first checkout", source: ours),
    Setting(
      "productsPerPartner", .count(1...500), .count(40), "products of a partner",
      source: assumption),
    Setting(
      "commuters", .count(0...10_000), .count(0),
      "people of each city who try the app where the network comes and goes", source: ours),
    Setting(
      "attackers", .count(0...1_000), .count(0),
      "clients of each city that attack the limit on requests", source: "§7.6, scenario input"),
    Setting(
      "cityRadius", .number(0.5...50), .number(6),
      "kilometres from the centre within which partners and drivers live", source: ours),
  ]

  public static let parameters: [Setting] =
    browsing + baskets + ordering + tracking + kitchens + riding + deciding + administrating
    + network + AppSettings.declared + MimiSupply.Deployment.parameters

  private static let network: [Setting] = [
    Setting(
      "requestLost", .share(whole), .share(0), "requests that never arrive", source: ours,
      tie: .share(of: "losses")),
    Setting(
      "answerLost", .share(whole), .share(0), "answers that never arrive", source: ours,
      tie: .share(of: "losses")),
  ]

  /// Where the 95th percentile of a log-normal with a sigma lies, over its median.
  static func tail(sigma: Double) -> Double { Elementary.exp(1.6448536269514722 * sigma) }
}

// MARK: Customers

extension CitySettings {
  private static let browsing: [Setting] = [
    Setting(
      "sessionsWithoutOrder", .number(0...100), .number(3), "sessions without order per order",
      source: assumption),
    Setting(
      "thinking", .span(anySpan), .span(.seconds(6)),
      "median time between the requests of a session; log-normal with sigma 0.7",
      source: assumption),
    Setting(
      "searches", .count(0...20), .count(2),
      "most queries by category or text in a session; uniform from 0", source: assumption),
    Setting(
      "partnersOpened", .count(1...20), .count(4),
      "most partners whose products a session shows; uniform from 1", source: assumption),
    Setting(
      "productsOpened", .count(1...20), .count(3),
      "most products that a session opens; uniform from 1", source: assumption),
    Setting(
      "prefetchedPartners", .count(0...20), .count(3),
      "partners of a list whose products the app fetches ahead", source: "MS-126, assumption"),
    Setting(
      "favourite", .share(whole), .share(0.5), "orders at the customer's usual partner",
      source: ours),
    Setting(
      "distanceShape", .number(0.1...20), .number(2.3),
      "shape of the gamma distribution of a customer's distance to the usual partner",
      source: assumption),
    Setting(
      "distanceScale", .number(0.01...20), .number(1),
      "its scale in km; cut at the partner's radius", source: "§5.6, white paper: mean 2.3 km"),
  ]

  private static let baskets: [Setting] = [
    Setting(
      "basketMedian", .count(1...1_000_000), .count(2_120), "median value of a basket in cent",
      source: "§5.6, white paper: mean 23.50 €"),
    Setting(
      "basketSigma", .number(0...3), .number(0.45), "sigma of its logarithm", source: assumption),
    Setting(
      "furtherLines", .number(0...19), .number(1.8),
      "mean lines of an order beyond the first; Poisson, at most 20 in all", source: assumption),
    Setting(
      "priceMedian", .count(1...1_000_000), .count(650), "median price of a product in cent",
      source: assumption),
    Setting(
      "priceSigma", .number(0...3), .number(0.8), "sigma of its logarithm", source: assumption),
    Setting(
      "productsUnavailable", .share(whole), .share(0.05), "products that are switched off",
      source: assumption),
    Setting(
      "productsWithStock", .share(whole), .share(0.3), "products with a finite stock",
      source: assumption),
    Setting(
      "stockSmallest", .count(1...100_000), .count(5), "smallest finite stock",
      source: assumption, tie: .atMost("stockLargest")),
    Setting(
      "stockLargest", .count(1...100_000), .count(50), "largest finite stock", source: assumption),
  ]

  private static let ordering: [Setting] = [
    Setting(
      "tipNone", .share(whole), .share(0.35), "orders without a tip",
      source: "§5.6, FAQ", tie: .share(of: "tips")),
    Setting(
      "tipOfSubtotal", .share(whole), .share(0.4),
      "orders with a tip of 10–15 % of the subtotal; the rest tips 100–300 cent",
      source: "§5.6, FAQ", tie: .share(of: "tips")),
    Setting(
      "express", .share(whole), .share(0.1), "express orders, in rush hours alone",
      source: "§5.6, assumption, FAQ"),
    Setting(
      "payingByWallet", .number(0...100), .number(55), "weight of wallets among payments",
      source: assumption, tie: .weight(of: "payments")),
    Setting(
      "payingByCard", .number(0...100), .number(25), "weight of credit cards",
      source: assumption, tie: .weight(of: "payments")),
    Setting(
      "payingByPayPal", .number(0...100), .number(12), "weight of PayPal", source: assumption,
      tie: .weight(of: "payments")),
    Setting(
      "payingCash", .number(0...100), .number(8), "weight of cash", source: assumption,
      tie: .weight(of: "payments")),
    Setting(
      "paymentRefused", .share(whole), .share(0.02), "payments that are refused",
      source: "§5.6, 06_Test_QA_Dokumentation.md"),
    Setting(
      "customerCancels", .share(whole), .share(0.02),
      "orders that the customer wants to cancel within four minutes", source: assumption),
  ]

  private static let tracking: [Setting] =
    [
      Setting(
        "trackingEvery", .span(anySpan), .span(.seconds(10)),
        "time between two looks of the open tracking screen",
        source: "§5.2, OrderTrackingView.swift"),
      Setting(
        "trackingShown", .span(anySpan), .span(.seconds(40)),
        "median time for which the tracking screen stays open after a push; log-normal with sigma 0.7",
        source: ours),
      Setting(
        "openedAfterPush", .share(whole), .share(0.5), "pushes that open the tracking screen",
        source: ours),
      Setting(
        "tipRaised", .share(whole), .share(0.03), "orders whose tip is raised on the way",
        source: ours),
      Setting(
        "instructionsChanged", .share(whole), .share(0.05),
        "orders whose instructions are changed before pickup", source: ours),
      Setting(
        "rates", .share(whole), .share(0.6), "delivered orders that are rated", source: assumption),
      Setting(
        "feedback", .share(whole), .share(0.2), "ratings with a text", source: ours),
      Setting(
        "reorders", .share(whole), .share(0.3), "cancelled or failed orders that are tried again",
        source: ours),
    ]
    + zip(1...5, [3.0, 3, 8, 24, 62]).map { stars, weight in
      Setting(
        "stars\(stars)", .number(0...100), .number(weight), "weight of \(stars) among the ratings",
        source: assumption, tie: .weight(of: "ratings"))
    }
}

// MARK: Partners

extension CitySettings {
  /// Median preparation times in minutes, by category.
  private static let preparation: [(category: String, minutes: Int64)] = [
    ("restaurant", 12), ("grocery", 10), ("pharmacy", 6), ("retail", 8), ("convenience", 6),
    ("bakery", 5), ("coffee", 5), ("alcohol", 6), ("flowers", 15), ("electronics", 8),
  ]

  static func preparationName(_ category: String) -> String {
    "preparation" + category.prefix(1).uppercased() + category.dropFirst()
  }

  private static let kitchens: [Setting] =
    [
      Setting(
        "radiusSmallest", .number(0.1...50), .number(2), "smallest delivery radius in km",
        source: "§5.6, demo data, handbook", tie: .atMost("radiusLargest")),
      Setting(
        "radiusLargest", .number(0.1...50), .number(10), "largest delivery radius in km",
        source: "§5.6, demo data, handbook"),
      Setting(
        "reaction", .span(anySpan), .span(.seconds(25)),
        "median time until a partner decides about an order", source: assumption),
      Setting(
        "reactionSigma", .number(0...3), .number(0.8), "sigma of its logarithm", source: assumption),
      Setting(
        "declines", .share(whole), .share(0.02), "orders that a partner declines",
        source: assumption),
      Setting(
        "noReaction", .share(whole), .share(0.01), "orders that a partner overlooks",
        source: assumption),
      Setting(
        "cancelsWhilePreparing", .share(whole), .share(0.003),
        "orders that a partner cancels while they are prepared", source: ours),
      Setting(
        "laterAnnounced", .share(whole), .share(0.1),
        "accepted orders for which the partner announces a later delivery", source: ours),
      Setting(
        "preparationSigma", .number(0...3), .number(0.35),
        "sigma of the logarithm of preparation times, which are cut to 5–60 min",
        source: assumption),
      Setting(
        "kitchenCapacity", .count(1...1_000), .count(6), "orders in preparation at once",
        source: assumption),
      Setting(
        "upkeepEvery", .span(anySpan), .span(.minutes(45)),
        "mean time between two changes of a partner's catalogue; exponential", source: ours),
      Setting(
        "pauseLasts", .span(anySpan), .span(.minutes(12)),
        "how long a partner takes no orders because of overload", source: ours),
    ]
    + preparation.map {
      Setting(
        preparationName($0.category), .span(anySpan), .span(.minutes($0.minutes)),
        "median preparation time: \($0.category)",
        source: "§5.6, range from client settings, medians assumption")
    }
}

// MARK: Drivers

extension CitySettings {
  static func vehicleName(_ vehicle: String) -> String { "riding" + capitalised(vehicle) }
  static func speedName(_ vehicle: String) -> String { "speed" + capitalised(vehicle) }

  private static func capitalised(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  /// Weight in the mix and speed in km/h.
  private static let vehicles: [(name: String, weight: Double, speed: Double)] = [
    ("bicycle", 55, 15), ("scooter", 20, 22), ("motorcycle", 5, 28), ("car", 15, 24),
    ("van", 5, 20),
  ]

  private static let riding: [Setting] =
    vehicles.flatMap { vehicle in
      [
        Setting(
          vehicleName(vehicle.name), .number(0...100), .number(vehicle.weight),
          "weight of \(vehicle.name) in the vehicle mix", source: assumption,
          tie: .weight(of: "vehicles")),
        Setting(
          speedName(vehicle.name), .number(1...200), .number(vehicle.speed),
          "km/h on the road: \(vehicle.name)", source: assumption),
      ]
    } + [
      Setting(
        "roadFactor", .number(1...5), .number(1.3), "road over straight distance",
        source: assumption),
      Setting(
        "trafficRush", .number(1...5), .number(1.5),
        "factor on travel time in the local hours 7–9 and 17–19", source: "§5.6, test code"),
      Setting(
        "trafficNoon", .number(1...5), .number(1.2),
        "factor on travel time in the local hours 11–14", source: "§5.6, test code"),
      Setting(
        "positionOnDelivery", .span(anySpan), .span(.seconds(10)),
        "time between two positions on delivery", source: "MS-74, requirements"),
      Setting(
        "positionIdle", .span(anySpan), .span(.seconds(30)),
        "time between two positions while waiting for orders", source: "§5.6, dashboard"),
      Setting(
        "positionJitter", .share(0...0.9), .share(0.1), "most by which these times vary",
        source: assumption),
      Setting(
        "positionError", .number(0...10_000), .number(8),
        "metres of error of a position; half-normal", source: assumption),
      Setting(
        "worksPerDay", .share(whole), .share(0.7), "days on which a driver works", source: ours),
      Setting(
        "ownHours", .share(whole), .share(0.3),
        "shifts of four hours at a time of the driver's own instead of a documented shift",
        source: ours),
      Setting(
        "breakAfter", .span(anySpan), .span(.hours(4)), "time online after which a driver rests",
        source: "§5.4, reminder after 4 h"),
      Setting("breakLasts", .span(anySpan), .span(.minutes(20)), "length of a break", source: ours),
    ]

  private static let deciding: [Setting] = [
    Setting(
      "decision", .span(anySpan), .span(.seconds(8)),
      "median time until a driver answers an offer; log-normal with sigma 0.6",
      source: assumption),
    Setting(
      "acceptance", .share(whole), .share(0.85), "offers that a driver accepts",
      source: assumption),
    Setting(
      "acceptanceLoss", .share(whole), .share(0.05),
      "what acceptance loses for each km to the partner beyond 3", source: assumption),
    Setting(
      "offersIgnored", .share(whole), .share(0.05), "offers to which a driver does not react",
      source: assumption),
    Setting(
      "released", .share(whole), .share(0.01),
      "orders that a driver gives back before pickup", source: ours),
    Setting(
      "poolLooked", .span(anySpan), .span(.seconds(15)),
      "mean time between two looks of an idle driver at the job pool (mode pool)", source: ours),
    Setting(
      "handover", .span(anySpan), .span(.seconds(60)),
      "median time of a handover; log-normal with sigma 0.5", source: assumption),
    Setting(
      "photoTaken", .share(whole), .share(0.7), "deliveries with a photo of 200–800 KB",
      source: assumption),
    Setting(
      "deliveryFails", .share(whole), .share(0.005), "deliveries that fail at the door",
      source: assumption),
  ]

  private static let administrating: [Setting] = [
    Setting(
      "monitoringEvery", .span(anySpan), .span(.minutes(10)),
      "mean time between two rounds of an admin; exponential", source: ours),
    Setting(
      "corrects", .share(whole), .share(0.2),
      "rounds in which an admin ends an order that has waited for a driver for 20 minutes",
      source: ours),
    Setting(
      "mischiefEvery", .span(.seconds(1) ... .days(30)), .span(.minutes(10)),
      "mean time between two acts of an adversary", source: ours),
  ]
}
