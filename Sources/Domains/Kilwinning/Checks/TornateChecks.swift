import Contracts
import KilwinningContract
import Observations
import Timekeeping

/// Tornate: KW-040 to KW-054, and what anni select of them: KW-075 to KW-077.
enum TornateChecks {
  static let all: [KWCheck] = lists + writes + anni

  private static let lists: [KWCheck] = [
    .reading(.kw040, .asking(Kilwinning.tornate)) { it, judge in
      guard let (query, shown, due) = it.tornate else { return }
      judge.expect(
        it.areTornateDue
          || Set(shown.map(\.id)) == Set(due.map(\.id)) && shown.count == due.count,
        "\(shown.count) tornate instead of \(due.count) for \(query.anno.text ?? "-"), "
          + "\(query.stato?.rawValue ?? "-")")
    },
    .reading(.kw041, .asking(Kilwinning.tornate)) { it, judge in
      guard let (_, shown, due) = it.tornate, let session = it.live,
        let fratello = it.lodge.fratello(session.owner, during: it.during),
        let start = it.lodge.start(of: fratello, during: it.during) ?? nil
      else { return }
      guard let oldest = due.last, oldest.data < start else { return }
      judge.expect(
        it.areTornateDue
          || Set(shown.map(\.id)).isSuperset(of: due.lazy.filter { $0.data < start }.map(\.id)),
        "\(fratello.nome) was not shown tornate before his iniziazione")
    },
    .reading(.kw042, .asking(Kilwinning.tornate, Kilwinning.presenze)) { it, judge in
      if let shown = it.reply?.tornate, shown.count > 1 {
        // What had to be is in order.
        let isOrdered =
          it.areTornateDue
          || zip(shown, shown.dropFirst()).allSatisfy { it.lodge.isNewer($0, $1) }
        judge.expect(isOrdered, "tornate were not listed newest first")
      } else if let (id, shown, due) = it.presenze, shown.count > 1, shown.count == due.count {
        judge.expect(
          it.arePresenzeDue || shown.map(\.tornataID) == due.map(\.tornata.id),
          "presenze of \(id) were not listed newest first")
      }
    },
    .reading(.kw044, .asking(Kilwinning.tornate)) { it, judge in
      guard let (_, shown, due) = it.tornate, let session = it.live else { return }
      let planners = it.lodge.planners
      guard !planners.isEmpty else { return }
      let others = due.filter { planners[$0.id].map { $0 != session.owner } ?? false }
      guard !others.isEmpty else { return }
      judge.expect(
        it.areTornateDue || Set(shown.map(\.id)).isSuperset(of: others.map(\.id)),
        "a planned tornata is not shown to everybody")
    },
    .reading(.kw046, .asking(Kilwinning.updateTornata, Kilwinning.tornate)) { it, judge in
      guard case .updateTornata(let asked) = it.request else {
        if let (_, shown, due) = it.tornate, shown.count == due.count {
          judge.expect(it.areTornateDue, "a tornata is shown as nobody made it")
        }
        return
      }
      guard case .success(let change) = asked.change, let made = it.reply?.tornata else { return }
      // Whatever else was changed meanwhile, what was asked for was done.
      judge.expect(
        made == change.applied(to: (it.tornataBefore ?? nil) ?? made),
        "an update of tornata \(made.id) did something else than was asked")
    },
    .reading(.kw048, .asking(Kilwinning.presenze)) { it, judge in
      guard let (id, shown, due) = it.presenze else { return }
      let cancelled = due.filter { $0.tornata.stato == .annullata }.map(\.tornata.id)
      guard !cancelled.isEmpty else { return }
      judge.expect(
        it.arePresenzeDue || Set(shown.map(\.tornataID)).isSuperset(of: cancelled),
        "presenze of \(id) went with a cancelled tornata")
    },
    .reading(.kw050, .asking(Kilwinning.tornate)) { it, judge in
      guard let (_, shown, _) = it.tornate else { return }
      let (isDue, yesterday) = (it.areTornateDue, it.sent - .days(1))
      for tornata in shown where tornata.data < yesterday {
        if isDue {
          if tornata.stato == .programmata { judge.held() }
          continue
        }
        guard let known = it.lodge.tornata(tornata.id, during: it.during) ?? nil,
          known.stato == .programmata
        else { continue }
        judge.expect(
          tornata.stato == .programmata, "tornata \(tornata.id) became \(tornata.stato) by itself")
      }
    },
    .reading(.kw051, .asking(Kilwinning.tornate, Kilwinning.deleteTornata)) { it, judge in
      switch it.request {
      case .tornate:
        guard let shown = it.reply?.tornate, it.lodge.hasDeletions else { return }
        let gone =
          it.areTornateDue
          ? nil : shown.first { it.lodge.tornata($0.id, during: it.during) == .some(nil) }
        judge.expect(gone == nil, "tornata \(gone?.id.number ?? 0) was deleted and is listed")
      case .deleteTornata(let id):
        guard it.isReplied else { return }
        judge.expect(
          it.lodge.deletions[id].map { $0 === it.call } ?? true, "tornata \(id) was deleted twice")
      default: break
      }
    }
      + .census(.kw051) { shown, judge in
        let orphan = shown.orphaned.first
        judge.expect(orphan == nil, "tornata \(orphan?.number ?? 0) left a presenza behind")
      },
  ]

  private static let writes: [KWCheck] = [
    .reading(.kw043, .asking(Kilwinning.createTornata)) { it, judge in
      if case .createTornata(let asked) = it.request, let made = it.reply?.tornata {
        judge.expect(
          made == asked.planned(as: made.id) && it.lodge.isFirst(made.id, for: it.call),
          "tornata \(made.id) is not what was planned: \(made.stato), '\(made.discussione)'")
      }
    },
    .reading(.kw045, .asking(Kilwinning.createTornata)) { it, judge in
      guard case .createTornata(let asked) = it.request, it.hasRight == true else { return }
      judge.expect(it.isReplied, "a \(asked.tipo) was refused: \(it.words)")
    },
    .reading(.kw049, .asking(Kilwinning.updateTornata)) { it, judge in
      guard case .updateTornata(let asked) = it.request, it.hasRight == true,
        let before = it.tornataBefore ?? nil, case .success(let change) = asked.change,
        case .to(let stato) = change.stato, stato != before.stato
      else { return }
      judge.expect(
        it.reply?.tornata?.stato == stato, "\(before.stato) did not become \(stato): \(it.words)")
    },
  ]

  private static let anni: [KWCheck] = [
    .reading(.kw075, .readsOfAnAnno) { it, judge in
      guard let anno = it.anno, anno.selection == .tutti, it.mayRead else { return }
      judge.expect(it.code != .annoNonValido, "'\(anno.text ?? "-")' means all years")
      if let (id, shown, due) = it.statistiche {
        judge.expect(shown.total == due.total, "'\(anno.text ?? "-")' of \(id) left years out")
      }
    },
    .reading(.kw076, .readsOfAnAnno) { it, judge in
      guard let anno = it.anno, case .year(let year) = anno.selection, it.mayRead else { return }
      if let (_, shown, due) = it.tornate, it.call.request.tornate?.stato == nil {
        judge.expect(
          it.areTornateDue || shown.map(\.id) == due.map(\.id), "\(year) holds other tornate")
      } else if let (id, shown, due) = it.presenze {
        judge.expect(
          it.arePresenzeDue || Set(shown.map(\.tornataID)) == Set(due.map(\.tornata.id)),
          "\(year) holds other presenze of \(id)")
      } else if let (id, shown, due) = it.statistiche {
        judge.expect(shown.total == due.total, "\(shown.total) tornate in \(year) for \(id)")
      }
    },
  ]
}

extension Reading {
  /// What O11 listed, and what it had to.
  var foundTornate: (query: TornateQuery, shown: SharedList<Tornata>, due: SharedList<Tornata>)? {
    guard case .tornate(let query) = request, let shown = reply?.tornate,
      let due = lodge.list(query, during: during)
    else { return nil }
    return (query, shown, due)
  }

  /// Whether nothing but what he asks can be wrong.
  var mayRead: Bool { access == .administrator ? hasRight == true : live != nil }
}

extension LodgeFacts {
  var hasDeletions: Bool { !deletions.isEmpty }

  /// Whether an identifier was never given before.
  func isFirst(_ id: Tornata.ID, for call: KWCall) -> Bool { givers[id] === call }
}
