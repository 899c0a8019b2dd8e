import Contracts
import KantineKoningContract
import Timekeeping

/// Telling a team's phones and managers what happens to a dienst (§5.5).
extension KantineKoningTwin {
  /// What every message of one event says.
  private struct Announcement {
    let event: PushEvent
    let number: Int
    let tenantSlug: Slug
    let teamCode: TeamName
    let dienstID: DienstID?
    let title: String
    let body: String
    let at: Instant
  }

  /// Pushes an event to everybody who follows a team, and mails its managers.
  ///
  /// - Complexity: O(followers of the team).
  mutating func announce(_ event: PushEvent, of row: Int, to team: Int, at now: Instant) {
    let club = teams[team].club
    let code = teams[team].code
    let followers = enrollments.followers(of: code, in: club)
    work.rowsRead += 1 + followers.count
    guard !followers.isEmpty else { return }
    let dienst = diensten.shown(row)
    let announcement = Announcement(
      event: event, number: takeEventNumber(), tenantSlug: clubs[club].slug, teamCode: code,
      dienstID: dienst.id, title: event.title, body: text(of: dienst, for: code), at: now)
    push(announcement, to: followers)
    mail(announcement, to: followers, about: row, team: team)
  }

  /// Sends a test alert to one enrollment and answers its record (KK-100).
  mutating func sendTestPush(
    to row: Int, title: String, body: String, at now: Instant
  ) -> [PushDelivery] {
    guard rules.binds(.kk100) else { return [] }  // KK-100
    let announcement = Announcement(
      event: .test, number: takeEventNumber(), tenantSlug: clubs[enrollments[row].club].slug,
      teamCode: enrollments[row].teamCodes[0], dienstID: nil, title: title, body: body, at: now)
    dispatch(announcement, to: row)
    return deliveries.newest(1)
  }

  private mutating func takeEventNumber() -> Int {
    defer { eventCount += 1 }
    return eventCount
  }

  // MARK: Pushes

  /// At most one push a phone, whatever its number of enrollments (KK-99): a phone is known by its identifier and by
  /// its push token, because a changed identifier leaves the token.
  private mutating func push(_ announcement: Announcement, to followers: [Int]) {
    var served: Set<Mark> = []
    for row in followers {
      guard rules.binds(.kk99) else {
        // With KK-99 off: one for each enrollment of the phone.
        let copies = phoneKey(of: row).map { enrollments.phone($0).active.count } ?? 1
        for _ in 0..<max(1, copies) { dispatch(announcement, to: row) }
        continue
      }
      let marks = [
        phoneKey(of: row).map { Mark.phone($0) },
        enrollments[row].apnsDeviceToken.map { Mark.token($0) },
      ].compactMap { $0 }
      guard !marks.contains(where: served.contains) else { continue }
      if dispatch(announcement, to: row) { served.formUnion(marks) }
    }
  }

  /// What a phone is known by.
  private enum Mark: Hashable {
    case phone(HardwareID)
    case token(String)
  }

  /// Hands one push to APNs, or writes down why not.
  @discardableResult
  private mutating func dispatch(_ announcement: Announcement, to row: Int) -> Bool {
    let environment = apnsEnvironment(of: row)
    var record = PushDelivery(
      number: deliveries.nextNumber, event: announcement.event, eventNumber: announcement.number,
      tenantSlug: announcement.tenantSlug, teamCode: announcement.teamCode,
      dienstID: announcement.dienstID, title: announcement.title,
      deviceID: enrollments[row].deviceID, apnsEnvironment: environment, sentAt: announcement.at)
    work.rowsWritten += 1
    guard enrollments[row].pushEnabled, let token = enrollments[row].apnsDeviceToken else {
      record.result = enrollments[row].pushEnabled ? .skippedNoToken : .skippedPushDisabled
      deliveries.append(record, token: nil)
      return false
    }
    deliveries.append(record, token: token)
    let fate = apnsAnswer(to: token, through: environment)
    let push = Push(
      event: announcement.event, eventNumber: announcement.number,
      tenantSlug: announcement.tenantSlug,
      // KK-96: with the rule off a phone is not told where to go.
      teamCode: rules.binds(.kk96) ? announcement.teamCode : "", dienstID: announcement.dienstID,
      title: announcement.title, body: announcement.body, createdAt: announcement.at,
      dispatch: ApnsDispatch(
        delivery: record.number, token: token, environment: environment, fate: fate))
    let address: KantineKoning.Address = fate == .delivered ? .push(token) : .apns(environment)
    sent.append(Addressed(to: address, .push(push)))
    work.messagesSent += 1
    return true
  }

  // MARK: Mails

  /// Managers get the mail as well, unless they may do without it and want to (KK-120); each address one.
  private mutating func mail(
    _ announcement: Announcement, to followers: [Int], about row: Int, team: Int
  ) {
    var served: [String] = []
    for follower in followers where enrollments[follower].role == .manager {
      guard let address = enrollments[follower].managerEmail, !served.contains(address),
        isMailEffective(on: follower, for: announcement.teamCode)
      else { continue }
      served.append(address)
      let notice = Notice(
        to: address, event: announcement.event, tenantSlug: announcement.tenantSlug,
        teamCode: announcement.teamCode, dienstID: announcement.dienstID ?? "",
        subject: announcement.title, body: announcement.body,
        ctaToken: callToAction(for: row, team: team, on: announcement.event),
        sentAt: announcement.at)
      notices.append(notice)
      sent.append(Addressed(to: .mailbox(address), .notice(notice)))
      work.messagesSent += 1
    }
  }

  /// A token for entering names; there is nothing to enter on a dienst that is cancelled or another team's.
  private func callToAction(for row: Int, team: Int, on event: PushEvent) -> CallToActionToken? {
    guard event != .dienstCancelled, event != .dienstTakenOver else { return nil }
    let dienst = diensten.shown(row)
    return .issued(
      CallToActionClaims(
        tenantSlug: dienst.tenantSlug, dienstID: dienst.id, team: teams[team].id,
        season: clubs[diensten[row].club].seasonsEnded,
        // The instant of the start is still future (KK-56).
        exp: dienst.startTijd.unixSeconds + 1))
  }

  // MARK: Texts

  private func text(of dienst: Dienst, for code: TeamName) -> String {
    let place = dienst.locatieNaam ?? "Kantine"
    return "\(code): \(place), \(localTime(of: dienst.startTijd))"
  }

  /// `28-03 10:00` in Amsterdam.
  private func localTime(of instant: Instant) -> String {
    let civil = CivilZone.amsterdam.civil(at: instant)
    let minutes = Int(civil.timeOfDay.nanoseconds / 60_000_000_000)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return
      "\(two(civil.date.day))-\(two(civil.date.month)) \(two(minutes / 60)):\(two(minutes % 60))"
  }
}

extension PushEvent {
  /// The title that a phone shows.
  fileprivate var title: String {
    switch self {
    case .dienstAssigned: "Nieuwe dienst"
    case .dienstChanged: "Dienst gewijzigd"
    case .dienstCancelled: "Dienst geannuleerd"
    case .dienstTakenOver: "Dienst overgenomen"
    case .reminderWeek: "Over een week: nog vrijwilligers nodig"
    case .reminderDay: "Morgen: nog vrijwilligers nodig"
    case .volunteersChanged: "Vrijwilligers gewijzigd"
    case .test: "Test"
    }
  }
}
