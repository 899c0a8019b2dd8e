import MimiSupplyContract
import Timekeeping

/// What a customer has chosen at one partner (§5.2): it lives on the phone and makes no request.
struct Cart {
  let partner: CloudRecord
  private(set) var lines: [NewOrder.Line]

  /// - Parameters:
  ///   - products: What the partner's page shows.
  ///   - value: About what the customer wants to spend, in cents.
  ///   - count: How many different products.
  /// - Returns: `nil` when nothing fits.
  init?(
    at partner: CloudRecord, from products: [CloudRecord], value: Double, count: Int,
    _ luck: inout RandomStream
  ) {
    self.partner = partner
    lines = []
    var choice = products.filter { $0.pieces > 0 }
    guard !choice.isEmpty else { return nil }
    for number in 0..<count where !choice.isEmpty {
      let rest = max(50, value - Double(subtotalCents)) / Double(count - number)
      // Of three dishes the one that fits best into what is left.
      let wanted = (0..<3).map { _ in luck.pick(0..<choice.count) }
      let place = wanted.min { a, b in
        abs(Double(choice[a].price) - rest) < abs(Double(choice[b].price) - rest)
      }!
      let product = choice.remove(at: place)
      let quantity = min(1 + luck.pick(weights: [80, 15, 5]), product.pieces)
      lines.append(.init(product, quantity: Int64(quantity)))
    }
    fillUp(from: choice)
  }

  var subtotalCents: Int64 { lines.reduce(0) { $0.plus($1.quantity.times($1.unitPriceCents)) } }
  var minimumCents: Int64 { partner[Partner.minimumOrderAmount] ?? 0 }

  /// Adds what is missing for the partner's minimum (MS-39), the dearest first.
  private mutating func fillUp(from choice: [CloudRecord]) {
    let rest = choice.sorted { ($0.price, $1.name) > ($1.price, $0.name) }
    for product in rest where subtotalCents < minimumCents && lines.count < 20 {
      lines.append(.init(product, quantity: 1))
    }
  }

  /// Takes prices, availability and stock as they are now; lines that cannot be had are dropped.
  mutating func refresh(from products: [CloudRecord]) {
    lines = lines.compactMap { line in
      guard let product = products.first(where: { $0.name == line.product }), product.pieces > 0
      else { return nil }
      return .init(product, quantity: min(line.quantity, Int64(product.pieces)))
    }
  }

  /// Whether the partner would take it.
  var isEnough: Bool { !lines.isEmpty && subtotalCents >= minimumCents }
}

extension NewOrder.Line {
  init(_ product: CloudRecord, quantity: Int64) {
    self.init(
      product: product.name, name: product[Product.name] ?? product.name.text, quantity: quantity,
      unitPriceCents: product.price)
  }
}

extension CloudRecord {
  fileprivate var price: Int64 { self[Product.priceCents] ?? 0 }

  /// How many of a product one may put into a cart: 0 to 99 (MS-46).
  fileprivate var pieces: Int {
    guard self[Product.isAvailable], price > 0 else { return 0 }
    guard let stock = self[Product.stockQuantity], stock >= 0 else { return 99 }
    return Int(min(stock, 99))
  }
}
