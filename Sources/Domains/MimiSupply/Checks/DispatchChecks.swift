import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Drivers and dispatch: MS-64 to MS-76.
enum DispatchChecks {
  static let all: [MSCheck] = [
    eachOrder(.ms64) { order, _, facts, judge in
      AssignmentRules.keepsDriver(order, facts, &judge)
    },
    .each(.ms65, .asking(.query, .modify), by: DispatchFacts.self, AssignmentRules.capacity)
      + .census(.ms65, by: DispatchFacts.self) { shown, _, facts, judge in
        for name in shown.changedDrivers {
          guard let held = shown.drivers[name]?.activeOrders else { continue }
          judge.expect(held <= facts.settings.capacity, "\(name) holds \(held) active orders")
        }
      },
    .each(.ms66, .asking(.modify), AssignmentRules.verified)
      + .census(.ms66, by: DispatchFacts.self) { shown, _, facts, judge in
        for offer in facts.offers(in: shown) { OfferRules.eligible(offer, facts, &judge) }
      },
    .each(.ms67, .asking(.modify), AssignmentRules.lateAnswer)
      + .each(.ms67, .asking(.modify), by: DispatchFacts.self) { call, facts, judge in
        for (item, result) in call.writes {
          AssignmentRules.unasked(item, result, call, facts, &judge)
        }
      }
      + .census(.ms67, by: DispatchFacts.self) { shown, moment, facts, judge in
        let offers = facts.offers(in: shown)
        OfferRules.lifetime(of: offers, facts, now: moment.time, &judge)
        OfferRules.exclusive(offers, by: \.order, now: moment.time, &judge)
        OfferRules.exclusive(offers, by: \.driver, now: moment.time, &judge)
      },
    .census(.ms68, by: DispatchFacts.self) { shown, _, facts, judge in
      OfferRules.nobodyTwice(facts.offers(in: shown), facts, &judge)
    },
    .each(.ms69, .asking(.modify), by: DispatchFacts.self) { call, facts, judge in
      for (item, result) in call.writes {
        AssignmentRules.oneWins(item, result, call, facts, &judge)
      }
    },
    eachOrder(.ms70) { order, _, facts, judge in WaitingRules.gaveUp(order, facts, &judge) }
      + .census(.ms70, by: DispatchFacts.self) { shown, _, facts, judge in
        WaitingRules.waits(shown, facts, &judge)
        OfferRules.resumes(facts.offers(in: shown), facts, &judge)
      },
    eachOrder(.ms71, WaitingRules.losesSilent),
    .each(.ms72, .asking(.lookup, .modify), by: DispatchFacts.self) { call, facts, judge in
      ShiftRules.available(call, facts, &judge)
    }
      + .census(.ms72, by: DispatchFacts.self) { shown, _, facts, judge in
        ShiftRules.available(shown, facts, &judge)
      },
    .each(.ms73, .showing, by: DispatchFacts.self) { call, facts, judge in
      ShiftRules.offline(call, facts, &judge)
    } + .census(.ms73) { shown, judge in ShiftRules.offline(shown, &judge) },
    .history(.ms74, Set<Concern>.anything.union([.notes]), PositionsOnDelivery.init),
    .each(.ms75, .showing, by: DispatchFacts.self) { call, facts, judge in
      for driver in call.drivers { ShiftRules.position(of: driver, call, facts, &judge) }
    },
    .census(.ms76, by: DispatchFacts.self) { shown, _, facts, judge in
      let offers = facts.offers(in: shown)
      for offer in offers { OfferRules.first(offer, among: offers, facts, &judge) }
      OfferRules.inLine(offers, facts, &judge)
    },
  ]

  /// Judges each order that an answer shows whole, in the light of what is known of dispatch.
  private static func eachOrder(
    _ limit: MimiSupply.Rule,
    _ judge: @escaping @Sendable (ShownOrder, SeenCall, DispatchFacts, inout Judge) -> Void
  ) -> MSCheck {
    .each(limit, .showing, by: DispatchFacts.self) { call, facts, verdict in
      for order in call.orders where order.isWhole { judge(order, call, facts, &verdict) }
    }
  }
}
