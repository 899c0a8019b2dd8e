import AsiaTravelPlanContract
import Contracts
import Observations
import Timekeeping

/// Bookings from the website: ATP-88, ATP-89, ATP-103.
extension AgencyChecks {
  static let websiteRules: [JudgedRule<AsiaTravelPlan>] = [
    JudgedRule(.atp89, [.asks(AsiaTravelPlan.requestTrip)]),
    JudgedRule(.atp103, everything),
  ]

  /// The checks of a request, in the order of 3.3.
  func expectWhole(_ asking: TripRequest, _ expected: inout Expectation) {
    let given: [String?] = [
      asking.name, asking.email, asking.destination, asking.style, asking.travelMonth,
      asking.travelers.flatMap { $0 == 0 ? nil : String($0) }, asking.duration,
    ]
    expected.check(given.contains { $0.named == nil }, .missingFields)
    expected.check(asking.email.map { $0.trimmed.isAddress }.map { !$0 }, .invalidEmail)
    expected.check(!(1...30).contains(asking.travelers ?? 0), .invalidTravelers)
  }

  // MARK: Learning, at once

  mutating func learn(_ asking: TripRequest, _ asked: Asked) {
    guard asked.call.mayHaveWorked else { return }
    guard case .accepted(let accepted, let isNew)? = asked.reply else {
      var expected = Expectation()
      expectWhole(asking, &expected)
      guard expected.must == nil else { return }
      perhapsBookings.add(asking, asked)
      perhapsCustomers.add(asking, asked)
      requests.append(asked.call.working)
      return
    }
    if isNew {
      learn(asking, of: customers.number(of: accepted.customerID), asked)
      learnBooking(asking, accepted, during: asked.during)
    }
    guard let key = asking.idempotencyKey?.trimmed, !key.isEmpty, trips[key] == nil else { return }
    trips[key] = (accepted, asked.call.answered)
  }

  private mutating func learnBooking(
    _ asking: TripRequest, _ accepted: TripAccepted, during interval: ClosedRange<Instant>
  ) {
    let number = bookings.number(of: accepted.bookingID)
    guard bookings[number].first == nil else { return }
    bookings[number].exists = interval
    bookings[number].isUnseenTrip = true
    bookings[number].isTimelineWhole = true
    // The clocks of client and server are no more than a minute apart.
    let moment = interval.lowerBound - .minutes(1)
    let asked = Booking(
      id: accepted.bookingID, customerID: accepted.customerID,
      destination: asking.destination?.trimmed, style: asking.style?.trimmed,
      travelMonth: asking.travelMonth?.trimmed, travelers: asking.travelers,
      duration: asking.duration?.trimmed, budget: asking.budget?.trimmed ?? "",
      notes: asking.notes?.trimmed ?? "", source: asking.source.filled,
      idempotencyKey: asking.idempotencyKey.named, createdAt: moment, updatedAt: moment)
    bookings[number].first = asked
    bookings[number].staff.set(nobody, during: interval)
    bookings[number].staged.set(Staged(stage: .new, due: nil), during: interval)
    bookings[number].updated.set(.distantFuture, during: interval)
    newest.append(number)
    touch(number)
    count(number)
  }

  // MARK: Judging

  /// At once: two answers with one key contradict each other whenever they came.
  mutating func judgeTrip(_ asking: TripRequest, _ asked: Asked) {
    guard case .accepted(let accepted, let isNew)? = asked.reply else { return }
    if let key = asking.idempotencyKey?.trimmed, !key.isEmpty, let first = trips[key] {
      let isSame =
        accepted.bookingID == first.accepted.bookingID
        && accepted.customerID == first.accepted.customerID
      // Of two at once the one that made the booking may be answered last.
      let isRepeat = isSame && (isNew ? asked.call.sent < first.at : accepted.isDeduplicated)
      expect(.atp89, isRepeat, "the repeat of \(key) made \(accepted.bookingID)")
      expect(.atp103, isRepeat, "the repeat of \(key) made \(accepted.bookingID)")
      return
    }
    if isNew { keepMatch(asking, accepted, asked) }
  }
}

extension String {
  /// `[^\\s@]+@[^\\s@]+\\.[^\\s@]+`: read from its end, and told apart by the places of its signs.
  var isAddress: Bool {
    let letters = Array(unicodeScalars)
    let ats = letters.indices.filter { letters[$0] == "@" }
    guard ats.count == 1, let at = ats.first, at > 0 else { return false }
    return !letters.contains { $0.properties.isWhitespace }
      && letters.indices.contains { $0 > at + 1 && $0 < letters.count - 1 && letters[$0] == "." }
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
