import AsiaTravelPlanContract
import Contracts
import Observations
import Timekeeping

/// The stage of a booking with its due time.
struct Staged: Equatable {
  var stage: Booking.Stage
  /// `.some(nil)`: it has none; `nil`: nobody knows.
  var due: Instant??
}

/// A write that must, or may, stand in a timeline: it is taken away once it is seen there.
struct Write {
  enum What: Equatable {
    case stage(Booking.Stage)
    /// To a record, or to nobody; by the name that was answered.
    case staff(Int, String?)
    /// What was answered.
    case activity(Activity)
    /// One that was not answered.
    case lostActivity(type: String, detail: String)
  }

  let what: What
  let actor: String
  let writer: Int
  let during: ClosedRange<Instant>
  let isCertain: Bool
  let moment: Moment
  /// Whether another write of the booking was under way meanwhile (ATP-98).
  var isParallel: Bool
}

/// What is known of a write that was answered, or may have been done.
struct Written {
  let writer: Int
  let actor: String
  let end: Instant
  /// Another was not over when it was sent (ATP-98).
  var isParallel = false
}

/// What is known of a booking.
struct BookingFacts {
  /// When it was made; `nil` for one of which nobody said so.
  var exists: ClosedRange<Instant>?
  /// As it was shown first; what never changes is compared with this.
  var first: Booking?
  /// It came from the website, and nobody has looked at it yet.
  var isUnseenTrip = false
  var staff = Register<Int>()
  var staged = Register<Staged>()
  /// `distantFuture` stands for some instant that nobody knows.
  var updated = Register<Instant>()
  /// The longest timeline that was shown, by when that was, and whether there is nothing before its records.
  var timeline: [Activity] = []
  var timelineShown = Instant.distantPast
  var isTimelineWhole = false
  var writes: [Write] = []
  var lastWrite: Written?
  /// When a write of it was refused that would have changed it.
  var refused: Instant?
  var invoices: [InvoiceFacts] = []
  var perhapsInvoices = PerhapsMade<InvoiceDraft>()
  /// As it is counted now, for lists.
  var counted: (staff: Int, stage: Booking.Stage)?
  /// Its newest place among those that were touched lately.
  var touched = -1
}

struct InvoiceFacts {
  let id: String
  /// When it was made; `nil` for one of which only that it was asked for is known.
  var exists: ClosedRange<Instant>?
  var changes: [InvoiceChange] = []
}

/// What made an invoice, or changed it, or may have.
struct InvoiceChange {
  let during: ClosedRange<Instant>
  /// As it was answered.
  let version: Int?
  /// What is due since; `nil` where that is not known.
  let due: Int?
  let setsDue: Bool
  /// It is more than a mark that the invoice was sent, or was not.
  let isOfContent: Bool
}

/// What bookings show wherever they are shown: ATP-05, ATP-35, ATP-51, ATP-79, ATP-86, ATP-88, ATP-91, ATP-96 and ATP-98.
extension AgencyChecks {
  static let bookingRules: [JudgedRule<AsiaTravelPlan>] =
    [JudgedRule(.atp35, ofAPI)]
    + [.atp05, .atp51, .atp79, .atp86, .atp88, .atp91, .atp96, .atp98]
    .map { JudgedRule($0, everything) }

  // MARK: Learning

  mutating func loaded(_ booking: Booking, at now: Instant) {
    let number = bookings.number(of: booking.id)
    guard bookings[number].exists == nil else { return }
    let always = Instant.distantPast...Instant.distantPast
    bookings[number].exists = always
    bookings[number].isTimelineWhole = true
    bookings[number].timeline = booking.activities ?? []
    take(booking, as: number, during: always)
    newest.append(number)
  }

  /// What was shown of a booking of which nothing was known.
  mutating func take(_ booking: Booking, as number: Int, during interval: ClosedRange<Instant>) {
    bookings[number].first = booking.bare
    if bookings[number].exists == nil { bookings[number].exists = interval }
    let record = booking.staff.map { staff.number(of: $0) } ?? nobody
    if let name = booking.staffName, record != nobody { learn(name: name, of: record) }
    bookings[number].staff.set(record, during: interval)
    bookings[number].staged.set(
      Staged(stage: booking.stage, due: .some(booking.slaDueAt)), during: interval)
    bookings[number].updated.set(booking.updatedAt, during: interval)
    count(number)
  }

  mutating func learn(name: String, of record: Int) {
    if !staff[record].names.contains(name) { staff[record].names.append(name) }
  }

  // MARK: Judging

  /// A booking as some answer shows it.
  @inline(never)
  mutating func see(_ booking: Booking, by look: Look) {
    let number = bookings.number(of: booking.id)
    expect(
      .atp35, booking.ownerID == booking.staff && booking.ownerName == booking.staffName,
      "\(booking.id) has staff \(booking.staff ?? "none") and owner \(booking.ownerID ?? "none")")
    guard let first = bookings[number].first else {
      if bookings[number].exists == nil {
        bookings[number].exists = perhapsBookings.take(by: look.during.upperBound) {
          $0.idempotencyKey.named == booking.idempotencyKey
        }
      }
      unordered += 1
      return take(booking, as: number, during: look.during)
    }
    if bookings[number].isUnseenTrip {
      seeTrip(booking, number, first)
    } else {
      seeConstants(booking, first)
    }
    seeChanging(booking, number, by: look)
  }

  private func seeConstants(_ booking: Booking, _ first: Booking) {
    expect(
      .atp91,
      booking.createdAt == first.createdAt && booking.customerID == first.customerID
        && booking.updatedAt >= booking.createdAt,
      "\(booking.id) was made at \(booking.createdAt) and changed at \(booking.updatedAt), first at \(first.createdAt)"
    )
    expect(
      .atp51, booking.isSame(as: first), "a field of \(booking.id) changed that nothing changes")
  }

  private mutating func seeTrip(_ booking: Booking, _ number: Int, _ asked: Booking) {
    bookings[number].isUnseenTrip = false
    let due = booking.createdAt + (Booking.Stage.new.sla ?? .zero)
    let isUntouched = bookings[number].lastWrite == nil
    expect(
      .atp88,
      booking.isSame(as: asked) && booking.customerID == asked.customerID
        && (!isUntouched
          || (booking.stage == .new && booking.staff == nil
            && booking.slaDueAt.map { abs(($0 - due).seconds) < 0.006 } ?? false)),
      "\(booking.id) from the website begins in \(booking.stage.rawValue), due \(booking.slaDueAt?.description ?? "never")"
    )
    bookings[number].first = booking.bare
    if isUntouched, let exists = bookings[number].exists {
      bookings[number].updated.set(booking.createdAt, during: exists)
      bookings[number].staged.set(
        Staged(stage: .new, due: .some(booking.slaDueAt)), during: exists)
    }
  }

  private func seeChanging(_ booking: Booking, _ number: Int, by look: Look) {
    if let staged = bookings[number].staged.value(during: look.during) {
      let isRight =
        booking.stage == staged.stage && (staged.due.map { $0 == booking.slaDueAt } ?? true)
      judgeField(
        isRight
          ? nil
          : "\(booking.id) is shown in \(booking.stage.rawValue), which \(staged.stage.rawValue) had replaced",
        number, by: look)
    }
    if let record = bookings[number].staff.value(during: look.during) {
      let isRight = record == nobody ? booking.staff == nil : booking.staff == staff.names[record]
      judgeField(
        isRight
          ? nil
          : "\(booking.id) is shown with staff \(booking.staff ?? "none"), and \(name(record)) has it",
        number, by: look)
    }
    let names = booking.staff.flatMap { staff.known($0) }.map { staff[$0].names } ?? []
    expect(
      .atp79,
      (booking.staff == nil) == (booking.staffName == nil)
        && (names.isEmpty || names.contains(booking.staffName ?? "")),
      "\(booking.id) has staff \(booking.staff ?? "none") by the name of \(booking.staffName ?? "none")"
    )
    judgeUpdated(booking, number, during: look.during)
  }

  /// - Parameter fault: What is wrong with a field that a change sets; `nil` where nothing is.
  private func judgeField(_ fault: String?, _ number: Int, by look: Look) {
    guard let last = bookings[number].lastWrite else {
      if let fault { violated(.atp86, "\(fault), and nobody changed it") }
      return
    }
    judgeSeen(fault, last, by: look)
    // What is shown too late for a while breaks ATP-96, and what of parallel changes is lost ATP-98, too.
    if last.isParallel || last.end + .seconds(10) <= look.during.lowerBound {
      expect(.atp98, fault == nil, fault ?? "")
    }
  }

  /// Whether a read shows a write that was answered before.
  /// - Parameter fault: How it does not; `nil` where it does.
  func judgeSeen(_ fault: String?, _ write: Written, by look: Look) {
    guard write.end <= look.during.lowerBound || fault != nil else { return held(.atp96) }
    expect(.atp96, fault == nil, fault ?? "")
    if look.reader != write.writer, look.reader != nobody {
      expect(.atp05, fault == nil, fault ?? "")
    } else if let fault, let actor = look.actor, actor != write.actor {
      violated(.atp05, fault)
    }
  }

  /// `updated_at` is the time of a change that is known, and of no refused one.
  private func judgeUpdated(
    _ booking: Booking, _ number: Int, during interval: ClosedRange<Instant>
  ) {
    let possible = bookings[number].updated.values(during: interval)
    guard let latest = possible.max(), latest != .distantFuture else { return }
    if possible.contains(booking.updatedAt) {
      if let refused = bookings[number].refused, refused <= interval.lowerBound { held(.atp86) }
      return
    }
    if booking.updatedAt > latest {
      violated(.atp86, "\(booking.id) changed at \(booking.updatedAt), and nothing did that")
    } else if possible.count == 1 {
      violated(.atp91, "\(booking.id) changed at \(booking.updatedAt), after it had at \(latest)")
      if bookings[number].lastIsActivity { violated(.atp83, "an activity did not set updated_at") }
    }
  }
}

extension BookingFacts {
  /// Whether an activity was its latest change.
  fileprivate var lastIsActivity: Bool {
    guard let last = timeline.last else { return false }
    return updated.latest == last.createdAt && last.type != "STAGE_CHANGED"
      && last.type != "STAFF_CHANGED"
  }
}

extension Booking {
  /// Without its timeline.
  fileprivate var bare: Booking {
    if self.activities == nil { return self }
    var bare = self
    bare.activities = nil
    return bare
  }

  /// Whether all is the same that no operation changes, its customer and the time at which it was made aside.
  fileprivate func isSame(as other: Booking) -> Bool {
    self.notes == other.notes && self.destination == other.destination && self.style == other.style
      && self.travelMonth == other.travelMonth && self.travelers == other.travelers
      && self.duration == other.duration && self.budget == other.budget
      && self.source == other.source
      && self.idempotencyKey == other.idempotencyKey
  }
}
