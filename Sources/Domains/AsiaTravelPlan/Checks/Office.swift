import AsiaTravelPlanContract
import Contracts
import Observations
import Timekeeping

/// What is known of a staff record.
struct StaffFacts {
  var isActive = Register<Bool>()
  /// Under which it has been shown.
  var names: [String] = []
  var usernames: [String] = []
}

/// Whose a username is, by staff record.
struct UsernameFacts {
  var record = Register<Int>()
  /// It has been another's, or nobody's, while the agency was open.
  var hasChanged = false
}

struct TourFacts {
  var exists: ClosedRange<Instant>?
  /// As it was shown or written last, since when; `nil` where a change of it has no answer.
  var shown: Tour?
  var since = Instant.distantPast
}

/// What the office reads and writes beside bookings: staff, tours, invoices, the bootstrap document (ATP-55, ATP-66, ATP-73, ATP-74,
/// ATP-92, ATP-94 to ATP-96, and OP-11).
extension AgencyChecks {
  static let officeRules: [JudgedRule<AsiaTravelPlan>] = [
    JudgedRule(.atp55, everything),
    JudgedRule(.atp66, [.controls, .asks(AsiaTravelPlan.bootstrap)]),
    JudgedRule(.atp73, [.asks(AsiaTravelPlan.bootstrap)]),
    JudgedRule(.atp74, [.asks(AsiaTravelPlan.bootstrap)]), JudgedRule(.atp94, everything),
    JudgedRule(.atp95, ofAPI),
  ]

  // MARK: The bootstrap document

  func judgeBootstrap(_ asked: Asked) {
    if let refusal = asked.refusal, refusal != .internalServerError {
      violated(refusal == .notFound ? .atp31 : .atp66, "the bootstrap document got \(asked.words)")
    }
    guard let shown = asked.reply?.bootstrap else { return }
    held(.atp31)
    var isRight = true
    if let values = decided.values(during: asked.during), isLoaded {
      let isSound = !(values.latestVersion?.isOlder(than: values.leastVersion) ?? false)
      isRight =
        shown.leastVersion == values.leastVersion && shown.forcesUpdate == values.forcesUpdate
        && (!isSound || shown.latestVersion == values.latestVersion ?? values.leastVersion)
    }
    expect(.atp66, isRight, "the bootstrap document says something else than is set")
    expect(
      .atp73, shown.contractVersion == AsiaTravelPlan.contractVersion,
      "the contract's version is \(shown.contractVersion)")
    expect(
      .atp74, !shown.latestVersion.isOlder(than: shown.leastVersion),
      "the latest version \(shown.latestVersion.text) is older than the least \(shown.leastVersion.text)"
    )
    expect(
      .atp03, shown.hasBookings && !shown.hasCustomers && !shown.hasTours,
      "the bootstrap document offers what comes later")
  }

  /// ATP-95: an answer has the cross-origin headers, where it came over a wire; `OPTIONS` gives 204 to anybody.
  func judgeHeaders(_ call: AgencyCall) {
    if call.outcome.isAnswered {
      switch call.headers {
      case .unseen: break
      case .whole: held(.atp95)
      case .lacking(let place):
        let header = AsiaTravelPlan.headers(ofEveryAnswerOf: 0)[Int(place)]
        violated(.atp95, "the answer to \(call.request.name) lacks \(header.name): \(header.value)")
      }
    }
    guard case .unread(.unrouted(let it)) = call.request, it.method == "OPTIONS",
      it.service != AsiaTravelPlan.provider, call.outcome.isAnswered
    else { return }
    expect(.atp95, call.outcome.reply == .options, "OPTIONS \(it.target) is refused")
  }

  // MARK: Staff

  mutating func learn(_ record: StaffRecord, during interval: ClosedRange<Instant>, isFirst: Bool) {
    let number = staff.number(of: record.id)
    staff[number].isActive.set(record.isActive, during: interval)
    learn(name: record.name, of: number)
    let names = record.usernames.map { StaffRecord.normalised($0) }.filter { !$0.isEmpty }
    for name in staff[number].usernames where !names.contains(name) {
      set(name, to: nobody, during: interval, isFirst: isFirst)
    }
    for name in names where !staff[number].usernames.contains(name) {
      set(name, to: number, during: interval, isFirst: isFirst)
    }
    staff[number].usernames = names
  }

  private mutating func set(
    _ name: String, to record: Int, during interval: ClosedRange<Instant>, isFirst: Bool
  ) {
    let number = usernames.number(of: name)
    if usernames[number].record.isEmpty {
      usernames[number].record.set(nobody, during: .distantPast ... .distantPast)
    }
    usernames[number].record.set(record, during: interval)
    if !isFirst { usernames[number].hasChanged = true }
  }

  mutating func learn(_ asking: NewStaff, _ asked: Asked) {
    guard asked.call.mayHaveWorked else { return }
    if let record = asked.reply?.staffRecord {
      learn(record, during: asked.during, isFirst: false)
      return
    }
    var expected = Expectation()
    expect(asking, asked, &expected)
    guard expected.must == nil else { return }
    perhapsStaff.add(asking, asked)
    for name in asking.usernames ?? [] {
      let number = usernames.number(of: StaffRecord.normalised(name))
      if usernames[number].record.isEmpty {
        usernames[number].record.set(nobody, during: .distantPast ... .distantPast)
      }
      usernames[number].record.set(somebody, during: asked.call.working, isCertain: false)
    }
  }

  func judgeNewStaff(_ asking: NewStaff, _ asked: Asked) {
    guard let record = asked.reply?.staffRecord else { return }
    var names: [String] = []
    for name in (asking.usernames ?? []).map({ StaffRecord.normalised($0) })
    where !name.isEmpty && !names.contains(name) {
      names.append(name)
    }
    expect(
      .atp93,
      record.name == asking.name?.trimmed && record.usernames == names
        && record.isActive == asking.isActive ?? true,
      "the staff record \(record.id) is not the one that was asked for")
    held(.atp55)
  }

  /// The directory, in both directions.
  mutating func judgeDirectory(_ withInactive: Bool, _ asked: Asked) {
    guard let records = asked.reply?.staff else { return }
    for record in records
    where staff.known(record.id).map({ staff[$0].isActive.isEmpty }) ?? true {
      let made = perhapsStaff.take(by: asked.call.answered) { $0.name?.trimmed == record.name }
      if let made { learn(record, during: made, isFirst: false) }
    }
    expect(
      .atp92,
      zip(records, records.dropFirst()).allSatisfy { $0.name.lowercased() <= $1.name.lowercased() }
        && (withInactive || records.allSatisfy(\.isActive)),
      "the staff directory is not in the order of the names, or shows inactive records")
    let names = records.flatMap(\.usernames)
    expect(.atp55, Set(names).count == names.count, "a username belongs to two staff records")
    let missing = staff.indices.first { number in
      guard let isActive = staff[number].isActive.value(during: asked.during) else { return false }
      return (isActive || withInactive) && !records.contains { $0.id == staff.names[number] }
    }
    expect(.atp96, missing == nil, "\(missing.map(name) ?? "") is missing from the staff directory")
  }

  func judgeIdentity(_ asked: Asked) {
    guard case .identity(let shown)? = asked.reply, let caller = asked.caller,
      let claims = caller.claims, acceptance(of: asked) == .yes
    else { return }
    expect(
      .atp26, shown.user.map { Set($0.roles) } == Set(caller.roles),
      "\(caller.actor) is said to have other roles than the token says")
    if caller.roles.count > 1, shown.user.map({ Set($0.roles) }) != Set(caller.roles) {
      violated(.atp07, "\(caller.actor) has several roles, and not all of them count")
    }
    let mapping = mapping(of: caller, during: asked.during)
    let record: String? = if case .to(let number) = mapping { staff.names[number] } else { nil }
    guard mapping != .unknown, let user = shown.user else { return }
    // Whether a name that is empty is one is nobody's rule.
    let isRight =
      user.sub == claims.sub
      && user.preferredUsername ?? "" == claims.preferredUsername ?? ""
      && user.staffID == record
    expect(.atp52, isRight, "\(caller.actor) is said to be \(user.staffID ?? "no member of staff")")
    if !isRight, hasChangedMapping(caller) { violated(.atp56, "\(caller.actor) is whom they were") }
  }

  func hasChangedMapping(_ caller: CallerFacts) -> Bool {
    usernames.known(caller.username).map { usernames[$0].hasChanged } ?? false
  }

  // MARK: Tours

  mutating func learn(_ tour: Tour, during interval: ClosedRange<Instant>) {
    let number = tours.number(of: tour.id)
    if tours[number].exists == nil { tours[number].exists = interval }
    tours[number].shown = tour
    tours[number].since = interval.upperBound
  }

  /// A change of a tour: until it is shown again, what it is now is certain only where it was answered.
  mutating func learnTour(_ asked: Asked) {
    guard asked.call.mayHaveWorked else { return }
    if case .tourWritten(let tour, _)? = asked.reply {
      if case .changeTour = asked.call.request {
        // One that is not known is named later.
        guard let number = tours.known(tour.id) else { return }
        if tours[number].since > asked.call.sent {
          // Of two that overlap nobody knows which came last.
          tours[number].shown = nil
          return
        }
      }
      return learn(tour, during: asked.during)
    }
    if case .addTour(let it) = asked.call.request { perhapsTours.add(it, asked) }
    guard case .changeTour(let it) = asked.call.request, let number = tours.known(it.tour ?? "")
    else { return }
    tours[number].shown = nil
    tours[number].since = asked.call.working.upperBound
  }

  /// A tour that is shown first may be one that a request without an answer made.
  mutating func name(_ tour: Tour, _ asked: Asked) {
    guard tours.known(tour.id) == nil, let made = perhapsTours.take(by: asked.call.answered) else {
      return
    }
    tours[tours.number(of: tour.id)].exists = made
  }

  mutating func judgeTours(_ query: TourQuery, _ asked: Asked) {
    guard let list = asked.reply?.tours else { return }
    for tour in list.page.items { name(tour, asked) }
    let extent = PageExtent(page: query.page, size: query.pageSize)
    let page = list.page
    let isOrdered = zip(page.items, page.items.dropFirst()).allSatisfy {
      query.sort == TourQuery.byTitle
        ? $0.title.lowercased() <= $1.title.lowercased()
        : $0.updatedAt ?? .distantPast >= $1.updatedAt ?? .distantPast
    }
    expect(
      .atp92,
      isOrdered && page.page == extent.page && page.pageSize == extent.size
        && page.totalPages == extent.pages(of: page.total)
        && page.items.count == max(0, min(extent.size, page.total - extent.offset)),
      "a page of \(page.items.count) of \(page.total) tours is not the one that was asked for")
    guard isLoaded, query.search == nil, query.destination == nil, query.style == nil else {
      return
    }
    let there = tours.indices.count {
      tours[$0].exists.map { $0.upperBound <= asked.call.sent } ?? false
    }
    let known = tours.indices.count {
      tours[$0].exists.map { $0.lowerBound <= asked.call.answered } ?? false
    }
    let atMost = known + perhapsTours.count(by: asked.call.answered)
    expect(
      .atp92, (there...max(there, atMost)).contains(page.total),
      "\(page.total) tours are listed, and there are \(there)")
  }

  /// What was asked for stands in the answer.
  mutating func judgeWritten(_ asking: TourDraft, _ asked: Asked) {
    guard case .tourWritten(let tour, _)? = asked.reply else { return }
    name(tour, asked)
    func isSo<Value: Equatable>(_ asked: Value?, _ shown: Value) -> Bool { asked ?? shown == shown }
    expect(
      .atp45,
      isSo(asking.title?.trimmed, tour.title)
        && isSo(asking.shortDescription?.trimmed, tour.shortDescription)
        && isSo(asking.destinationCountries?.named, tour.destinationCountries)
        && isSo(asking.styles?.named, tour.styles) && isSo(asking.priority, tour.priority)
        && isSo(asking.durationDays, tour.durationDays)
        && isSo(asking.priceFrom, tour.priceFrom)
        && (tour.updatedAt.map { isTimely($0, asked) } ?? true),
      "the tour \(tour.id) is not what was asked for")
  }

  /// At once, by what was known before: a change that is under way makes nothing certain.
  func judgeTour(_ id: String, _ asked: Asked) {
    guard let tour = asked.reply?.tour?.tour, let number = tours.known(id),
      let known = tours[number].shown, tours[number].since <= asked.call.sent
    else { return }
    // Another change may have worked meanwhile, of which nobody has heard yet: then it is newer.
    guard tour != known else { return held(.atp45) }
    expect(
      .atp45, tour.updatedAt ?? .distantPast > known.updatedAt ?? .distantPast,
      "the tour \(id) is not as it was written")
  }

  // MARK: Invoices

  mutating func loaded(_ invoice: Invoice) {
    if let number = invoice.invoiceNumber { invoiceNumbers.insert(number) }
    let number = bookings.number(of: invoice.bookingID)
    let place = bookings[number].place(ofInvoice: invoice.id)
    bookings[number].invoices[place].exists = .distantPast ... .distantPast
  }

  mutating func learn(_ asking: InvoiceDraft, _ asked: Asked) {
    guard asked.call.mayHaveWorked else { return }
    var shown: Invoice?
    if case .invoice(let invoice, _)? = asked.reply { shown = invoice }
    guard let id = shown?.id ?? asking.invoice else {
      let isRefused = asking.items.map(Self.holdsNoAmount) ?? true
      if !isRefused { bookings[asked.booking].perhapsInvoices.add(asking, asked) }
      return
    }
    let place = bookings[asked.booking].place(ofInvoice: id)
    if asking.invoice == nil { bookings[asked.booking].invoices[place].exists = asked.during }
    bookings[asked.booking].invoices[place].note(
      InvoiceChange(
        during: asked.call.working, version: shown?.version,
        due: shown?.dueAmountCents ?? asking.positiveDue ?? asking.total,
        setsDue: asking.positiveDue != nil || asking.items != nil,
        isOfContent: asking.changesContent))
  }

  /// An invoice that is shown first may be one that a request without an answer made.
  private mutating func name(_ invoice: Invoice, _ asked: Asked) {
    let place = bookings[asked.booking].place(ofInvoice: invoice.id)
    guard bookings[asked.booking].invoices[place].exists == nil,
      let made = bookings[asked.booking].perhapsInvoices.take(by: asked.call.answered)
    else { return }
    bookings[asked.booking].invoices[place].exists = made
    bookings[asked.booking].invoices[place].changes.insert(
      InvoiceChange(during: made, version: 1, due: nil, setsDue: true, isOfContent: true), at: 0)
  }

  mutating func judgeInvoices(_ id: String, _ asked: Asked) {
    guard let invoices = asked.reply?.invoices else { return }
    for invoice in invoices { name(invoice, asked) }
    expect(
      .atp94,
      zip(invoices, invoices.dropFirst()).allSatisfy {
        $0.updatedAt ?? .distantPast >= $1.updatedAt ?? .distantPast
      }
        && invoices.allSatisfy { $0.dueAmountCents > 0 && $0.bookingID == id },
      "the invoices of \(id) are not the latest change first, or nothing is due")
    let missing = bookings[asked.booking].invoices.first { known in
      known.exists.map { $0.upperBound <= asked.call.sent } ?? false
        && !invoices.contains { $0.id == known.id }
    }
    expect(.atp96, missing == nil, "\(missing?.id ?? "") is missing from the invoices of \(id)")
  }

  mutating func judgeInvoice(_ asking: InvoiceDraft, _ asked: Asked) {
    guard case .invoice(let invoice, let isNew)? = asked.reply else { return }
    name(invoice, asked)
    let sum = asking.total ?? invoice.items.reduce(0) { $0 + $1.totalAmountCents }
    let due = asking.positiveDue
    expect(
      .atp94,
      invoice.dueAmountCents > 0
        && (invoice.items.isEmpty && asking.total == nil || invoice.totalAmountCents == sum)
        && (due ?? (asking.items == nil ? nil : sum)).map { $0 == invoice.dueAmountCents } ?? true,
      "invoice \(invoice.id) is over \(invoice.totalAmountCents), its items over \(sum), and \(invoice.dueAmountCents) are due"
    )
    let isSent = asking.isSent ?? (isNew ? false : nil)
    expect(
      .atp94,
      invoice.sentToCustomer == (invoice.sentToCustomerAt != nil)
        && (isSent.map { invoice.sentToCustomer == $0 } ?? true)
        && (isSent == nil || invoice.status == (isSent == true ? "INVOICE_SENT" : "DRAFT")),
      "invoice \(invoice.id) is \(invoice.status) after it was marked as \(isSent == true ? "sent" : "not sent")"
    )
    judgeVersion(of: invoice, asking, asked)
    guard isNew, asking.number.named == nil, let number = invoice.invoiceNumber else { return }
    expect(
      .atp94, invoiceNumbers.insert(number).inserted,
      "invoice \(invoice.id) has the number \(number), which another was given")
  }

  /// One at first, and one more with each change of what it says: of those that may have worked meanwhile each may count.
  private func judgeVersion(of invoice: Invoice, _ asking: InvoiceDraft, _ asked: Asked) {
    guard asking.invoice != nil else {
      return expect(
        .atp94, invoice.version == 1, "invoice \(invoice.id) begins as \(invoice.version)")
    }
    let known = bookings[asked.booking].invoices.first { $0.id == invoice.id }
    let before = known?.changes.filter { $0.during.upperBound <= asked.call.sent } ?? []
    guard let known, let last = before.max(by: { $0.version ?? 0 < $1.version ?? 0 }),
      let version = last.version
    else { return }
    let meanwhile = known.changes.filter {
      $0.isOfContent && $0.during.lowerBound <= asked.call.answered
        && $0.during.upperBound >= last.during.lowerBound
        && $0.version.map { $0 > version && $0 != invoice.version } ?? true
    }
    let least = version + (asking.changesContent ? 1 : 0)
    expect(
      .atp94, (least...least + meanwhile.count).contains(invoice.version),
      "invoice \(invoice.id) was version \(version), and is \(invoice.version)")
    let dues = ([last] + meanwhile.filter(\.setsDue)).map(\.due)
    expect(
      .atp94,
      asking.positiveDue != nil || asking.items != nil || dues.contains(nil)
        || dues.contains(invoice.dueAmountCents),
      "of invoice \(invoice.id) \(last.due ?? 0) were due, and \(invoice.dueAmountCents) are")
  }
}

extension BookingFacts {
  /// Where what is known of an invoice stands, from now on.
  fileprivate mutating func place(ofInvoice id: String) -> Int {
    if let place = invoices.firstIndex(where: { $0.id == id }) { return place }
    invoices.append(InvoiceFacts(id: id))
    return invoices.count - 1
  }
}

extension InvoiceFacts {
  /// Forgets what came certainly before an answer of ten minutes ago.
  fileprivate mutating func note(_ change: InvoiceChange) {
    let old = change.during.lowerBound - .minutes(10)
    if let settled = changes.last(where: { $0.version != nil && $0.during.upperBound <= old }) {
      changes.removeAll { $0.during.upperBound < settled.during.lowerBound }
    }
    changes.append(change)
  }
}

extension InvoiceDraft {
  /// What is to be due; zero and less stand for the sum.
  fileprivate var positiveDue: Int? { dueAmountCents.flatMap { $0 > 0 ? $0 : nil } }

  /// What the items that say an amount come to; `nil` where none are named, or they are more than can be counted.
  fileprivate var total: Int? {
    guard let items else { return nil }
    var sum = 0
    for item in items {
      guard let amount = item.unitAmountCents, amount > 0 else { continue }
      let (total, isTooMuch) = amount.multipliedReportingOverflow(by: max(1, item.quantity ?? 1))
      guard !isTooMuch, total < 1 << 50, sum < 1 << 50 else { return nil }
      sum += total
    }
    return sum
  }
}
