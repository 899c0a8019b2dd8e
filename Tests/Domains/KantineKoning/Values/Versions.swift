import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// KK-52: versions only rise, and what the club changed looks newer in every list from then on.
extension CanteenChecks {
  private static let most = 32

  /// Of two changes of which one was over before the other began, the later has the later version.
  @inline(never)
  mutating func judgeVersion(_ asked: Asked) {
    let row = asked.dienst
    guard row != nobody, let dienst = asked.dienstShown else { return }
    let new = Version(during: asked.during, updatedAt: dienst.columns.updatedAt)
    var isOrdered: Bool?
    for old in diensten[row].versions {
      if old.during.upperBound < new.during.lowerBound {
        isOrdered = (isOrdered ?? true) && old.updatedAt < new.updatedAt
      } else if new.during.upperBound < old.during.lowerBound {
        isOrdered = (isOrdered ?? true) && new.updatedAt < old.updatedAt
      }
    }
    if let isOrdered { expect(.kk52, isOrdered, "updated_at did not increase with a change") }
    diensten[row].versions.append(new)
    if diensten[row].versions.count > Self.most { diensten[row].versions.removeFirst() }
  }

  @inline(never)
  func judgeVersions(_ list: [Dienst], _ asked: Asked) {
    let sent = asked.call.sent
    guard asked.club != nobody,
      clubs[asked.club].roster.map({ $0.changedAt + slack < sent }) == true
    else { return }
    let cancelled = list.indices.first { place in
      list[place].columns.status == .geannuleerd && changed(shown[place].id, asked.club) == nil
    }
    if let cancelled, clubs[asked.club].roster!.placesOfShifts[shown[cancelled].id] != nil {
      violated(.kk52, "a dienst is cancelled that nobody cancelled")
    }
    guard clubs[asked.club].roster!.hasChanges else { return }
    for place in list.indices {
      guard let known = changed(shown[place].id, asked.club),
        let changed = clubs[asked.club].roster!.shifts[known].changedAt, changed + slack < sent
      else { continue }
      let shift = clubs[asked.club].roster!.shifts[known]
      if !shift.isDoubtful, shift.touchedUntil < sent {
        expect(
          .kk52, isShown(list[place], as: shift, clubs[asked.club].roster!.words[shift.id]),
          "a dienst is not shown as the club changed it")
      }
      expect(
        .kk52, list[place].columns.updatedAt >= changed - slack,
        "updated_at did not increase when the club changed a dienst")
    }
  }

  private func changed(_ id: DienstID, _ club: Int) -> Int? {
    guard clubs[club].roster!.hasChanges, let place = clubs[club].roster!.placesOfShifts[id],
      clubs[club].roster!.shifts[place].isChanged
    else { return nil }
    return place
  }

  private func isShown(_ dienst: Dienst, as shift: Shift, _ words: Words?) -> Bool {
    let implied: Dienst.Status =
      dienst.columns.status == .geannuleerd
      ? .geannuleerd
      : dienst.columns.aanmeldingen.isEmpty
        ? .onbemand
        : dienst.columns.aanmeldingen.count < dienst.columns.minimumBemanning
          ? .gedeeltelijk : .volledig
    return dienst.columns.startTijd.unixMilliseconds == shift.start.unixMilliseconds
      && dienst.columns.eindTijd.unixMilliseconds == shift.end.unixMilliseconds
      && (dienst.columns.status == .geannuleerd) == shift.isCancelled
      && dienst.columns.status == implied
      && words.map {
        dienst.columns.locatieNaam == $0.place && dienst.columns.minimumBemanning == $0.minimum
      } ?? true
  }
}

/// A change of a dienst, as it was answered.
struct Version {
  let during: ClosedRange<Instant>
  let updatedAt: Instant
}

/// What a dienst says that counts for nothing.
struct Words {
  var place: String?
  var minimum: Int
}
