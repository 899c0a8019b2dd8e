import Contracts
import KilwinningContract
import Observations
import Timekeeping

/// Administrators, fratelli and the export's right: KW-020 to KW-037 and KW-133.
enum AdministratorChecks {
  static let all: [KWCheck] = [
    .reading(.kw020, .showFratelli) { it, judge in
      guard let names = it.lodge.decided.value(\.adminNames, during: it.during) else { return }
      for shown in it.shownFratelli where it.lodge.isNear(shown.nome, to: names) {
        judge.expect(
          shown.adminAccess == names.contains(shown.nome),
          "admin_access of \(shown.nome) is \(shown.adminAccess)")
      }
    },
    .reading(.kw021, .showFratelli) { it, judge in
      guard let names = it.lodge.decided.value(\.adminNames, during: it.during) else { return }
      for shown in it.shownFratelli where !it.lodge.isNear(shown.nome, to: names) {
        judge.expect(!shown.adminAccess, "\(shown.nome), \(shown.grado), is administrator")
      }
    },
    .reading(.kw022, .administration.union([.asks(Kilwinning.logIn)])) { it, judge in
      if case .logIn(let asked) = it.request, asked.adminAccess == true,
        let user = it.reply?.loggedIn?.user,
        let isAdmin = it.lodge.isAdmin(user.id, during: it.during)
      {
        judge.expect(user.adminAccess == isAdmin, "\(user.nome)'s own claim was believed")
      } else if let session = it.live, session.claimsAdmin, it.hasRight == false,
        it.access == .administrator
      {
        judge.expect(it.code == .accessoNegato, "a claim gave the right: \(it.words)")
      }
    },
    .reading(.kw027, .administration) { it, judge in
      let standard = Kilwinning.Deployment().adminNames
      guard it.access == .administrator, let session = it.live, let hasRight = it.hasRight,
        let nome = it.lodge.brothers[session.owner]?.person.latest?.nome,
        standard.contains(nome) != hasRight
      else { return }
      judge.expect(
        (it.code == .accessoNegato) != hasRight, "\(nome) is not whom the lodge names: \(it.words)")
    },
    .reading(.kw030, .asking(Kilwinning.fratelli)) { it, judge in
      guard let (shown, due) = it.fratelli else { return }
      judge.expect(
        it.areFratelliDue
          || Set(shown.map(\.bare)) == Set(due.map(\.bare)) && shown.count == due.count,
        "\(shown.count) of \(due.count) fratelli, or not as they are")
    },
    .reading(.kw031, .asking(Kilwinning.fratelli)) { it, judge in
      guard let shown = it.reply?.fratelli, shown.count > 1 else { return }
      // What had to be is sorted.
      let unsorted =
        it.areFratelliDue
        ? nil : zip(shown, shown.dropFirst()).first { !it.lodge.isListedBefore($0, $1) }
      judge.expect(unsorted == nil, "\(unsorted?.0.nome ?? "") before \(unsorted?.1.nome ?? "")")
    },
    .reading(.kw033, .asking(Kilwinning.updateFratello)) { it, judge in
      guard case .updateFratello(let asked) = it.request, case .success(let change) = asked.change,
        let made = it.reply?.fratello
      else { return }
      // Whatever else was changed meanwhile, what was asked for was done.
      let due = change.applied(to: (it.fratelloBefore ?? nil) ?? made)
      judge.expect(
        made.bare == due.bare, "a degree change of \(made.nome) did something else than was asked")
    }
      + .reading(.kw033, .asking(Kilwinning.fratelli)) { it, judge in
        guard it.fratelli != nil else { return }
        judge.expect(it.areFratelliDue, "fratelli are shown as nobody made them")
      },
    .reading(.kw035, .asking(Kilwinning.statistiche)) { it, judge in
      guard let (id, shown, due) = it.statistiche, it.lodge.brothers[id]?.wasMoved == true else {
        return
      }
      judge.expect(
        shown.total == due.total && shown.presences == due.presences,
        "\(shown.presences)/\(shown.total) instead of \(due.presences)/\(due.total) for \(id) "
          + "after a change of his iniziazione")
    },
    .reading(.kw036, .asking(Kilwinning.updateFratello)) { it, judge in
      guard case .updateFratello(let asked) = it.request, let shown = it.reply?.fratello,
        let before = it.fratelloBefore ?? nil, case .success(let change) = asked.change,
        change.nome != nil || change.adminAccess != nil
      else { return }
      judge.expect(
        shown.nome == before.nome && shown.id == before.id
          && shown.adminAccess == it.lodge.isAdmin(before.id, during: it.during),
        "a degree change made \(shown.nome) of \(before.nome)")
    },
    .control(.kw037) { command, outcome, judge in
      guard case .load(let fixture) = command, fixture.tornate.isEmpty, fixture.fratelli.count == 1
      else { return }
      judge.expect(
        outcome.refusal != nil, "\(fixture.fratelli[0].nome) was loaded a second time")
    },
  ]
}

extension Fratello {
  /// All but what KW-020 to KW-022 are about.
  var bare: Fratello {
    var bare = self
    bare.adminAccess = false
    return bare
  }

  func isSame(as other: Fratello) -> Bool {
    adminAccess == other.adminAccess ? self == other : bare == other.bare
  }
}

extension Reading {
  /// The statistics that O8 showed of whom, and what they had to be.
  var foundStatistiche: (id: Fratello.ID, shown: Statistiche, due: Figures)? {
    guard case .statistiche(let query) = request, let shown = reply?.statistiche, let behind else {
      return nil
    }
    return (query.fratelloID, shown, behind.figures)
  }

  var foundBehind: Case? {
    guard case .statistiche(let query) = request, isReplied else { return nil }
    return lodge.statistics(of: query.fratelloID, query.anno, during: during)
  }

  /// The list of fratelli, and what it had to be.
  var foundFratelli: (shown: SharedList<Fratello>, due: SharedList<Fratello>)? {
    guard let shown = reply?.fratelli, let due = lodge.fratelli(during: during) else { return nil }
    return (shown, due)
  }
}
