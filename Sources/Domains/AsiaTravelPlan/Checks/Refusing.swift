import AsiaTravelPlanContract
import Contracts
import Observations
import Timekeeping

/// What an answer must be by the order of checks of 3.3: the first that fails answers.
struct Expectation {
  /// The first check that certainly fails, and the rule that it keeps.
  private(set) var must: Kind?
  private(set) var rule = AsiaTravelPlan.Rule.atp93
  /// Those before it that may fail.
  private(set) var may: [Kind] = []

  /// - Parameter fails: `nil` where that is not certain.
  mutating func check(_ fails: Bool?, _ kind: Kind, _ rule: AsiaTravelPlan.Rule = .atp93) {
    guard must == nil else { return }
    if fails == true {
      (must, self.rule) = (kind, rule)
    } else if fails == nil {
      may.append(kind)
    }
  }
}

/// Who is let in, what is refused and with which code: ATP-06 to ATP-11, ATP-24 to ATP-27, ATP-31, ATP-32, ATP-36 to ATP-57, ATP-75,
/// ATP-76, ATP-80, ATP-93 and ATP-99.
extension AgencyChecks {
  static let refusingRules: [JudgedRule<AsiaTravelPlan>] =
    [
      .atp06, .atp07, .atp08, .atp11, .atp24, .atp25, .atp26, .atp27, .atp31, .atp32, .atp37,
      .atp38,
      .atp39, .atp40, .atp41, .atp42, .atp43, .atp44, .atp45, .atp46, .atp47, .atp48, .atp49,
      .atp50,
      .atp52, .atp53, .atp54, .atp56, .atp57, .atp93,
    ].map { JudgedRule($0, everything) } + [JudgedRule(.atp99, ofAPI)]

  /// Once all is known that may have happened meanwhile.
  @inline(never)
  func judgeAnswer(_ asked: Asked) {
    // Some servers have none (O-09).
    let isMissing = asked.right == .me && asked.refusal == .notFound
    guard asked.refusal != .internalServerError, !isMissing else {
      if asked.call.request.needsToken { answered(asked.call, outside: .otherReason) }
      return
    }
    if asked.call.request.needsToken { return judgeGuarded(asked) }
    var expected = Expectation()
    guard case .requestTrip(let it) = asked.call.request else { return }
    expectWhole(it, &expected)
    judge(expected, asked, nil)
  }

  private func judgeGuarded(_ asked: Asked) {
    var expected = Expectation()
    let acceptance = acceptance(of: asked)
    switch acceptance {
    case .yes: break
    case .no(let rule): expected.check(true, .unauthorized, rule)
    case .unknown: expected.check(nil, .unauthorized)
    }
    var permission: Permission?
    if acceptance == .yes, let right = asked.right, let caller = asked.caller {
      permission = self.permission(asked, right, caller)
    }
    enterRights(asked, acceptance, permission)
    if acceptance != .unknown || asked.caller.map({ !$0.roles.isEmpty }) ?? false {
      expect(asked, permission, &expected)
    } else if asked.isReplied {
      return
    }
    judge(expected, asked, permission)
  }

  /// What the matrix of rights (4.11) says of a request and how it was answered. Of refusals for other reasons it says nothing, and of
  /// answers nothing while it is not certain who may have them.
  private func enterRights(_ asked: Asked, _ acceptance: Acceptance, _ permission: Permission?) {
    let refusal = asked.refusal
    if case .no(let rule) = acceptance, refusal == nil || refusal == .unauthorized {
      let isOutsider = rule == .atp08 && asked.caller != nil
      let standing = isOutsider ? AsiaTravelPlan.Standing.outsider : .anonymous
      answered(asked.call, column: standing.rawValue, isRight: refusal != nil)
    } else if let permission, let isAllowed = permission.isAllowed,
      refusal == nil || refusal == .forbidden || (refusal == .unauthorized && isAllowed)
    {
      answered(
        asked.call, column: permission.standing.rawValue, isRight: isAllowed == (refusal == nil))
    } else {
      let isOfRights = refusal == nil || refusal == .forbidden || refusal == .unauthorized
      let isCertain = acceptance != .unknown && permission?.isAllowed != nil
      answered(asked.call, outside: isOfRights && !isCertain ? .uncertain : .otherReason)
    }
  }

  // MARK: The order of checks (3.3)

  private func expect(_ asked: Asked, _ permission: Permission?, _ expected: inout Expectation) {
    func right() {
      expected.check(
        permission?.isAllowed.map { !$0 }, .forbidden, permission?.rule ?? .atp11)
    }
    func booking() { expected.check(isMissing(asked), .bookingNotFound) }
    switch asked.call.request {
    case .bookings, .staff, .me: right()
    case .booking, .activities, .invoices:
      booking()
      right()
    case .changeStage(let it):
      let stage = it.stage.flatMap { Booking.Stage(said: $0) }
      expected.check(stage == nil, .invalidStage, .atp75)
      booking()
      right()
      expected.check(isForbiddenTransition(asked, to: stage), .transitionNotAllowed)
    case .assign(let it):
      booking()
      right()
      expected.check(isUnassignable(it, asked), .staffNotFoundOrInactive, .atp80)
    case .addActivity(let it):
      expected.check(it.type.named == nil, .typeRequired)
      booking()
      right()
    case .addStaff(let it):
      right()
      expect(it, asked, &expected)
    case .tours, .customers: right()
    case .tour(let id):
      right()
      expected.check(isMissing(tour: id, asked), .tourNotFound)
    case .customer(let id):
      right()
      let isKnown = customers.known(id) != nil
      expected.check(isKnown ? false : isUnheardOf(perhapsCustomers, asked), .customerNotFound)
    case .addTour(let it):
      right()
      expect(it, nil, &expected)
    case .changeTour(let it):
      right()
      expected.check(isMissing(tour: it.tour ?? "", asked), .tourNotFound)
      expected.check(it.id.map { $0 != it.tour } ?? false, .tourIDFixed)
      expect(it, tours.known(it.tour ?? "").flatMap { tours[$0].shown }, &expected)
    case .addInvoice(let it):
      booking()
      right()
      expected.check(it.items.map(Self.holdsNoAmount) ?? true, .itemRequired)
      expected.check(nil, .bookingCustomerNotFound)
    case .changeInvoice(let it):
      booking()
      right()
      expected.check(isMissing(invoice: it.invoice ?? "", asked), .invoiceNotFound)
      expected.check(it.items.map(Self.holdsNoAmount) ?? false, .itemRequired)
    case .unread(.malformed(let operation, let fault)):
      if let caller = asked.caller, let right = Self.rightBeforeBody(of: operation) {
        let permission = self.permission(asked, right, caller)
        expected.check(permission.isAllowed.map { !$0 }, .forbidden, permission.rule)
      }
      expected.check(true, fault.kind == .tooLarge ? .payloadTooLarge : .invalidJSON)
    case .unread(.unrouted): expected.check(true, .notFound)
    default: break
    }
  }

  /// What a caller must be allowed to before the body of an operation is read.
  private static func rightBeforeBody(of operation: Int) -> Right? {
    let name = AsiaTravelPlan.operations[operation].name
    return [Right.addStaff, .writeTours].first {
      AsiaTravelPlan.rights[$0.rawValue].operations.contains(name)
    }
  }

  func expect(_ draft: NewStaff, _ asked: Asked, _ expected: inout Expectation) {
    let names = (draft.usernames ?? []).map { StaffRecord.normalised($0) }.filter { !$0.isEmpty }
    expected.check(draft.name.named == nil, .nameRequired)
    expected.check(names.isEmpty, .usernameRequired)
    expected.check(isInUse(names, asked), .usernameInUse, .atp55)
  }

  private func expect(_ draft: TourDraft, _ present: Tour?, _ expected: inout Expectation) {
    func isEmpty(_ text: String?, _ kept: String?) -> Bool? {
      guard let text else { return draft.tour == nil ? true : kept.map { $0.isEmpty } }
      return text.trimmed.isEmpty
    }
    func isEmpty(_ list: [String]?, _ kept: [String]?) -> Bool? {
      guard let list else { return draft.tour == nil ? true : kept.map { $0.isEmpty } }
      return list.allSatisfy { $0.trimmed.isEmpty }
    }
    expected.check(isEmpty(draft.title, present?.title), .titleRequired)
    expected.check(
      isEmpty(draft.destinationCountries, present?.destinationCountries), .countriesRequired)
    expected.check(isEmpty(draft.styles, present?.styles), .stylesRequired)
  }

  static func holdsNoAmount(_ items: [InvoiceDraft.Item]) -> Bool {
    !items.contains { ($0.unitAmountCents ?? 0) > 0 }
  }

  // MARK: Causes

  /// - Returns: `nil` where it is not certain.
  private func isMissing(_ asked: Asked) -> Bool? {
    guard let exists = bookings[asked.booking].exists else {
      return isUnheardOf(perhapsBookings, asked)
    }
    return exists.upperBound <= asked.call.sent ? false : nil
  }

  private func isMissing(tour id: String, _ asked: Asked) -> Bool? {
    guard let tour = tours.known(id), let exists = tours[tour].exists else {
      return isUnheardOf(perhapsTours, asked)
    }
    return exists.upperBound <= asked.call.sent ? false : nil
  }

  private func isMissing(invoice id: String, _ asked: Asked) -> Bool? {
    let invoice = bookings[asked.booking].invoices.first { $0.id == id }
    guard let exists = invoice?.exists else {
      return isUnheardOf(bookings[asked.booking].perhapsInvoices, asked)
    }
    return exists.upperBound <= asked.call.sent ? false : nil
  }

  /// Whether what nobody has heard of is not there, either.
  private func isUnheardOf<Draft>(
    _ perhaps: PerhapsMade<Draft>, _ asked: Asked
  ) -> Bool? {
    isLoaded && perhaps.count(by: asked.call.answered) == 0 ? true : nil
  }

  private func isForbiddenTransition(_ asked: Asked, to stage: Booking.Stage?) -> Bool? {
    guard let stage, let table = decided.value(during: asked.during, { $0.transitions }) else {
      return nil
    }
    if table == .all { return false }
    return bookings[asked.booking].staged.value(during: asked.during)
      .map { !table.allow($0.stage, stage) }
  }

  private func isUnassignable(_ asked: Assignment, _ call: Asked) -> Bool? {
    guard let id = asked.ownerID.named ?? asked.staff.named else { return false }
    guard let record = staff.known(id), !staff[record].isActive.isEmpty else {
      return isUnheardOf(perhapsStaff, call)
    }
    return staff[record].isActive.value(during: call.during).map { !$0 }
  }

  private func isInUse(_ names: [String], _ asked: Asked) -> Bool? {
    var isCertain = isLoaded
    for name in names {
      guard let known = usernames.known(name) else { continue }
      let values = usernames[known].record.value(during: asked.during)
      if let values, values != nobody { return true }
      if values == nil { isCertain = false }
    }
    return isCertain ? false : nil
  }

  // MARK: Verdicts

  private func judge(_ expected: Expectation, _ asked: Asked, _ permission: Permission?) {
    switch (expected.must, asked.refusal) {
    case (nil, nil): judgeGranted(asked, permission)
    case (let kind?, nil): judgeWronglyGranted(expected.rule, kind, asked, permission)
    case (let kind?, let got?):
      if kind == got {
        held(expected.rule)
        held(.atp93)
        if kind == .forbidden { judgeKeptOut(asked, permission) }
      } else if kind == .unauthorized {
        violated(expected.rule, "\(asked.name) got \(got.rawValue), and its caller must not get in")
      } else if !expected.may.contains(got) {
        violated(.atp93, "\(asked.name) got \(got.rawValue) where \(kind.rawValue) is documented")
      }
    case (nil, let got?):
      if !expected.may.contains(got) { judgeWithoutCause(got, asked, permission) }
    }
  }

  private func judgeGranted(_ asked: Asked, _ permission: Permission?) {
    if Self.appsOwn.contains(asked.right) { held(.atp31) }
    if asked.right == .assign { held(.atp32) }
    guard let caller = asked.caller, let permission, permission.isAllowed == true else { return }
    held(permission.rule)
    held(.atp24)
    if caller.hasRolesElsewhere { held(.atp26) }
    if isEnded(caller.claims?.sid) { held(.atp27) }
    if caller.roles.count > 1 { held(.atp07) }
    if permission.standing == .own || permission.standing == .other {
      for rule in rulesOfMapping(caller, isMapped: true) where rule != permission.rule {
        held(rule)
      }
    } else if usernames.known(caller.username) == nil {
      held(.atp57)
    }
  }

  private func judgeKeptOut(_ asked: Asked, _ permission: Permission?) {
    guard let caller = asked.caller, permission?.standing == .unmapped else { return }
    for rule in rulesOfMapping(caller, isMapped: false) where rule != permission?.rule {
      held(rule)
    }
  }

  private func judgeWronglyGranted(
    _ rule: AsiaTravelPlan.Rule, _ kind: Kind, _ asked: Asked, _ permission: Permission?
  ) {
    violated(rule, "\(asked.name) was granted, and \(kind.rawValue) is documented")
    guard kind == .forbidden, let caller = asked.caller else { return }
    if asked.right == .assign, permission?.standing == .accountant {
      violated(.atp50, "an accountant assigned a booking")
    }
    if permission?.standing == .unmapped {
      for other in rulesOfMapping(caller, isMapped: false) where other != rule {
        violated(other, "\(caller.username), who has no staff record, was let at a booking")
      }
    } else if permission?.standing == .other, hasChangedMapping(caller) {
      violated(.atp56, "\(caller.username) was taken for whom they were before")
    }
  }

  /// A refusal needs a cause.
  private func judgeWithoutCause(_ got: Kind, _ asked: Asked, _ permission: Permission?) {
    let what = "\(asked.name) got \(got.rawValue), and nothing is wrong with it"
    switch got {
    case .unauthorized:
      guard let caller = asked.caller else { return violated(.atp93, what) }
      violated(caller.hasRolesElsewhere ? .atp26 : .atp24, what)
      if isEnded(caller.claims?.sid) { violated(.atp27, what) }
    case .forbidden:
      guard let caller = asked.caller, let permission else { return violated(.atp93, what) }
      violated(permission.rule, what)
      if caller.roles.count > 1 { violated(.atp07, what) }
      if permission.standing == .own || permission.standing == .other {
        for rule in rulesOfMapping(caller, isMapped: true) where rule != permission.rule {
          violated(rule, what)
        }
      } else if usernames.known(caller.username) == nil {
        violated(.atp57, what)
      }
    case .notFound:
      violated(Self.appsOwn.contains(asked.right) ? .atp31 : .atp93, what)
      if asked.right == .assign { violated(.atp32, what) }
    case .invalidStage: violated(.atp75, what)
    case .transitionNotAllowed: violated(.atp76, what)
    case .staffNotFoundOrInactive: violated(.atp80, what)
    case .usernameInUse: violated(.atp55, what)
    default: violated(.atp93, what)
    }
  }

  /// Those of ATP-31 that take a token.
  private static let appsOwn: [Right?] = [
    .list, .detail, .stage, .assign, .activities, .addActivity, .invoices,
  ]

  /// Well-formed requests never get 5xx.
  func judgeServerError(_ call: AgencyCall) {
    guard call.request.isOfAPI else { return }
    switch call.outcome {
    case .refused(.api(.internalServerError, let about)):
      violated(.atp99, "\(call.request.name) got 500: \(about)")
    case .unknown(.serverError) where call.met.end == nil:
      violated(.atp99, "\(call.request.name) got a server error")
    case .replied, .refused: held(.atp99)
    case .unsent, .unknown: break
    }
  }
}

extension Asked {
  var name: String { call.request.name }
}

extension AsiaTravelPlan.Request {
  var name: String { AsiaTravelPlan.operations[AsiaTravelPlan.operation(of: self)].name }
}
