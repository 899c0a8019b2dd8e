import Contracts
import MimiSupplyContract

/// The world of section 12: ten partners in Berlin, three drivers, two customers, an admin.
enum SampleWorld {
  private struct Shop {
    let name: String
    let category: String
    let latitude: Double
    let longitude: Double
    let radius: Double
    let minimum: Int64
    let minutes: Int64
    let hours: String
    /// Name, category, cents, stock.
    let products: [(String, String, Int64, Int64?)]
  }

  static let fixture: Fixture = {
    var fixture = Fixture()
    for (index, shop) in shops.enumerated() { add(shop, index + 1, to: &fixture) }
    for (index, driver) in drivers.enumerated() { add(driver, index + 1, to: &fixture) }
    sign("user-customer-1", "customer", [.fullName: .string("Clara Berger")], &fixture)
    sign("user-customer-2", "customer", [.fullName: .string("Max Huber")], &fixture)
    sign("user-admin", "admin", [.fullName: .string("Ada Admin")], &fixture)
    return fixture
  }()

  private static func sign(
    _ user: UserName, _ role: String, _ fields: Fields, _ fixture: inout Fixture
  ) {
    let name = user.text.dropFirst("user-".count)
    fixture.users.append(
      Fixture.User(user, appleUserID: "apple-\(name)", role: role, fields: fields))
    fixture.sessions.append(
      Fixture.Session("session-\(name)", user: user, deviceID: "device-\(name)"))
  }

  // MARK: Partners

  private static func add(_ shop: Shop, _ number: Int, to fixture: inout Fixture) {
    let user: UserName = "user-partner-\(number)"
    let partner: RecordName = "partner-\(number)"
    sign(user, "partner", [:], &fixture)
    fixture.records.append(
      Fixture.Entry(
        partner, type: .partner, creator: user,
        fields: [
          .name: .string(shop.name), .category: .string(shop.category),
          .description: .string("\(shop.name) in Berlin"),
          .street: .string("Musterstraße \(number)"), .city: .string("Berlin"),
          .state: .string("Berlin"), .postalCode: .string("10117"), .country: .string("DE"),
          .latitude: .double(shop.latitude), .longitude: .double(shop.longitude),
          .phoneNumber: .string("+49 30 55500\(number)"),
          .email: .string("\(partner)@example.com"), .isVerified: .int64(1),
          .isActive: .int64(1), .deliveryRadius: .double(shop.radius),
          .minimumOrderAmount: .int64(shop.minimum),
          .estimatedDeliveryTime: .int64(shop.minutes), .openingHours: .string(shop.hours),
        ]))
    for (index, product) in shop.products.enumerated() {
      var fields: Fields = [
        .partnerId: .name(partner), .name: .string(product.0), .description: .string(""),
        .category: .string(product.1), .priceCents: .int64(product.2), .isAvailable: .int64(1),
      ]
      fields[.stockQuantity] = product.3.map { .int64($0) }
      fixture.records.append(
        Fixture.Entry(
          "product-\(number)-\(index + 1)", type: .product, creator: user, fields: fields))
    }
  }

  /// `Mo–Th 07:00–23:00` and the like, days counted from Monday.
  private static func hours(_ spans: [(ClosedRange<Int>, String, String)]) -> String {
    let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    var week = JSONObject()
    for (range, open, close) in spans {
      for day in range {
        week[days[day]] = [
          "isOpen": true, "openTime": .string(open), "closeTime": .string(close),
        ]
      }
    }
    for day in days where week[day] == nil { week[day] = ["isOpen": false] }
    return JSON.object(week).description
  }

  private static let early = hours([
    (0...3, "07:00", "23:00"), (4...5, "07:00", "01:00"), (6...6, "09:00", "23:00"),
  ])

  private static let shops = [
    Shop(
      name: "Gasthaus Linden", category: "restaurant", latitude: 52.5170, longitude: 13.3888,
      radius: 3, minimum: 500, minutes: 15, hours: early,
      products: [
        ("Currywurst", "food", 650, nil), ("Schnitzel", "food", 1490, nil),
        ("Apfelschorle", "beverages", 290, nil),
      ]),
    Shop(
      name: "Pizzeria Alex", category: "restaurant", latitude: 52.5214, longitude: 13.4132,
      radius: 4, minimum: 600, minutes: 20,
      hours: hours([
        (0...3, "06:00", "24:00"), (4...5, "06:00", "02:00"), (6...6, "08:00", "24:00"),
      ]),
      products: [
        ("Pizza Margherita", "food", 890, nil), ("Pizza Salami", "food", 1050, nil),
        ("Wasser", "beverages", 200, nil),
      ]),
    Shop(
      name: "Burger Kiez", category: "restaurant", latitude: 52.5065, longitude: 13.4493,
      radius: 5, minimum: 800, minutes: 25,
      hours: hours([
        (0...2, "11:00", "24:00"), (3...3, "11:00", "02:00"), (4...5, "11:00", "03:00"),
        (6...6, "12:00", "24:00"),
      ]),
      products: [("Burger", "food", 1190, nil), ("Pommes", "food", 390, nil)]),
    Shop(
      name: "Markt am Platz", category: "grocery", latitude: 52.5219, longitude: 13.4132,
      radius: 6, minimum: 1500, minutes: 45, hours: hours([(0...5, "07:00", "22:00")]),
      products: [
        ("Milch", "food", 129, nil), ("Brötchen", "food", 79, nil), ("Kaffee", "food", 749, nil),
        ("Spülmittel", "household", 199, nil),
      ]),
    Shop(
      name: "Bioladen Nord", category: "grocery", latitude: 52.5311, longitude: 13.4104,
      radius: 4.5, minimum: 2000, minutes: 50,
      hours: hours([(0...4, "08:00", "20:00"), (5...5, "08:00", "18:00")]),
      products: [("Äpfel", "food", 399, nil), ("Käse", "food", 649, nil)]),
    Shop(
      name: "Apotheke Mitte", category: "pharmacy", latitude: 52.5170, longitude: 13.3888,
      radius: 8, minimum: 1000, minutes: 30,
      hours: hours([
        (0...4, "08:00", "20:00"), (5...5, "09:00", "18:00"), (6...6, "10:00", "16:00"),
      ]),
      products: [
        ("Ibuprofen", "medicine", 549, 30), ("Pflaster", "healthcare", 299, 12),
        ("Thermometer", "healthcare", 1290, 5),
      ]),
    Shop(
      name: "Technik Alex", category: "electronics", latitude: 52.5214, longitude: 13.4132,
      radius: 10, minimum: 5000, minutes: 60, hours: hours([(0...5, "10:00", "20:00")]),
      products: [
        ("Kopfhörer", "electronics", 7900, 10), ("Telefon", "electronics", 94_900, 5),
        ("Ladekabel", "electronics", 1499, 30),
      ]),
    Shop(
      name: "Bäckerei Korn", category: "bakery", latitude: 52.5205, longitude: 13.4095,
      radius: 2.5, minimum: 300, minutes: 25, hours: early,
      products: [("Brot", "food", 420, nil), ("Croissant", "food", 180, nil)]),
    Shop(
      name: "Kaffee Spree", category: "coffee", latitude: 52.5185, longitude: 13.3911,
      radius: 2, minimum: 200, minutes: 20, hours: early,
      products: [("Espresso", "beverages", 240, nil), ("Cappuccino", "beverages", 340, nil)]),
    Shop(
      name: "Blumen Rosa", category: "flowers", latitude: 52.5303, longitude: 13.4001,
      radius: 4, minimum: 500, minutes: 40, hours: early,
      products: [("Tulpen", "homeAndGarden", 990, nil), ("Rosen", "homeAndGarden", 2490, nil)]),
  ]

  // MARK: Drivers

  private typealias Rider = (
    name: String, vehicle: String, rating: Double, deliveries: Int64, isAvailable: Bool
  )

  private static let drivers: [Rider] = [
    ("Rita Rad", "bicycle", 4.8, 247, true), ("Rolf Roller", "scooter", 4.9, 189, true),
    ("Anna Auto", "car", 4.7, 312, false),
  ]

  private static func add(_ driver: Rider, _ number: Int, to fixture: inout Fixture) {
    let user: UserName = "user-driver-\(number)"
    sign(user, "driver", [.fullName: .string(driver.name)], &fixture)
    fixture.records.append(
      Fixture.Entry(
        "driver-\(number)", type: .driver, creator: user,
        fields: [
          .userId: .name(user), .name: .string(driver.name),
          .phoneNumber: .string("+49 170 55500\(number)"),
          .vehicleType: .string(driver.vehicle), .licensePlate: .string("B-MS \(100 + number)"),
          .isOnline: .int64(1),
          .isAvailable: .int64(driver.isAvailable ? 1 : 0),
          .currentLatitude: .double(52.52), .currentLongitude: .double(13.405),
          .rating: .double(driver.rating), .completedDeliveries: .int64(driver.deliveries),
          .verificationStatus: .string("verified"),
        ]))
  }
}
