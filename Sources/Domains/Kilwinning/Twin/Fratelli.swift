import Contracts
import KilwinningContract
import Timekeeping

extension KilwinningTwin {
  /// All fratelli as they are listed (KW-030, KW-031).
  mutating func listed() -> SharedList<Fratello> {
    if rules.off.isEmpty, let list { return list }
    let all = listing.map { shown($0) }
    let listed = SharedList(rules.binds(.kw030) ? all : Array(all.prefix(10)))
    list = rules.off.isEmpty ? listed : nil
    return listed
  }

  /// In the order of the list.
  var listing: [Int] {
    guard !rules.binds(.kw031) else { return register.order }
    return register.brothers.indices.sorted {
      register.brothers[$0].fratello.id < register.brothers[$1].fratello.id
    }
  }

  /// A fratello as he is told of, his right derived now (KW-022).
  /// - Parameter session: Whose claim is believed while KW-022 is switched off.
  func shown(_ brother: Int, in session: Int? = nil) -> Fratello {
    var fratello = register.brothers[brother].fratello
    fratello.adminAccess = isAdmin(brother: brother)
    if let session, !rules.binds(.kw022), sessions[session].claimsAdmin {
      fratello.adminAccess = true
    }
    return fratello
  }

  func isAdmin(_ session: Int) -> Bool {
    let claims = !rules.binds(.kw022) && sessions[session].claimsAdmin
    return claims || isAdmin(brother: sessions[session].brother)
  }

  /// KW-020, KW-021, KW-027.
  private func isAdmin(brother: Int) -> Bool {
    let fratello = register.brothers[brother].fratello
    let names =
      rules.binds(.kw027) ? deployment.adminNames : Kilwinning.Deployment().adminNames
    if PresenceCalculator.isAdmin(fratello.nome, among: names) { return true }
    if !rules.binds(.kw020) {
      let words = Self.words(fratello.nome)
      if names.contains(where: { Self.words($0) == words }) { return true }
    }
    return !rules.binds(.kw021)
      && [.venerabile, .segretario].contains(fratello.caricaFissa)
  }

  /// In any case and order.
  private static func words(_ nome: String) -> [String] {
    nome.lowercased().split(separator: " ").map(String.init).sorted()
  }

  // MARK: O6

  mutating func update(_ asked: FratelloUpdate) -> Answer {
    guard let brother = register.brother(asked.id) else { return .refused(.fratelloNonTrovato) }
    let change: FratelloChange
    switch asked.change {
    case .success(let given): change = given
    case .failure(let fault): return .failure(refusal(ofBody: fault))
    }
    var fratello = register.brothers[brother].fratello
    fratello.grado = change.grado
    fratello.dataIniziazione = date(change.dataIniziazione, now: fratello.dataIniziazione)
    fratello.dataPassaggio = date(change.dataPassaggio, now: fratello.dataPassaggio)
    fratello.dataElevazione = date(change.dataElevazione, now: fratello.dataElevazione)
    if !rules.binds(.kw036) { fratello.nome = change.nome ?? fratello.nome }
    guard fratello.hasItsDatesInOrder || !rules.binds(.kw034) else {
      return .refused(.dateNonCoerenti)
    }
    register.change(brother, to: fratello, in: deployment.zone)
    register.sortBrothers()
    list = nil
    return .success(.fratello(shown(brother)))
  }

  /// KW-033.
  private func date(_ change: Edit<Instant?>, now present: Instant?) -> Instant? {
    rules.binds(.kw033) ? change.applied(to: present) : change.applied(to: nil)
  }
}
