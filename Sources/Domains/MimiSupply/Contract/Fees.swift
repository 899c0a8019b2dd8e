/// How an order's fees are computed (§3.6); the sources contradict each other (OP-10).
public enum FeePolicy: String, Hashable, Sendable, CaseIterable {
  case germanDocs = "german-docs"
  case checkout, cart, distance
}

/// §3.6: what each policy asks, multiplied first, then divided, rounding down.
public struct Fees: Hashable, Sendable {
  public let delivery: Int64
  public let platform: Int64
  public let tax: Int64

  public init(delivery: Int64, platform: Int64, tax: Int64) {
    (self.delivery, self.platform, self.tax) = (delivery, platform, tax)
  }

  /// - Parameters:
  ///   - subtotal: In cents, not negative.
  ///   - metres: Partner to customer.
  ///   - hour: The local hour, 0…23.
  ///   - isExpress: Counts with `german-docs` alone.
  /// - Returns: `nil` where a fee has no 64 bits.
  public static func by(
    _ policy: FeePolicy, subtotal: Int64, metres: Int, hour: Int, isExpress: Bool
  ) -> Fees? {
    switch policy {
    case .germanDocs: return Fees(delivery: isExpress ? 299 : 199, platform: 0, tax: 0)
    case .checkout:
      let isPeak = (11...14).contains(hour) || (17...20).contains(hour)
      let delivery: Int64 = isPeak ? 299 * 3 / 2 : 299
      let platform = share(5, of: 100, subtotal)
      guard let taxed = adding(subtotal, delivery, platform) else { return nil }
      return Fees(delivery: delivery, platform: platform, tax: share(8, of: 100, taxed))
    case .cart:
      return Fees(
        delivery: subtotal >= 2_500 ? 0 : 299, platform: subtotal >= 5_000 ? 49 : 99,
        tax: share(875, of: 10_000, subtotal))
    case .distance:
      return Fees(
        delivery: 299 + 50 * Int64(metres) / 1_000,
        platform: max(199, share(12, of: 100, subtotal)), tax: share(8, of: 100, subtotal))
    }
  }

  /// ⌊amount · part / whole⌋ for amounts that are not negative and parts below the whole.
  private static func share(_ part: Int64, of whole: Int64, _ amount: Int64) -> Int64 {
    let product = amount.multipliedFullWidth(by: part)
    return whole.dividingFullWidth(product).quotient
  }

  /// A sum of amounts; `nil` beyond 64 bits.
  public static func adding(_ parts: Int64...) -> Int64? {
    var sum: Int64 = 0
    for part in parts {
      let (next, overflow) = sum.addingReportingOverflow(part)
      if overflow { return nil }
      sum = next
    }
    return sum
  }
}
