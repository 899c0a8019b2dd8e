import AsiaTravelPlanContract
import Contracts
import Observations
import Timekeeping

/// What is known of a customer from the fixture and the website's requests.
struct CustomerFacts {
  let name: String?
  let email: String?
  var phone: String? { didSet { digits = AgencyChecks.digits(phone) } }
  /// When they became so; `nil` for a customer of whom not all is known.
  var since: ClosedRange<Instant>?
  /// By what phones and names are compared: each request from the website is compared with all of them.
  private(set) var digits: [UInt8]
  let letters: [Unicode.Scalar]
  /// What requests of theirs said that overlapped the last one: the backend may have taken any of them after it.
  var rivals: [Rival] = []

  struct Rival {
    let name: String?
    let email: String?
    let phone: String?
    let until: Instant
  }

  init(
    name: String? = nil, email: String? = nil, phone: String? = nil,
    since: ClosedRange<Instant>? = nil
  ) {
    (self.name, self.email, self.phone, self.since) = (name, email, phone, since)
    (digits, letters) = (AgencyChecks.digits(phone), AgencyChecks.letters(name))
  }

  /// Whether they were what is known, or what one of the rivals says, throughout an interval.
  func isSettled(during interval: ClosedRange<Instant>) -> Bool {
    since.map { $0.upperBound <= interval.lowerBound } ?? false
  }

  func isCertain(during interval: ClosedRange<Instant>) -> Bool {
    rivals.isEmpty && isSettled(during: interval)
  }

  /// Whether a customer who is shown has a name and an e-mail that are possible.
  func mayBe(_ shown: Customer) -> Bool {
    shown.name == name && shown.email == email
      || rivals.contains { shown.name == $0.name && shown.email == $0.email }
  }
}

/// Whose a request from the website is, and what is shown of customers: ATP-90; their lists (ATP-92), and whose they are (ATP-36).
extension AgencyChecks {
  static let customerRules: [JudgedRule<AsiaTravelPlan>] = [JudgedRule(.atp90, everything)]

  /// Of more a check does not look at each.
  private static let most = 2_000

  /// What was answered to a request, judged once all is known that may have happened beside it.
  struct Match {
    /// `nil` where nothing is wrong.
    let fault: String?
    let during: ClosedRange<Instant>
    let moment: Moment
  }

  // MARK: Learning, at once

  mutating func loaded(_ customer: Customer) {
    let number = customers.number(of: customer.id)
    customers[number] = CustomerFacts(
      name: customer.name, email: customer.email, phone: customer.phone,
      since: .distantPast ... .distantPast)
    if let email = customer.email, emails[Self.key(email)] == nil {
      emails[Self.key(email)] = number
    }
  }

  /// Who asked is called so from now on; a phone that is not named stays.
  mutating func learn(_ asking: TripRequest, of customer: Int, _ asked: Asked) {
    let before = customers[customer]
    var facts = CustomerFacts(
      name: asking.name?.trimmed, email: asking.email?.trimmed,
      phone: asking.phone.named ?? before.phone, since: asked.during)
    if let since = before.since, since.upperBound > asked.call.sent {
      facts.since =
        min(since.lowerBound, asked.call.sent)...max(since.upperBound, asked.call.answered)
      facts.rivals =
        before.rivals.filter { $0.until > asked.call.sent } + [
          CustomerFacts.Rival(
            name: before.name, email: before.email, phone: before.phone, until: since.upperBound)
        ]
    }
    set(facts, of: customer)
    requests.removeAll { $0.upperBound + .minutes(5) < asked.call.sent }
    requests.append(asked.during)
  }

  private mutating func set(_ facts: CustomerFacts, of customer: Int) {
    if let old = customers[customer].email, emails[Self.key(old)] == customer {
      emails[Self.key(old)] = nil
    }
    customers[customer] = facts
    emails[Self.key(facts.email ?? "")] = customer
  }

  // MARK: Who asks (ATP-90)

  /// At once, by what was known before; it is judged later.
  mutating func keepMatch(_ asking: TripRequest, _ accepted: TripAccepted, _ asked: Asked) {
    guard isLoaded, let known = known(asking) else { return }
    let found = customers.known(accepted.customerID)
    let isRight =
      known.isEmpty
      ? found == nil && !accepted.isDeduplicated
      : found.map(known.contains) ?? false && accepted.isDeduplicated
    let names = known.map { customers.names[$0] }.joined(separator: " or ")
    keep(
      Match(
        fault: isRight
          ? nil
          : "\(names.isEmpty ? "nobody who is known" : names) asked for \(accepted.bookingID), and \(accepted.customerID) is to have it",
        during: asked.during, moment: asked.moment))
  }

  /// Of requests that overlap nobody can tell which came first.
  mutating func judge(_ match: Match) {
    let atOnce = requests.count {
      $0.lowerBound < match.during.upperBound && match.during.lowerBound < $0.upperBound
    }
    guard atOnce == 1 else { return }
    verdicts.moment = match.moment
    expect(.atp90, match.fault == nil, match.fault ?? "")
  }

  /// Whose e-mail it is, else whose phone, else whose name nearly is the same; `nil` where that is not certain.
  private func known(_ asking: TripRequest) -> [Int]? {
    if let customer = emails[Self.key(asking.email ?? "")] {
      return isUncertain(customer) ? nil : [customer]
    }
    guard customers.indices.count <= Self.most, perhapsCustomers.isEmpty,
      customers.indices.allSatisfy({
        customers[$0].since != nil && customers[$0].rivals.isEmpty
      })
    else { return nil }
    let digits = Self.digits(asking.phone)
    if !digits.isEmpty {
      let same = customers.indices.filter { customers[$0].digits == digits }
      if !same.isEmpty { return same }
    }
    let name = Self.letters(asking.name)
    guard (AsiaTravelPlan.shortestName.value...200).contains(name.count) else { return nil }
    let near = customers.indices.filter { Self.isNear(name, customers[$0].letters) }
    let areNames = near.allSatisfy {
      customers[$0].letters.count >= AsiaTravelPlan.shortestName.value
    }
    return areNames ? near : nil
  }

  /// Whether a request without an answer may have changed a customer since that was known.
  private func isUncertain(_ customer: Int) -> Bool {
    let facts = customers[customer]
    guard let since = facts.since,
      !facts.rivals.contains(where: { Self.key($0.email ?? "") != Self.key(facts.email ?? "") })
    else { return true }
    return perhapsCustomers.mayWork(after: since.lowerBound) { Self.isOf(facts, $0) }
  }

  /// Whether a request without an answer may be of a customer as they were, or became by another.
  private func mayBe(_ facts: CustomerFacts, whoAsked asking: TripRequest) -> Bool {
    if Self.isOf(facts, asking) { return true }
    // It is like itself.
    return perhapsCustomers.drafts.count { Self.isOf($0.email, $0.phone, $0.name, asking) } > 1
  }

  private static func isOf(_ facts: CustomerFacts, _ asking: TripRequest) -> Bool {
    isOf(facts.email, facts.phone, facts.name, asking)
      || facts.rivals.contains { isOf($0.email, $0.phone, $0.name, asking) }
  }

  private static func isOf(
    _ email: String?, _ phone: String?, _ name: String?, _ asking: TripRequest
  ) -> Bool {
    key(asking.email ?? "") == key(email ?? "")
      || (asking.phone.named != nil && digits(asking.phone) == digits(phone))
      || isNear(letters(asking.name), letters(name))
  }

  /// Whether one becomes the other by few letters put in, taken out or replaced.
  static func isNear(_ name: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Bool {
    name.count <= 200
      && name.withUnsafeBufferPointer { a in
        other.withUnsafeBufferPointer { b in
          isNear(a, 0, b, 0, within: AsiaTravelPlan.mostEdits.value)
        }
      }
  }

  /// - Parameter i, j: From where on they are compared.
  private static func isNear(
    _ a: UnsafeBufferPointer<Unicode.Scalar>, _ i: Int, _ b: UnsafeBufferPointer<Unicode.Scalar>,
    _ j: Int, within edits: Int
  ) -> Bool {
    guard abs((a.count - i) - (b.count - j)) <= edits else { return false }
    var (i, j) = (i, j)
    while i < a.count, j < b.count, a[i] == b[j] { (i, j) = (i + 1, j + 1) }
    if i == a.count || j == b.count { return true }
    return edits > 0
      && (isNear(a, i + 1, b, j + 1, within: edits - 1)
        || isNear(a, i + 1, b, j, within: edits - 1)
        || isNear(a, i, b, j + 1, within: edits - 1))
  }

  private static func key(_ email: String) -> String { email.trimmed.lowercased() }

  static func digits(_ phone: String?) -> [UInt8] {
    (phone ?? "").utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  static func letters(_ name: String?) -> [Unicode.Scalar] {
    Array((name?.trimmed.lowercased() ?? "").unicodeScalars)
  }

  // MARK: What is shown

  /// The customer of a booking, or one that was asked for by id.
  mutating func see(_ customer: Customer, as id: String, _ asked: Asked) {
    expect(.atp36, customer.id == id, "\(customer.id) is shown in place of \(id)")
    let number = customers.known(customer.id)
    let known = number.map { customers[$0] }
    if let number, let known {
      guard known.isSettled(during: asked.during) else { return }
      if known.mayBe(customer), isPhone(customer.phone, of: known) {
        customers[number].phone = customer.phone
        if !known.rivals.isEmpty {
          set(
            CustomerFacts(
              name: customer.name, email: customer.email, phone: customer.phone,
              since: known.since), of: number)
        }
        return held(.atp90)
      }
    }
    let place = perhapsCustomers.place(
      by: asked.call.answered, after: known?.since?.lowerBound ?? .distantPast
    ) { asking in
      asking.name?.trimmed == customer.name && asking.email?.trimmed == customer.email
        && (asking.phone.named == nil || Self.digits(asking.phone) == Self.digits(customer.phone))
        && (known.map { mayBe($0, whoAsked: asking) } ?? true)
    }
    if let place {
      let facts = CustomerFacts(
        name: customer.name, email: customer.email, phone: customer.phone,
        since: perhapsCustomers.take(place, by: asked.call.answered))
      set(facts, of: customers.number(of: customer.id))
      return held(.atp90)
    }
    guard let known else { return }
    violated(
      .atp90,
      "\(id) is shown as \(customer.name ?? "nobody"), \(customer.email ?? "without e-mail"), and is \(known.name ?? "nobody"), \(known.email ?? "without e-mail")"
    )
  }

  /// A request that names none keeps the phone, which one without an answer may have named.
  private func isPhone(_ phone: String?, of known: CustomerFacts) -> Bool {
    let digits = Self.digits(phone)
    return digits == Self.digits(known.phone)
      || known.rivals.contains { digits == Self.digits($0.phone) }
      || perhapsCustomers.drafts.contains { Self.digits($0.phone) == digits && !digits.isEmpty }
  }

  /// A list of customers: a page of what there is, and of those whose names hold what is searched none is missing in the total.
  mutating func judgeCustomers(_ query: CustomerQuery, _ asked: Asked) {
    guard let page = asked.reply?.customers else { return }
    let extent = PageExtent(page: query.page, size: query.pageSize)
    expect(
      .atp92,
      page.page == extent.page && page.pageSize == extent.size
        && page.totalPages == extent.pages(of: page.total)
        && page.items.count == max(0, min(extent.size, page.total - extent.offset)),
      "a page of \(page.items.count) of \(page.total) customers is not the one that was asked for")
    for customer in page.items { see(customer, as: customer.id, asked) }
    guard isLoaded, customers.indices.count <= Self.most else { return }
    let search = Self.letters(query.search)
    let isSure = perhapsCustomers.isEmpty
    let there = customers.indices.count { number in
      isSure && customers[number].isCertain(during: asked.during)
        && customers[number].letters.holds(search)
    }
    let atMost = customers.indices.count + perhapsCustomers.count(by: asked.call.answered)
    let isRight = page.total >= there && page.total <= atMost
    expect(.atp92, isRight, "\(page.total) customers are listed, and there are \(there) at least")
  }
}
