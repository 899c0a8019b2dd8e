import Contracts
import KilwinningContract
import Observations
import Timekeeping

/// Presenze: KW-060 to KW-072 and KW-127.
enum PresenzeChecks {
  static let all: [KWCheck] = shown + asked

  /// What O7 shows of what was written.
  private static let shown: [KWCheck] = [
    showing(.kw060, "his own confirmation") { mark, _ in mark.origin == .own },
    .reading(.kw063, .asking(Kilwinning.presenze)) { it, judge in
      guard let (id, shown, _) = it.presenze, !shown.isEmpty,
        let known = it.lodge.brothers[id]?.recordIDs
      else { return }
      let moved = shown.first {
        guard let id = $0.id else { return true }
        return known[$0.tornataID] ?? id != id || it.lodge.givenTwice.contains(id)
      }
      judge.expect(
        moved == nil && (it.arePresenzeDue || Set(shown.map(\.tornataID)).count == shown.count)
          && Set(shown.map(\.id)).count == shown.count,
        "the record of \(id) at tornata \(moved?.tornataID.number ?? 0) is another one")
    }
      + .census(.kw063) { shown, judge in
        judge.expect(
          shown.doubles.isEmpty, "two presenze have one number, or are of one pair")
      },
    .reading(.kw064, .asking(Kilwinning.presenze)) { it, judge in
      guard let (id, shown, due) = it.presenze else { return }
      let isDue = it.arePresenzeDue
      let marks =
        isDue ? [:] : Dictionary(due.map { ($0.tornata.id, $0.mark) }, uniquingKeysWith: { $1 })
      for (place, presenza) in shown.enumerated() {
        guard let mark = isDue ? due[place].mark : marks[presenza.tornataID] else { continue }
        guard mark.origin != .fixture, let within = mark.confirmedAt else {
          judge.expect(
            mark.isConfirmed(at: presenza.confirmedAt),
            "\(id)'s inherited record of tornata \(presenza.tornataID) is of "
              + "\(presenza.confirmedAt?.description ?? "-")")
          continue
        }
        judge.expect(
          presenza.status == mark.status
            && presenza.confirmedAt.map { within.contains($0) && $0 == $0.inWholeSeconds } ?? false,
          "\(id)'s record of tornata \(presenza.tornataID) is '\(presenza.status.rawValue)' of "
            + "\(presenza.confirmedAt?.description ?? "-"), written within \(within)")
      }
    },
    showing(.kw067, "what was just written") { mark, sent in
      mark.origin != .fixture && sent - mark.lastWrite < .minutes(1)
    },
    .reading(.kw068, .asking(Kilwinning.presenze)) { it, judge in
      guard let (id, shown, due) = it.presenze else { return }
      if it.arePresenzeDue { return judge.held() }
      let marks = Dictionary(
        due.map { ($0.tornata.id, $0.mark.status) }, uniquingKeysWith: { $1 })
      judge.expect(
        shown.count == due.count && shown.allSatisfy { marks[$0.tornataID] == $0.status }
          && shown.allSatisfy { $0.fratelloID == id },
        "\(shown.count) presenze of \(id) instead of \(due.count), or other ones")
    },
    showing(.kw071, "the last of several writes") { mark, _ in mark.followsClosely },
    showing(.kw127, "the write that came last") { mark, _ in mark.hadKey && mark.isRewrite },
  ]

  /// Records of some kind are shown as they were written, each.
  private static func showing(
    _ rule: Kilwinning.Rule, _ what: String,
    _ concerns: @escaping @Sendable (LodgeFacts.Mark, _ sent: Instant) -> Bool
  ) -> KWCheck {
    .reading(rule, .asking(Kilwinning.presenze)) { it, judge in
      guard let (id, shown, due) = it.presenze else { return }
      let wanted = due.filter { concerns($0.mark, it.sent) }
      guard !wanted.isEmpty else { return }
      if it.arePresenzeDue { return judge.held() }
      let statuses = Dictionary(
        shown.map { ($0.tornataID, $0.status) }, uniquingKeysWith: { $1 })
      let wrong = wanted.first { statuses[$0.tornata.id] != $0.mark.status }
      judge.expect(
        wrong == nil, "\(id)'s presenze do not show \(what) of tornata \(wrong?.tornata.id ?? 0)")
    }
  }

  /// What O10 answers.
  private static let asked: [KWCheck] = [
    .reading(.kw070, .asking(Kilwinning.confirm)) { it, judge in
      guard let (_, tornata, _) = it.writeOfATornata, let answer = it.reply?.confirmed,
        let isLate = it.lodge.isLate(tornata, during: it.during)
      else { return }
      judge.expect(
        answer.oltreTermine == isLate,
        "oltre_termine is \(answer.oltreTermine), for a tornata of \(tornata.data)")
    },
    .reading(.kw072, .asking(Kilwinning.confirm)) { it, judge in
      guard let write = it.write, write.asked.idempotencyKey != nil, write.isAllowed else { return }
      switch it.key {
      case .answered(let first):
        judge.expect(
          it.reply?.confirmed?.oltreTermine == first.oltreTermine,
          "the repeat of a key did not get the first answer: \(it.words)")
      case .fresh: judge.expect(it.code != .chiaveRiusata, "a key that nobody used was refused")
      case .reused, .unclear: break
      }
    },
  ]
}

extension Reading {
  /// A write by a live session, and whether its fratello may be written for.
  var write: (asked: Confirmation, owner: Fratello.ID, isAllowed: Bool)? {
    guard case .confirm(let asked) = request, let owner = live?.owner else { return nil }
    let target = asked.fratelloID ?? owner
    let isAllowed = (target == owner || hasRight == true) && lodge.brothers[target] != nil
    return (asked, owner, isAllowed)
  }

  /// Whether no earlier answer stands for it (KW-072).
  var isFirstWrite: Bool { if case .fresh = key { true } else { false } }

  /// A permitted first write of a tornata that there certainly is, and whether that lies before the iniziazione (KW-066).
  var writeOfATornata: (asked: Confirmation, tornata: Tornata, isEarly: Bool)? {
    guard let write, write.isAllowed, isFirstWrite,
      let tornata = lodge.tornata(write.asked.tornataID, during: during) ?? nil,
      let fratello = lodge.fratello(write.asked.fratelloID ?? write.owner, during: during),
      let start = lodge.start(of: fratello, during: during)
    else { return nil }
    return (write.asked, tornata, tornata.data < start ?? .distantPast)
  }
}

extension LodgeFacts {
  /// KW-070: after the fifth civil day before it, and before it begins; `nil` where that changes meanwhile.
  func isLate(_ tornata: Tornata, during interval: ClosedRange<Instant>) -> Bool? {
    guard let zone = zone(during: interval) else { return nil }
    func isLate(_ instant: Instant) -> Bool {
      let today = zone.civil(at: instant).date.daysSinceEpoch
      return today > zone.civil(at: tornata.data).date.daysSinceEpoch - 5 && instant < tornata.data
    }
    let (first, last) = (isLate(interval.lowerBound), isLate(interval.upperBound))
    return first == last ? first : nil
  }
}
