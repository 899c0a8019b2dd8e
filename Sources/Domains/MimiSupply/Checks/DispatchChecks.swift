import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Drivers and dispatch: MS-64 to MS-76.
enum DispatchChecks {
  static let all: [MSCheck] = [
    .seenByDispatch(.ms64, .showing) { exchange, facts, judge in
      for order in exchange.shown where order.type == "Order" && order.isWhole {
        AssignmentRules.keepsDriver(order, facts, &judge)
      }
    },
    .informed(
      .ms65, by: DispatchFacts.self,
      concerns: Set<Concern>.asking(.query, .modify).union([.inspections])
    ) { record, facts, judge in
      switch record.event {
      case .request(let exchange): AssignmentRules.capacity(exchange, facts, &judge)
      case .inspection(let reply):
        Inspected.drivers(reply) { driver, held in
          judge.expect(held <= facts.settings.capacity, "\(driver) holds \(held) active orders")
        }
      case .control, .signal, .note: break
      }
    },
    .informed(
      .ms66, by: DispatchFacts.self,
      concerns: Set<Concern>.asking(.modify).union([.inspections])
    ) { record, facts, judge in
      switch record.event {
      case .request(let exchange): AssignmentRules.verified(exchange, &judge)
      case .inspection(let reply):
        for offer in facts.offers(in: reply.shown) { OfferRules.eligible(offer, facts, &judge) }
      case .control, .signal, .note: break
      }
    },
    .informed(
      .ms67, by: DispatchFacts.self,
      concerns: Set<Concern>.asking(.modify).union([.inspections])
    ) { record, facts, judge in
      switch record.event {
      case .request(let exchange): AssignmentRules.lateAnswer(exchange, &judge)
      case .inspection(let reply):
        let offers = facts.offers(in: reply.shown)
        OfferRules.lifetime(of: offers, facts, now: record.time, &judge)
        OfferRules.exclusive(offers, by: \.order, now: record.time, &judge)
        OfferRules.exclusive(offers, by: \.driver, now: record.time, &judge)
      case .control, .signal, .note: break
      }
    },
    .inspectedByDispatch(.ms68) { shown, _, facts, judge in
      OfferRules.nobodyTwice(facts.offers(in: shown), facts, &judge)
    },
    .seenByDispatch(.ms69, .asking(.modify)) { exchange, facts, judge in
      for (item, result) in exchange.writes {
        AssignmentRules.oneWins(item, result, exchange, facts, &judge)
      }
    },
    .informed(
      .ms70, by: DispatchFacts.self, concerns: Set<Concern>.showing.union([.inspections])
    ) { record, facts, judge in
      switch record.event {
      case .request(let exchange):
        for order in exchange.shown where order.type == "Order" && order.isWhole {
          WaitingRules.gaveUp(order, facts, &judge)
        }
      case .inspection(let reply): WaitingRules.waits(reply.shown, facts, &judge)
      case .control, .signal, .note: break
      }
    },
    .seenByDispatch(.ms71, .showing) { exchange, facts, judge in
      for order in exchange.shown where order.type == "Order" && order.isWhole {
        WaitingRules.losesSilent(order, exchange, facts, &judge)
      }
    },
    .informed(
      .ms72, by: DispatchFacts.self,
      concerns: Set<Concern>.asking(.lookup, .modify).union([.inspections])
    ) { record, facts, judge in
      switch record.event {
      case .request(let exchange): ShiftRules.available(exchange, facts, &judge)
      case .inspection(let reply): ShiftRules.available(reply.shown, facts, &judge)
      case .control, .signal, .note: break
      }
    },
    .informed(
      .ms73, by: DispatchFacts.self, concerns: Set<Concern>.showing.union([.inspections])
    ) { record, facts, judge in
      switch record.event {
      case .request(let exchange): ShiftRules.offline(exchange, facts, &judge)
      case .inspection(let reply): ShiftRules.offline(reply.shown, &judge)
      case .control, .signal, .note: break
      }
    },
    .byPerson(.ms74, Set<Concern>.anything.union([.notes])) { PositionsOnDelivery() },
    .seenByDispatch(.ms75, .showing) { exchange, facts, judge in
      for driver in exchange.shown where driver.type == "Driver" && driver.isWhole {
        ShiftRules.position(of: driver, exchange, facts, &judge)
      }
    },
    .inspectedByDispatch(.ms76) { shown, _, facts, judge in
      let offers = facts.offers(in: shown)
      for offer in offers { OfferRules.first(offer, among: offers, facts, &judge) }
    },
  ]
}

extension MSCheck {
  /// Judges each exchange of some operations in the light of what is known of dispatch.
  fileprivate static func seenByDispatch(
    _ limit: LimitID, _ operations: Set<Concern>,
    _ judge: @escaping @Sendable (MSExchange, DispatchFacts, inout Judge) -> Void
  ) -> MSCheck {
    .informed(limit, by: DispatchFacts.self, concerns: operations) { record, facts, verdict in
      if case .request(let exchange) = record.event { judge(exchange, facts, &verdict) }
    }
  }

  /// Judges each inspection in the light of what is known of dispatch.
  fileprivate static func inspectedByDispatch(
    _ limit: LimitID,
    _ judge: @escaping @Sendable (JSON, Instant, DispatchFacts, inout Judge) -> Void
  ) -> MSCheck {
    .informed(limit, by: DispatchFacts.self, concerns: [.inspections]) { record, facts, verdict in
      if case .inspection(let reply) = record.event {
        judge(reply.shown, record.time, facts, &verdict)
      }
    }
  }
}

/// What inspection shows of drivers and orders.
enum Inspected {
  /// Every driver with the number of his active orders.
  static func drivers(_ reply: MimiSupply.Reply, _ body: (String, Int) -> Void) {
    for (name, facts) in reply.shown["market"]?["drivers"]?.object?.members ?? [] {
      body(name, facts["activeOrders"]?.array?.count ?? 0)
    }
  }

  static func records(_ shown: JSON, _ type: String) -> [JSON] {
    shown["records"]?[type]?.array ?? []
  }
}

extension MimiSupply.Reply {
  /// What an inspection shows; nothing for any other answer.
  var shown: JSON { if case .shown(let shown) = content { shown } else { .null } }
}

extension JSON {
  /// The value of a record's field as inspection shows it.
  func field(_ name: String) -> JSON? { self["fields"]?[name]?["value"] }
}
