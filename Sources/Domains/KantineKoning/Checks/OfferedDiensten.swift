import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// KK-117 and KK-119: whoever looks for diensten to take over is shown what nobody has and what its team offers, and
/// nothing that was withdrawn; in the order in which they begin.
enum OfferedDiensten {
  /// How far ahead diensten are offered (§3.4, O21).
  static let ahead = Span.days(60)

  /// KK-117: every open dienst of the next sixty days is there, in order of start, then identifier.
  @Sendable static func judge(_ call: KKCall, _ facts: BoardFacts, _ judge: inout Judge) {
    guard case .availableDiensten = call.request, let list = call.diensten,
      let club = facts.unchangedClub(of: call)
    else { return }
    judge.expect(
      zip(list, list.dropFirst()).allSatisfy {
        $0.startTijd != $1.startTijd ? $0.startTijd < $1.startTijd : $0.id < $1.id
      }, "the diensten to take over are out of order")
    let window = call.answered...(call.sent + ahead)
    let shown = Set(list.map(\.id))
    let missing = club.diensten.indices.first { index in
      let shift = club.shift(index)
      return shift.team == nil && !shift.isCancelled && !shift.isDoubtful
        && shift.touchedUntil < call.sent && window.contains(shift.start)
        && !shown.contains(club.diensten[index].id)
    }
    judge.expect(missing == nil, "a dienst that nobody has is not offered to those who look")
  }
}

/// KK-119: an offer shows the dienst to the others, and a withdrawal hides it.
struct OffersShown: History {
  static let scope = Scope<KantineKoning>.cell
  static let concerns: Set<Concern> = [
    .asks(.transferOffer), .asks(.claimDienst), .asks(.availableDiensten), .controls,
  ]

  private struct Offer {
    let tenant: Slug
    let team: TeamInfo?
    let start: Instant
    let isOffered: Bool
    let until: Instant
  }

  /// The last certain word about each dienst that somebody offered or withdrew.
  private var offers: [DienstID: Offer] = [:]
  /// Looks, and when something may have happened to a dienst: judged at the end, when every answer is known.
  private var looks: [(call: KKCall, offers: [DienstID: Offer])] = []
  private var changes: [DienstID: [ClosedRange<Instant>]] = [:]
  private static let most = 2_000

  mutating func commanded(
    _ command: KantineKoning.Control, at moment: Moment, _ judge: inout Judge
  ) {
    switch command {
    case .assignDienst(let id, _), .cancelDienst(let id): offers[id] = nil
    case .changeDienst(let change): offers[change.id] = nil
    case .resetSeason, .endSeason, .reset: offers = [:]
    default: break
    }
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    switch call.request {
    case .offerTransfer(let offer):
      guard call.isReplied || call.isUnknown else { return }
      changes[offer.dienstID, default: []].append(call.during)
      offers[offer.dienstID] = call.dienst.flatMap { dienst in
        guard dienst.status != .geannuleerd else { return nil }
        return Offer(
          tenant: dienst.tenantSlug, team: dienst.team, start: dienst.startTijd,
          isOffered: offer.offered, until: call.during.upperBound)
      }
    case .claimDienst(let claim):
      guard call.isReplied || call.isUnknown else { return }
      changes[claim.dienstID, default: []].append(call.during)
      offers[claim.dienstID] = nil
    case .availableDiensten:
      let known = offers.filter {
        $0.value.until < call.sent && $0.value.tenant == call.claims?.tenantSlug
      }
      if call.diensten != nil, !known.isEmpty, looks.count < Self.most {
        looks.append((call, known))
      }
    default: break
    }
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) {
    for (call, offers) in looks {
      guard let list = call.diensten, case .availableDiensten(let own) = call.request else {
        continue
      }
      let shown = Set(list.map(\.id))
      for id in offers.keys.sorted() {
        guard let offer = offers[id], !isDisturbed(id, from: offer.until, by: call) else {
          continue
        }
        let isOwn =
          own.map { $0 == offer.team?.code || $0 == offer.team?.id }
          ?? call.claims?.teamCodes.contains(offer.team?.code ?? "") ?? true
        let isInWindow =
          offer.start >= call.answered && offer.start <= call.sent + OfferedDiensten.ahead
        if offer.isOffered, !isOwn, isInWindow {
          judge.expect(shown.contains(id), "an offer is not shown to the others")
        } else if !offer.isOffered {
          judge.expect(!shown.contains(id), "a withdrawn offer is still shown")
        }
      }
    }
  }

  /// Whether something else may have happened to a dienst since the last word about it.
  private func isDisturbed(_ id: DienstID, from word: Instant, by call: KKCall) -> Bool {
    changes[id, default: []].contains {
      $0.upperBound > word && $0.lowerBound <= call.answered
    }
  }
}
