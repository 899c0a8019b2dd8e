import Contracts
import Foundation
import KilwinningContract
import Observations
import Timekeeping

/// Login and sessions: KW-001 to KW-019.
enum LoginChecks {
  static let all: [KWCheck] = [
    .reading(.kw003, .asking(Kilwinning.logIn)) { it, judge in
      guard let (asked, brother) = it.login else { return }
      if let brother {
        guard !asked.nome.unicodeScalars.elementsEqual(brother.nome.unicodeScalars) else { return }
        judge.expect(it.isReplied, "'\(asked.nome)' is \(brother.nome) and was refused")
      } else if it.lodge.brothers.values.contains(where: {
        $0.person.latest.map { folded($0.nome) == folded(asked.nome.trimmed) } ?? false
      }) {
        judge.expect(!it.isReplied, "'\(asked.nome)' logged in as somebody of a similar name")
      }
    },
    .census(.kw004, by: LodgeFacts.self) { shown, _, lodge, judge in
      for session in shown.sessions {
        judge.expect(
          lodge.sessions.mayHaveBegun(session.fratelloID, at: session.createdAt),
          "a session of \(session.fratelloID) began at \(session.createdAt) without a login")
      }
    },
    .reading(.kw005, .asking(Kilwinning.logIn)) { it, judge in
      guard let (_, brother) = it.login, let login = it.reply?.loggedIn else { return }
      let least = (it.sent + Session.lifetime).inWholeSeconds
      judge.expect(
        (least...(it.answered + Session.lifetime)).contains(login.expiresAt)
          && login.user.id == brother?.id && Kilwinning.isToken(login.token),
        "\(login.user.nome)'s session of \(it.sent) expires at \(login.expiresAt)")
    },
    .reading(.kw006) { it, judge in
      guard let session = it.live, it.access != .open,
        it.lodge.sessions.all(of: session.owner).contains(where: {
          $0 !== session && $0.began.lowerBound > session.began.upperBound
            && $0.began.upperBound < it.sent
        })
      else { return }
      judge.expect(!it.isUnauthenticated, "a later login ended a session: \(it.words)")
    }
      + .each(.kw006, .asking(Kilwinning.logIn), by: LodgeFacts.self) { call, lodge, judge in
        guard let login = call.outcome.reply?.loggedIn else { return }
        judge.expect(
          !lodge.sessions.hasToken(login.token),
          "\(login.user.nome) got a token for the second time"
        )
      },
    .reading(.kw010) { it, judge in
      guard it.access != .open, let header = it.call.credential?.authorization else { return }
      if case .malformed = header {
        judge.expect(it.code == .nonAutenticato, "'\(header.header.prefix(8))…' gave \(it.words)")
      } else if it.live != nil {
        judge.expect(!it.isUnauthenticated, "a good header was refused: \(it.words)")
      }
    },
    .reading(.kw011) { it, judge in
      guard it.access != .open, let credential = it.call.credential,
        let cookie = credential.cookie
      else { return }
      if credential.authorization == nil {
        if it.live != nil {
          judge.expect(!it.isUnauthenticated, "a good cookie was refused: \(it.words)")
        }
      } else if it.lodge.sessions.hasToken(cookie), case .nobody = it.caller {
        judge.expect(it.code == .nonAutenticato, "a cookie counted beside a header: \(it.words)")
      }
    },
    .reading(.kw013) { it, judge in
      guard it.access != .open else { return }
      switch it.caller {
      case .live: judge.expect(it.code != .sessioneScaduta, "a session ended before its time")
      case .expired: judge.expect(it.isUnauthenticated, "after its time: \(it.words)")
      default: break
      }
    },
    .reading(.kw014) { it, judge in
      guard it.access != .open else { return }
      switch it.caller {
      case .live(let session) where session.livesByVerification(at: it.sent):
        judge.expect(it.code != .sessioneScaduta, "a verification did not renew its session")
      case .expired(let session) where session.wasUsedInVain(before: it.sent):
        judge.expect(it.isUnauthenticated, "its use renewed a session: \(it.words)")
      default: break
      }
    },
    .reading(.kw015, .asking(Kilwinning.me)) { it, judge in
      guard it.wasExpired else { return }
      judge.expect(!it.isReplied, "an expired session was verified")
    },
    .reading(.kw017) { it, judge in
      guard it.access != .open else { return }
      guard case .live(let session) = it.caller,
        it.lodge.sessions.all(of: session.owner).contains(where: {
          $0 !== session && $0.isRevoked(during: it.during)
        })
      else { return }
      judge.expect(!it.isUnauthenticated, "another's logout ended a session: \(it.words)")
    },
    .reading(.kw018, .asking(Kilwinning.presenze)) { it, judge in
      guard let (id, shown, due) = it.presenze else { return }
      let ended = it.lodge.sessions.endings(of: id, before: it.sent)
      guard due.contains(where: { record in ended.contains { $0 > record.mark.lastWrite } }) else {
        return
      }
      judge.expect(
        it.arePresenzeDue || Set(shown.map(\.tornataID)).isSuperset(of: due.map(\.tornata.id)),
        "a session's end cost presenze of \(id)")
    },
    .reading(.kw019, .asking(Kilwinning.me)) { it, judge in
      guard it.request == .me, let shown = it.reply?.fratello, let session = it.live,
        var due = it.lodge.fratello(session.owner, during: it.during)
      else { return }
      due.adminAccess = shown.adminAccess
      judge.expect(shown == due, "\(shown.nome) was shown as he is not")
    },
  ]

  private static func folded(_ nome: String) -> String {
    nome.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}

extension Reading {
  /// A login with a name, and whose name that is.
  var foundLogin: (asked: LogIn, brother: Fratello?)? {
    guard case .logIn(let asked) = request else { return nil }
    return (asked, lodge.brother(named: asked.nome.trimmed))
  }

  /// What O7 showed of whom, and what it had to show.
  var foundPresenze:
    (id: Fratello.ID, shown: [Presenza], due: [(tornata: Held, mark: LodgeFacts.Mark)])?
  {
    guard case .presenze(let query) = request, let shown = reply?.presenze,
      let due = lodge.presenze(of: query.fratelloID, query.anno, during: during)
    else { return nil }
    return (query.fratelloID, shown, due)
  }

  var foundArePresenzeDue: Bool {
    guard let (id, shown, due) = presenze, shown.count == due.count else { return false }
    return zip(shown, due).allSatisfy {
      $0.tornataID == $1.tornata.id && $0.status == $1.mark.status && $0.fratelloID == id
    }
  }

  var words: String { code?.rawValue ?? "answered" }
}

extension LodgeFacts.Mark {
  var lastWrite: Instant { confirmedAt?.upperBound ?? .distantPast }

  /// Whether an inherited record was confirmed at an instant; one without a confirmation has none.
  func isConfirmed(at instant: Instant?) -> Bool {
    guard let confirmedAt, let instant else { return (confirmedAt == nil) == (instant == nil) }
    return abs((instant - confirmedAt.lowerBound).seconds) <= 1
  }
}

extension SessionBook {
  /// When sessions of somebody certainly ended, by logout or by time, before an instant.
  func endings(of owner: Fratello.ID, before instant: Instant) -> [Instant] {
    all(of: owner).compactMap { $0.ended(before: instant) }
  }
}
