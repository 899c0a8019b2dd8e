import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Delivery and rating: MS-77 to MS-81.
enum DeliveryChecks {
  static let all: [MSCheck] = [
    .step(.ms77, judgeProof),
    .completion(.ms78, judgeCompletion),
    .ledger(.ms79) { shown, facts, judge in
      for name in shown.changedDrivers {
        let delivered = shown.totals.delivered[name]
        guard let began = facts.deliveries[name], let count = shown.drivers[name]?.deliveries,
          count != began || delivered != nil
        else { continue }
        judge.expect(
          count.minus(began) == delivered ?? 0,
          "\(name) counts \(count.minus(began)) deliveries instead of \(delivered ?? 0)")
      }
    },
    .ledger(.ms80) { shown, facts, judge in
      let rated =
        shown.changedDrivers.map { ($0, shown.drivers[$0]?.rating, nil) }
        + shown.changedPartners.map {
          ($0, shown.partners[$0]?.rating, shown.partners[$0]?.reviewCount)
        }
      for (name, rating, reviews) in rated {
        guard let began = facts.ratings[name], let stars = shown.totals.stars[name] else {
          continue
        }
        let (sum, count) = (began.sum.plus(stars.sum), began.count.plus(stars.count))
        judge.expect(
          rating == Double(sum) / Double(count) && reviews.map { $0 == count } ?? true,
          "\(name) is rated \(rating ?? 0) instead of \(sum) / \(count)")
      }
    }
      + .figures(.ms80, judgeReviews),
    .completion(.ms81, judgeRating),
  ]

  // MARK: MS-77

  @Sendable private static func judgeProof(
    _ step: Step, _ order: OrderFacts, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    guard step.target == .delivered, facts.partners[order.partner] != nil else { return }
    let proofs = facts.completions[step.order] ?? []
    switch step.fate {
    case .done(let record):
      let driver = record[Order.driver]
      judge.expect(
        proofs.contains {
          $0.during.lowerBound <= step.during.upperBound && $0.driver == driver
            && (!facts.rules.proofPhotoRequired || $0.draft.fields[.photoAsset] != nil)
        }, "\(step.order) was delivered without a completion of its driver")
    case .refused(let failure) where failure.mimiReason == "completion_missing":
      judge.expect(
        facts.rules.proofPhotoRequired
          || !proofs.contains {
            $0.fate.record != nil && $0.during.upperBound < step.during.lowerBound
              && $0.driver == order.carrier
          }, "the completion of \(step.order) was missed although it was there")
    default: break
    }
  }

  // MARK: MS-78

  @Sendable private static func judgeCompletion(
    _ write: CompletionWrite, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    guard write.isCreation, let order = facts.orders[write.order] else { return }
    let earlier = facts.completions[write.order]?.contains {
      $0.name != write.name && $0.fate.record != nil
        && $0.during.upperBound < write.during.lowerBound
    }
    switch write.fate {
    case .done:
      if earlier == true { return judge.violated("\(write.order) was completed twice") }
      if order.carrier.map({ $0 != write.driver }) == true {
        return judge.violated("\(write.order) was completed by another driver")
      }
      if write.isBefore(order) == true {
        return judge.violated("\(write.order) was completed at a time before it was placed")
      }
      // A state that is on the way to en_route, seen after the completion: it came too early.
      let isEarly = order.versions.contains {
        $0.status.isActive && $0.status != .enRoute
          && $0.last.lowerBound >= write.during.upperBound
      }
      judge.expect(!isEarly, "\(write.order) was completed before it was on its way")
    case .refused(let failure):
      switch failure.mimiReason {
      case "completion_exists":
        judge.expect(
          facts.completions[write.order]?.contains {
            $0.name != write.name && $0.during.lowerBound <= write.during.upperBound
          } == true, "\(write.order) has no completion, and yet it has")
      case "not_your_order":
        let isTheirs =
          order.carrier.flatMap { facts.driverUsers[$0] } == write.user && write.user != nil
          && order.carrier == write.driver
        judge.expect(!isTheirs, "the driver of \(write.order) could not complete it")
      case "illegal_transition": judge.held()
      case nil where failure.native == .invalidArguments:
        guard write.namesOnlyProof, let isBefore = write.isBefore(order) else { return }
        judge.expect(
          isBefore, "\(write.order) could not be completed at a time after it was placed")
      default: break
      }
    case .deleted, .unknown: break
    }
  }

  // MARK: MS-80

  /// A partner is told of every rating that was given, and of no other (§3.4).
  @Sendable private static func judgeReviews(
    _ look: FiguresLook, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    guard let began = facts.partners[look.partner]?.reviews, facts.knowsRatedOrders,
      !facts.partnersWithPast.contains(look.partner)
    else { return }
    var (sum, least) = (0 as Int64, 0 as Int64)
    var most = least
    for order in facts.ordersOfPartner[look.partner] ?? [] {
      let ratings = facts.ratings[order]?.filter {
        $0.isOfStars && $0.during.lowerBound <= look.during.upperBound
      }
      guard let ratings, !ratings.isEmpty else { continue }
      most += 1
      let given = ratings.first { $0.stars != nil && $0.during.upperBound < look.during.lowerBound }
      guard let stars = given?.stars else { continue }
      least += 1
      sum = sum.plus(stars)
    }
    let (count, figures) = (look.figures.reviewCount, look.figures)
    guard (began.count.plus(least)...began.count.plus(most)).contains(count) else {
      return judge.violated(
        "\(look.partner) is told of \(count) reviews instead of \(began.count.plus(least))")
    }
    guard least == most else { return }
    let due = least == 0 ? began.rating : Double(began.sum.plus(sum)) / Double(count)
    judge.expect(
      figures.averageRating == due,
      "\(look.partner) is told of a rating of \(figures.averageRating) instead of \(due)")
  }

  // MARK: MS-81

  @Sendable private static func judgeRating(
    _ write: CompletionWrite, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    guard !write.isCreation, let order = facts.orders[write.order], write.isRating else { return }
    let former = facts.ratings[write.order]?.filter {
      $0.during.upperBound < write.during.lowerBound && $0.fate.record != nil
    }
    switch write.fate {
    case .done(let record):
      if let user = write.user, user != order.customer, user != order.placedBy {
        return judge.violated("\(write.order) was rated by one who did not order it")
      }
      let isSecond =
        former?.contains { old in
          [FieldName.customerRating, .customerFeedback].contains { field in
            guard let before = old.fate.record?.fields[field] else { return false }
            return record.fields[field] != before
          }
        } ?? false
      if isSecond { return judge.violated("\(write.order) was rated twice") }
      let isEarly = order.versions.contains {
        $0.status.isActive && $0.last.lowerBound >= write.during.upperBound
      }
      judge.expect(!isEarly, "\(write.order) was rated before it was delivered")
    case .refused(let failure):
      switch failure.mimiReason {
      case "already_rated":
        judge.expect(
          facts.ratings[write.order]?.contains { old in
            old.fate.isPossible && old.during.lowerBound <= write.during.upperBound
              && write.rated.contains(where: old.rated.contains)
          } == true, "\(write.order) was never rated so, and yet it was")
      case "not_delivered":
        judge.expect(
          order.ended.map {
            $0.status != .delivered || $0.first.upperBound >= write.during.lowerBound
          } ?? true, "\(write.order) was delivered, and could not be rated")
      default:
        if failure.code == .accessDenied, write.user != nil {
          judge.expect(
            write.user != order.customer || !write.namesOnlyRating,
            "the customer of \(write.order) could not rate it")
        }
      }
    case .deleted, .unknown: break
    }
  }
}

extension CompletionWrite {
  fileprivate var driver: RecordName? { draft[DeliveryCompletion.driver] }

  private static let proof: FieldNames = [.orderId, .driverId, .completedAt]
  /// Whether it has what every completion has, and nothing else.
  fileprivate var namesOnlyProof: Bool {
    driver != nil && draft.fields.names.isSubset(of: Self.proof)
  }
  /// Whether the time that it says lies before its order (§2.8); `nil` where it says none, or one too late.
  fileprivate func isBefore(_ order: OrderFacts) -> Bool? {
    guard let at = completedAt, let placed = order.createdAt,
      at <= during.lowerBound + .seconds(60)
    else { return nil }
    return at < placed
  }

  fileprivate static let rating: FieldNames = [.customerRating, .customerFeedback]
  /// Whether it gives stars, and how many are stored now.
  fileprivate var isOfStars: Bool { draft.fields.written[.customerRating] != nil }
  fileprivate var stars: Int64? { fate.record?[DeliveryCompletion.customerRating] }
  /// What of a rating it names: stars, words, or both.
  fileprivate var rated: [FieldName] {
    [.customerRating, .customerFeedback].filter(draft.fields.names.contains)
  }
  fileprivate var isRating: Bool { !rated.isEmpty }
  fileprivate var namesOnlyRating: Bool { draft.fields.names.isSubset(of: Self.rating) }
}
