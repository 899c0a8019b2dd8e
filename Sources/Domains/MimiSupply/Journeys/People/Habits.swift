import Contracts
import MimiSupplyContract
import Timekeeping

/// How the people of a city behave: the scenario's parameters, read once.
struct Habits: Sendable {
  struct Shopping: Sendable {
    let sessionsWithoutOrder: Double
    let thinking: Span
    let searches: Int
    let partnersOpened: Int
    let productsOpened: Int
    let prefetched: Int
    let favourite: Double
    let basketMedian: Double
    let basketSigma: Double
    let furtherLines: Double
    let tipNone: Double
    let tipOfSubtotal: Double
    let express: Double
    /// With the stored values of payment methods.
    let paying: [(value: String, weight: Double)]
    let paymentRefused: Double
    let cancels: Double
    let trackingEvery: Span
    let trackingShown: Span
    let openedAfterPush: Double
    let tipRaised: Double
    let instructionsChanged: Double
    let rates: Double
    /// For 1 to 5 stars.
    let stars: [Double]
    let feedback: Double
    let reorders: Double
    let feePolicy: FeePolicy
    let paysByStub: Bool
  }

  struct Selling: Sendable {
    let reaction: Span
    let reactionSigma: Double
    let declines: Double
    let noReaction: Double
    let cancelsWhilePreparing: Double
    let laterAnnounced: Double
    let preparation: [String: Span]
    let preparationSigma: Double
    let kitchenCapacity: Int
    let upkeepEvery: Span
    let pauseLasts: Span
    let stock: ClosedRange<Int>
  }

  struct Riding: Sendable {
    /// In km/h.
    let speed: [String: Double]
    let roadFactor: Double
    let trafficRush: Double
    let trafficNoon: Double
    let positionOnDelivery: Span
    let positionIdle: Span
    let positionJitter: Double
    let positionError: Double
    let breakAfter: Span
    let breakLasts: Span
    let decision: Span
    let offerLifetime: Span
    let acceptance: Double
    let acceptanceLoss: Double
    let ignores: Double
    let released: Double
    let poolLooked: Span
    let isPool: Bool
    let handover: Span
    let photoTaken: Double
    let fails: Double
  }

  struct Administrating: Sendable {
    let monitoringEvery: Span
    let corrects: Double
  }

  let shopping: Shopping
  let selling: Selling
  let riding: Riding
  let administrating: Administrating

  init(_ given: Settings) {
    shopping = Shopping(given)
    selling = Selling(given)
    riding = Riding(given)
    administrating = Administrating(
      monitoringEvery: given.span("monitoringEvery"), corrects: given.share("corrects"))
  }
}

extension Habits.Shopping {
  fileprivate init(_ given: Settings) {
    self.init(
      sessionsWithoutOrder: given.number("sessionsWithoutOrder"),
      thinking: given.span("thinking"), searches: given.count("searches"),
      partnersOpened: given.count("partnersOpened"),
      productsOpened: given.count("productsOpened"), prefetched: given.count("prefetchedPartners"),
      favourite: given.share("favourite"), basketMedian: Double(given.count("basketMedian")),
      basketSigma: given.number("basketSigma"), furtherLines: given.number("furtherLines"),
      tipNone: given.share("tipNone"), tipOfSubtotal: given.share("tipOfSubtotal"),
      express: given.share("express"),
      paying: [
        ("apple_pay", given.number("payingByWallet")),
        ("credit_card", given.number("payingByCard")),
        ("paypal", given.number("payingByPayPal")), ("cash", given.number("payingCash")),
      ],
      paymentRefused: given.share("paymentRefused"), cancels: given.share("customerCancels"),
      trackingEvery: given.span("trackingEvery"), trackingShown: given.span("trackingShown"),
      openedAfterPush: given.share("openedAfterPush"), tipRaised: given.share("tipRaised"),
      instructionsChanged: given.share("instructionsChanged"), rates: given.share("rates"),
      stars: (1...5).map { given.number("stars\($0)") }, feedback: given.share("feedback"),
      reorders: given.share("reorders"),
      feePolicy: FeePolicy(rawValue: given.choice("feePolicy"))!,
      paysByStub: given.choice("paymentMode") == "stub")
  }
}

extension Habits.Selling {
  fileprivate init(_ given: Settings) {
    var preparation: [String: Span] = [:]
    for category in Stored.partnerCategories {
      preparation[category] = given.span(CitySettings.preparationName(category))
    }
    let smallest = given.count("stockSmallest")
    self.init(
      reaction: given.span("reaction"), reactionSigma: given.number("reactionSigma"),
      declines: given.share("declines"), noReaction: given.share("noReaction"),
      cancelsWhilePreparing: given.share("cancelsWhilePreparing"),
      laterAnnounced: given.share("laterAnnounced"), preparation: preparation,
      preparationSigma: given.number("preparationSigma"),
      kitchenCapacity: given.count("kitchenCapacity"), upkeepEvery: given.span("upkeepEvery"),
      pauseLasts: given.span("pauseLasts"),
      stock: smallest...max(smallest, given.count("stockLargest")))
  }
}

extension Habits.Riding {
  fileprivate init(_ given: Settings) {
    var speed: [String: Double] = [:]
    for vehicle in Stored.vehicles {
      speed[vehicle] = given.number(CitySettings.speedName(vehicle))
    }
    self.init(
      speed: speed, roadFactor: given.number("roadFactor"),
      trafficRush: given.number("trafficRush"), trafficNoon: given.number("trafficNoon"),
      positionOnDelivery: given.span("positionOnDelivery"),
      positionIdle: given.span("positionIdle"), positionJitter: given.share("positionJitter"),
      positionError: given.number("positionError"), breakAfter: given.span("breakAfter"),
      breakLasts: given.span("breakLasts"), decision: given.span("decision"),
      offerLifetime: given.span("offerLifetime"), acceptance: given.share("acceptance"),
      acceptanceLoss: given.share("acceptanceLoss"), ignores: given.share("offersIgnored"),
      released: given.share("released"), poolLooked: given.span("poolLooked"),
      isPool: given.choice("dispatchMode") == "pool", handover: given.span("handover"),
      photoTaken: given.share("photoTaken"), fails: given.share("deliveryFails"))
  }

  /// What travel takes longer at an instant's local hour.
  func traffic(at instant: Instant) -> Double {
    switch instant.localHour.hour {
    case 7...9, 17...19: trafficRush
    case 11...14: trafficNoon
    default: 1
    }
  }

  /// How long a way on the road takes.
  ///
  /// - Parameter metres: In a straight line.
  func time(metres: Int, by vehicle: String, at instant: Instant) -> Span {
    let speed = speed[vehicle]! / 3.6
    return Span(seconds: Double(metres) * roadFactor / speed * traffic(at: instant))
  }
}
