import Contracts
import KilwinningContract
import Timekeeping

extension KilwinningTwin {
  // MARK: O11

  /// KW-040 to KW-042.
  mutating func tornate(
    _ year: Int?, _ stato: Tornata.Stato?, for session: Int
  ) -> SharedList<Tornata> {
    let selection = TornateSelection(
      year.map { .year($0) } ?? .tutti, rules.binds(.kw040) ? stato : nil)
    guard rules.off.isEmpty else { return SharedList(bentTornate(selection, for: session)) }
    if let list = lists[selection] { return list }
    let list = SharedList(selected(selection))
    lists[selection] = list
    return list
  }

  func selected(_ selection: TornateSelection) -> [Tornata] {
    var year: Int?
    if case .year(let number) = selection.anno { year = number }
    return newestFirst(places(of: year)).lazy.map { register.tornate[$0] }.filter {
      selection.stato == nil || $0.stato == selection.stato
    }
  }

  /// KW-042.
  func newestFirst(_ places: Range<Int>) -> [Int] {
    rules.binds(.kw042) ? places.reversed() : Array(places)
  }

  /// The places of a year's tornate; `nil`: of all.
  func places(of year: Int?) -> Range<Int> {
    guard let year else { return 0..<register.tornate.count }
    let instants = (rules.binds(.kw076) ? deployment.zone : .utc).year(year)
    return register.places(from: instants.lowerBound, until: instants.upperBound)
  }

  // MARK: O12 to O14

  mutating func create(_ asked: NewTornata, as session: Int) -> Answer {
    if !rules.binds(.kw045), asked.tipo == .cerimonia {
      return .refused(.campoNonValido, field: "tipo")
    }
    let stato = rules.binds(.kw043) ? nil : asked.stato
    let stored = register.add(
      Tornata(
        id: .none, discussione: asked.discussione, data: asked.data, tipo: asked.tipo,
        location: asked.location, cena: asked.cena, stato: stato ?? .programmata))
    lists = [:]
    if !rules.binds(.kw044) { bent.creators[stored.id] = sessions[session].brother }
    return .success(.tornata(stored))
  }

  mutating func update(_ asked: TornataUpdate) -> Answer {
    guard let place = register.place(of: asked.id) else { return .refused(.tornataNonTrovata) }
    var change: TornataChange
    switch asked.change {
    case .success(let given): change = given
    case .failure(let fault): return .failure(refusal(ofBody: fault))
    }
    let present = register.tornate[place]
    if !rules.binds(.kw046) {
      change.cena = .to(change.cena.applied(to: false))
      change.location = .to(change.location.applied(to: Tornata.ownLodge))
    }
    let next = change.applied(to: present)
    if !rules.binds(.kw049), present.stato == .annullata, next.stato != .annullata {
      return .refused(.tornataAnnullata)
    }
    if !rules.binds(.kw048), next.stato == .annullata {
      for brother in register.brothers.indices { register.forget(brother, at: place) }
    }
    register.change(place, to: next)
    lists = [:]
    return .success(.tornata(next))
  }

  mutating func delete(_ id: Tornata.ID) -> Answer {
    guard let place = register.place(of: id) else {
      return rules.binds(.kw054)
        ? .refused(.tornataNonTrovata) : .success(.deleted(message: "Eliminata"))
    }
    if rules.binds(.kw051) {
      register.delete(place)
    } else {
      var tornata = register.tornate[place]
      tornata.stato = .annullata
      register.change(place, to: tornata)
    }
    lists = [:]
    return .success(.deleted(message: "Tornata eliminata"))
  }
}
