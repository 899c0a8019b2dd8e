import AsiaTravelPlanContract
import Contracts
import Timekeeping

/// Bookings that come from the website (OP-17).
extension AgencyTwin {
  static let ofWebsite = RulesOfFile<AsiaTravelPlan.Rule>(.atp88, .atp89, .atp90, .atp103)

  mutating func requestTrip(
    _ asked: TripRequest, at now: Instant
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    try requireBody(isNull: asked.isNull)
    try requireWhole(asked)
    let key = asked.idempotencyKey?.trimmed ?? ""
    if rules.binds(.atp89), rules.binds(.atp103), let number = bookings.byIdempotencyKey[key] {
      let first = bookings[number].booking
      return .accepted(
        TripAccepted(bookingID: first.id, customerID: first.customerID, isDeduplicated: true),
        isNew: false)
    }
    let moment = now.inMilliseconds
    let (customer, isKnown) = customer(of: asked, at: moment)
    let isWhole = rules.binds(.atp88)
    let booking = Booking(
      id: "booking_" + identifiers.text(), customerID: customer,
      slaDueAt: isWhole ? Booking.Stage.new.sla.map { moment + $0 } : nil,
      destination: asked.destination?.trimmed, style: asked.style?.trimmed,
      travelMonth: asked.travelMonth?.trimmed, travelers: asked.travelers,
      duration: asked.duration?.trimmed, budget: asked.budget?.trimmed ?? "",
      notes: asked.notes?.trimmed ?? "", source: asked.source.filled,
      idempotencyKey: key.isEmpty ? nil : key, createdAt: moment, updatedAt: moment)
    let created = Activity(
      id: "act_" + identifiers.text(), bookingID: booking.id, type: "BOOKING_CREATED",
      detail: "Booking created from website form", actor: "public_api", createdAt: moment)
    let number = bookings.insert(booking, isWhole ? [created] : [])
    customers.note(booking: number, of: customer)
    describe(number)
    changes.note(number)
    work.rowsWritten += 3
    return .accepted(
      TripAccepted(bookingID: booking.id, customerID: customer, isDeduplicated: isKnown),
      isNew: true)
  }

  private func requireWhole(_ asked: TripRequest) throws(AsiaTravelPlan.Refusal) {
    let given: [(name: String, text: String?)] = [
      ("name", asked.name), ("email", asked.email), ("destination", asked.destination),
      ("style", asked.style), ("travelMonth", asked.travelMonth),
      ("travelers", asked.travelers.flatMap { $0 == 0 ? nil : String($0) }),
      ("duration", asked.duration),
    ]
    let missing = given.filter { $0.text?.trimmed.isEmpty ?? true }.map(\.name)
    if !missing.isEmpty {
      throw .api(.missingFields, about: missing.joined(separator: ", "))
    }
    try require(asked.email?.trimmed.isAddress ?? false, or: .invalidEmail)
    try require((1...30).contains(asked.travelers ?? 0), or: .invalidTravelers)
  }

  /// Who asks, new or known (ATP-90).
  private mutating func customer(
    of asked: TripRequest, at moment: Instant
  ) -> (id: String, isKnown: Bool) {
    var customer = Customer(
      id: "", name: asked.name?.trimmed, email: asked.email?.trimmed,
      phone: asked.phone?.trimmed ?? "", language: asked.language?.trimmed ?? "",
      updatedAt: moment)
    if rules.binds(.atp90), let number = customers.match(customer) {
      let present = customers[number].customer
      (customer.id, customer.createdAt, customer.tags) = (
        present.id, present.createdAt, present.tags
      )
      if customer.phone?.isEmpty ?? true { customer.phone = present.phone }
      if customer.language?.isEmpty ?? true { customer.language = present.language }
      customers.set(customer)
      for number in customers[number].bookings { describe(number) }
      return (customer.id, true)
    }
    customer.id = "cust_" + identifiers.text()
    customer.createdAt = moment
    customers.set(customer)
    return (customer.id, false)
  }
}

extension String {
  /// A part, an at sign, a part with a dot inside; a sign counts, whatever combines with it.
  fileprivate var isAddress: Bool {
    let parts = unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty
      && !unicodeScalars.contains(where: \.properties.isWhitespace)
      && parts[1].dropFirst().dropLast().contains(".")
  }
}

extension Booking.Source {
  /// As the form's bookings have it: what was not given is empty.
  fileprivate var filled: Booking.Source {
    Booking.Source(
      pageURL: pageURL?.trimmed ?? "", utmSource: utmSource?.trimmed ?? "",
      utmMedium: utmMedium?.trimmed ?? "", utmCampaign: utmCampaign?.trimmed ?? "",
      referrer: referrer?.trimmed ?? "")
  }
}
