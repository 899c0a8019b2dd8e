import Contracts
import MimiSupplyContract
import Timekeeping

extension Market {
  /// Reasons 3 to 15 of creating an order, in the order of §3.4; 1 and 2 are steps 9 and 10.
  func objection(toNew order: CloudRecord, on shelf: some Shelf, at now: Instant) -> Failure? {
    guard let lines = order[Order.items].flatMap(OrderLine.lines) else { return nil }
    return sizeFailure(of: lines)  // 3
      ?? moneyFailure(of: order, lines: lines)  // 4
      ?? initialFailure(of: order)  // 5
      ?? estimateFailure(of: order, at: now)  // 6
      ?? partnerFailure(of: order, at: now)  // 7 to 10
      ?? productFailure(of: order, lines: lines, on: shelf)  // 11 to 13
      ?? minimumFailure(of: order)  // 14
      ?? stockFailure(of: lines, on: shelf)  // 15
  }

  private func refused(
    _ reason: String, _ text: String, mimiError: String = Failure.orderCreationFailed
  ) -> Failure {
    .constraint(reason, text, mimiError: mimiError)
  }

  private func sizeFailure(of lines: [OrderLine]) -> Failure? {
    guard rules.binds(.ms46) else { return nil }
    if lines.isEmpty { return refused("items_empty", "an order has a line") }
    if lines.count > settings.maxLines {
      return refused("too_many_items", "an order has at most \(settings.maxLines) lines")
    }
    let isInRange = lines.allSatisfy { $0.quantity >= 1 && $0.quantity <= settings.maxQuantity }
    return isInRange
      ? nil : refused("quantity_out_of_range", "a quantity is 1 to \(settings.maxQuantity)")
  }

  /// MS-47: the three ways in which an order begins.
  private func initialFailure(of order: CloudRecord) -> Failure? {
    guard rules.binds(.ms47) else { return nil }
    let status = order[Order.status]
    let payment = order[Order.paymentStatus]
    guard status == "created" || status == "payment_confirmed", order.fields[.driverId] == nil,
      order.fields[.actualDeliveryTime] == nil
    else { return refused("initial_status_invalid", "an order does not begin so") }
    switch (status, payment) {
    case ("created", "pending"), ("payment_confirmed", "completed"): return nil
    case ("payment_confirmed", "pending") where order[Order.paymentMethod] == "cash": return nil
    default:
      // An order that is marked paid with payment data that say otherwise (§7.1).
      let isMarkedPaid = status == "payment_confirmed" || payment == "completed"
      return refused(
        "payment_state_invalid", "status and payment do not agree",
        mimiError: isMarkedPaid ? Failure.paymentFailed : Failure.orderCreationFailed)
    }
  }

  /// MS-45.
  private func estimateFailure(of order: CloudRecord, at now: Instant) -> Failure? {
    guard let estimate = order[Order.estimatedDeliveryTime] else {
      return nil
    }
    if hasPassed(estimate, at: now) {
      return refused("eta_not_in_future", "estimatedDeliveryTime has passed")
    }
    return estimate > now.toMilliseconds + settings.furthestEstimate && rules.binds(.ms45)
      ? refused("eta_too_far", "estimatedDeliveryTime is more than a day ahead") : nil
  }

  /// MS-45, whoever estimates.
  func hasPassed(_ estimate: Instant, at now: Instant) -> Bool {
    estimate <= now.toMilliseconds && rules.binds(.ms45)
  }

  /// Whether a partner may take orders (MS-42).
  func isTrusted(_ partner: RecordName?) -> Bool {
    partner.flatMap { partners[$0]?.isVerified } ?? false || !rules.binds(.ms42)
  }

  private func partnerFailure(of order: CloudRecord, at now: Instant) -> Failure? {
    guard let partner = order[Order.partner].flatMap({ partners[$0] }) else {
      return .dangling(
        "partnerId names no partner", "partner_unknown", mimiError: Failure.partnerNotFound)
    }
    if rules.binds(.ms42) {
      if !partner.isActive { return refused("partner_inactive", "the partner is not active") }
      if !partner.isVerified {
        return refused("partner_unverified", "the partner is not verified")
      }
    }
    let isOpen = partner.hours?.isOpen(at: now, in: settings.zone) ?? false
    if !isOpen, rules.binds(.ms41) { return refused("partner_closed", "the partner is closed") }
    guard let text = order[Order.deliveryAddress],
      case .success(let address) = DeliveryAddress.reading(text)
    else { return nil }
    let metres = Geography.metres(partner.point, address.point)
    if Double(metres) > partner.radiusMetres, rules.binds(.ms40) {
      return refused("outside_delivery_radius", "\(metres) m are beyond the partner's radius")
    }
    return feeFailure(of: order, metres: metres, at: now)
  }

  /// 11 for all lines, then 12, then 13.
  private func productFailure(
    of order: CloudRecord, lines: [OrderLine], on shelf: some Shelf
  ) -> Failure? {
    var products: [(line: OrderLine, product: CloudRecord)] = []
    for line in lines {
      guard let product = shelf.record(line.productID, publicly: true),
        product.type == .product
      else {
        if !rules.binds(.ms43) { continue }
        return .dangling(
          "\(line.productID) is no product", "product_unknown",
          mimiError: Failure.productUnavailable)  // MS-43
      }
      products.append((line, product))
    }
    let partner = order[Order.partner]
    if rules.binds(.ms44),
      let foreign = products.first(where: { $0.product[Product.partner] != partner })
    {
      return refused(
        "product_of_other_partner", "\(foreign.line.productID) is another partner's")  // MS-44
    }
    if rules.binds(.ms43), let off = products.first(where: { !$0.product[Product.isAvailable] }) {
      return refused(
        "product_unavailable", "\(off.line.productID) is not available",
        mimiError: Failure.productUnavailable)  // MS-43
    }
    if rules.binds(.ms32),
      let changed = products.first(where: {
        $0.product[Product.priceCents] != $0.line.unitPriceCents
      })
    {
      return refused("price_changed", "\(changed.line.productID) has another price")  // MS-32
    }
    return nil
  }

  /// MS-39.
  private func minimumFailure(of order: CloudRecord) -> Failure? {
    guard rules.binds(.ms39), let subtotal = order[Order.subtotalCents],
      let partner = order[Order.partner].flatMap({ partners[$0] }),
      subtotal < partner.minimumOrderAmount
    else { return nil }
    return refused("below_minimum_order", "\(subtotal) cents are below the partner's minimum")
  }

  /// MS-51: all lines or none; lines of one product add up.
  private func stockFailure(of lines: [OrderLine], on shelf: some Shelf) -> Failure? {
    guard rules.binds(.ms51) else { return nil }
    for wanted in Self.reservations(of: lines) {
      guard let product = shelf.record(wanted.product, publicly: true),
        let stock = product.finiteStock, wanted.quantity > stock
      else { continue }
      return refused(
        "insufficient_stock", "\(wanted.product) has \(stock) pieces",
        mimiError: Failure.productUnavailable)
    }
    return nil
  }

  /// Pieces per product, in the order of the lines.
  static func reservations(of lines: [OrderLine]) -> [OrderState.Reservation] {
    var places: [RecordName: Int] = [:]
    var reservations: [OrderState.Reservation] = []
    for line in lines {
      if let place = places[line.productID] {
        reservations[place] = OrderState.Reservation(
          product: line.productID, quantity: reservations[place].quantity.plus(line.quantity))
      } else {
        places[line.productID] = reservations.count
        reservations.append(
          OrderState.Reservation(product: line.productID, quantity: line.quantity))
      }
    }
    return reservations
  }
}

extension CloudRecord {
  /// `nil` when unlimited (MS-54).
  var finiteStock: Int64? {
    guard let stock = self[Product.stockQuantity], stock >= 0 else { return nil }
    return stock
  }
}
