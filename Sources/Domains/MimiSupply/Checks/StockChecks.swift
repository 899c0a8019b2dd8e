import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Stock: MS-50 to MS-55.
enum StockChecks {
  static let all: [MSCheck] = [
    .eachShown(.ms50, of: .product) { product, _, judge in
      guard let stock = product[Product.stockQuantity] else { return }
      judge.expect(stock >= -1, "\(product.name) has \(stock) pieces")
    },
    .productLook(.ms51, judgeSold) + .placing(.ms51, judgeReservation),
    .productLook(.ms52) { look, product, _, judge in
      guard let ledger = product.stock, let stock = look.stock,
        ledger.hasReturns(until: look.during.upperBound),
        let bounds = ledger.bounds(during: look.during)
      else { return }
      judge.expect(
        bounds.least <= stock && stock <= bounds.most,
        "\(look.product) has \(stock) pieces after returns, instead of \(bounds.least) to \(bounds.most)"
      )
    },
    .productLook(.ms53, judgeSwitch),
    .productLook(.ms54) { look, product, _, judge in
      guard !product.wasFinite else { return }
      judge.expect(
        (look.stock ?? -1) == -1, "\(look.product) is unlimited and has \(look.stock ?? 0) pieces")
    },
    .shownOrder(.ms55, judgeUnpaid),
  ]

  // MARK: MS-51

  /// Sold and left are what there was.
  @Sendable private static func judgeSold(
    _ look: ProductLook, _ product: ProductFacts, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    guard let ledger = product.stock, let stock = look.stock,
      !ledger.hasReturns(until: look.during.upperBound),
      let bounds = ledger.bounds(during: look.during)
    else { return }
    judge.expect(
      bounds.least <= stock && stock <= bounds.most,
      "\(look.product) has \(stock) pieces after sales, instead of \(bounds.least) to \(bounds.most)"
    )
  }

  /// Who wants more than there is gets nothing, who wants no more gets all.
  @Sendable private static func judgeReservation(
    _ placing: Placing, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    guard let lines = placing.lines else { return }
    var wanted: [RecordName: Int64] = [:]
    for line in lines where facts.products[line.productID]?.stock != nil {
      wanted[line.productID] = (wanted[line.productID] ?? 0).plus(line.quantity)
    }
    // Of a product whose creation was not answered nobody knows how many there are.
    let isKnown = lines.allSatisfy { facts.products[$0.productID] != nil }
    guard !wanted.isEmpty else { return }
    var isShort: Bool? = isKnown ? false : nil
    for (product, pieces) in wanted {
      guard
        let bounds = facts.products[product]?.stock?.bounds(
          during: placing.during, without: placing.name)
      else {
        isShort = isShort == true ? true : nil
        continue
      }
      if pieces > bounds.most {
        isShort = true
      } else if pieces > bounds.least, isShort == false {
        isShort = nil
      }
    }
    placing.judge(
      isShort, "insufficient_stock", what: "there were fewer pieces than it wants", &judge)
  }

  // MARK: MS-53

  /// Of a product that nobody but the system has switched: none left is off, some left is as it was loaded. A partner's
  /// own switch outlasts what comes back.
  @Sendable private static func judgeSwitch(
    _ look: ProductLook, _ product: ProductFacts, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    guard product.wasFinite, let stock = look.stock, stock >= 0 else { return }
    if product.isUntouched {
      guard let wasOn = product.isAvailable.latest, product.initial != 0 else { return }
      if wasOn || stock > 0 {
        judge.expect(
          look.isAvailable == (wasOn && stock > 0),
          "\(look.product) has \(stock) pieces and is \(look.isAvailable ? "on" : "off")")
      }
    } else if let isOff = product.switchedOff(before: look.during.lowerBound), isOff {
      judge.expect(!look.isAvailable, "\(look.product) is on although its partner switched it off")
    }
  }

  // MARK: MS-55

  /// Before a quarter of an hour is over nobody fails an unpaid order, after it none is left.
  @Sendable private static func judgeUnpaid(
    _ order: ShownOrder, _ known: OrderFacts?, _ call: SeenCall, _ facts: MarketFacts,
    _ judge: inout Judge
  ) {
    guard let created = known?.created, known?.began == .created, let status = order.status,
      created.lowerBound >= facts.rules.since
    else { return }
    let during = call.during
    switch status {
    case .created, .paymentProcessing:
      guard during.lowerBound > created.lowerBound + facts.rules.unpaidTimeout - .minutes(1) else {
        return
      }
      judge.expect(
        during.lowerBound <= created.upperBound + facts.rules.unpaidTimeout,
        "\(order.name) is unpaid and \(status.rawValue) longer than \(facts.rules.unpaidTimeout)")
    case .failed where order.record[Order.paymentMethod] != "cash" && !facts.rules.paysByStub:
      let payment = order.record[Order.paymentStatus]
      guard payment == "cancelled" || payment == "failed" else { return }
      judge.expect(
        during.upperBound >= created.lowerBound + facts.rules.unpaidTimeout,
        "\(order.name) failed unpaid before \(facts.rules.unpaidTimeout) were over")
    default: break
    }
  }
}
