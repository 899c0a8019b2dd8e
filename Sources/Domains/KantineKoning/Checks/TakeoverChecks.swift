import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// Diensten that change hands: KK-117 to KK-119.
enum TakeoverChecks {
  static let all: [KKCheck] = [
    .each(.kk117, .asking(.takeover)) { call, judge in
      guard let dienst = call.dienst else { return }
      judge.expect(
        dienst.startTijd >= call.sent && dienst.status != .geannuleerd
          && (dienst.team == nil || dienst.offeredForTransfer),
        "a dienst of \(dienst.team?.code ?? "nobody") is shown to who may not take it over")
    }
      + .each(.kk117, .asking(.availableDiensten)) { call, judge in
        guard let list = call.diensten, !list.isEmpty else { return }
        let last = call.answered + OfferedDiensten.ahead
        guard case .availableDiensten(let named) = call.request else { return }
        // A team that is named by its id is known by no code here.
        let own: [TeamName?] = named.map { [$0] } ?? call.claims?.teamCodes ?? []
        let wrong = list.first { dienst in
          dienst.startTijd < call.sent || dienst.startTijd > last || dienst.status == .geannuleerd
            || (dienst.team != nil && !dienst.offeredForTransfer) || own.contains(dienst.team?.code)
        }
        judge.expect(
          wrong == nil,
          "a dienst of \(wrong?.team?.code ?? "nobody") that nobody may take over is offered")
      }
      + .onBoards(.kk117, .asking(.availableDiensten), OfferedDiensten.judge),
    .each(.kk119, .asking(.transferOffer)) { call, judge in
      guard case .offerTransfer(let offer) = call.request, let dienst = call.dienst else {
        return
      }
      guard dienst.team != nil else { return judge.violated("the team lost what it offered") }
      judge.expect(
        dienst.offeredForTransfer == offer.offered,
        offer.offered ? "an offer is not shown" : "a withdrawn offer is still there")
    } + .history(.kk119, OffersShown.concerns, OffersShown.init),
    .history(
      .kk118, [.asks(.claimDienst), .asks(.transferOffer), .controls], by: BoardFacts.self,
      ClaimedDiensten.init),
  ]
}

/// KK-118: between two claims that succeed the dienst must have been offered anew, and nobody claims what is his.
private struct ClaimedDiensten: History {
  static let scope = Scope<KantineKoning>.cell

  private struct Claim {
    let during: ClosedRange<Instant>
    let team: TeamName
    /// Whether the operator had given the dienst to a team by then.
    let isOfATeam: Bool
  }

  /// What is known about one dienst that somebody claimed or offered.
  private struct Story {
    var claims: [Claim] = []
    /// When it became available, or may have.
    var openings: [ClosedRange<Instant>] = []
  }

  private var stories: [DienstID: Story] = [:]
  /// In the order in which they were first heard of.
  private var diensten: [DienstID] = []
  private let facts: BoardFacts

  init(_ facts: BoardFacts) { self.facts = facts }

  mutating func commanded(
    _ command: KantineKoning.Control, at moment: Moment, _ judge: inout Judge
  ) {
    guard case .assignDienst(let id, _) = command else { return }
    change(id) { $0.openings.append((moment.time - BoardFacts.slack)...moment.time) }
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    switch call.request {
    case .claimDienst(let claim):
      if call.code == .alreadyClaimed || call.code == .ownDienst { judge.held() }
      // An authentic token names who has the dienst.
      if let team = call.dienst?.team?.id, case .issued(let token) = claim.token,
        token.holder == team
      {
        judge.violated("\(call.dienst?.team?.code ?? "") took over what it had")
      }
      if let dienst = call.dienst,
        !dienst.aanmeldingen.isEmpty || dienst.offeredForTransfer
          || dienst.status != dienst.impliedStatus
      {
        judge.violated(
          "names, an offer or the status of the former team stay on a dienst that was taken over")
      }
      if let team = call.dienst?.team?.code {
        let taken = Claim(
          during: call.during, team: team, isOfATeam: facts.isAssigned(claim.dienstID))
        change(claim.dienstID) { $0.claims.append(taken) }
      }
    case .offerTransfer(let offer):
      guard offer.offered, call.isReplied || call.isUnknown else { return }
      change(offer.dienstID) { $0.openings.append(call.during) }
    default: break
    }
  }

  private mutating func change(_ dienst: DienstID, _ change: (inout Story) -> Void) {
    if stories[dienst] == nil { diensten.append(dienst) }
    change(&stories[dienst, default: Story()])
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) {
    for dienst in diensten {
      guard let story = stories[dienst] else { continue }
      let claims = story.claims.sorted { $0.during.upperBound < $1.during.upperBound }
      for (index, claim) in claims.enumerated() {
        let before = index > 0 ? claims[index - 1] : nil
        guard before != nil || claim.isOfATeam else { continue }
        let from = min(
          before?.during.lowerBound ?? .distantPast, claim.during.lowerBound)
        let isOffered = story.openings.contains { opening in
          opening.lowerBound <= claim.during.upperBound && opening.upperBound >= from
        }
        judge.expect(
          isOffered, "\(claim.team) took a dienst over that \(before?.team ?? "nobody") offered")
      }
    }
  }
}
