import Contracts
import KantineKoningContract
import Timekeeping

private typealias S = CheckStory

extension CheckCases {
  static let boardsAndTakeovers = boards + globalBoards + takeovers + publicReads

  static let boards: [CheckCase] = [
    CheckCase(.kk102) {
      $0.now += .hours(2)
      $0.board(S.marking("2", in: S.season), own: "a-2")
      $0.board(own: "ZZ")
    } fails: {
      $0.now += .hours(2)
      $0.board(own: "a-2")
    },
    CheckCase(.kk103) {
      $0.board()
    } fails: {
      $0.board(S.twelve, own: "T12")
    },
    CheckCase(.kk106) {
      $0.board()
    } fails: {
      $0.board([S.row(1, "1", 2_400, points: 48)])
    },
    CheckCase(.kk107) {
      $0.board()
    } fails: {
      $0.control(.cancelDienst(id: "past"))
      $0.board()
    },
    CheckCase(.kk108) {
      $0.board()
    } fails: {
      $0.board([S.row(1, "1"), S.row(2, "2")])
    },
    CheckCase(.kk109) {
      $0.board(S.week, .week)
    } fails: {
      $0.board(S.season, .week)
    },
    CheckCase(.kk110) {
      $0.board()
    } fails: {
      $0.board([S.row(1, "1", 2_400, recent: 0)])
    },
    CheckCase(.kk111) {
      $0.refusesBoard(.tenantMismatch, LeaderboardQuery(tenant: "b"))
    } fails: {
      $0.refusesBoard(.tenantMismatch, LeaderboardQuery(tenant: "b"), global: true)
    },
    CheckCase(.kk112) {
      $0.board()
    } fails: {
      $0.board([S.row(1, "1", 2_400)])
    },
  ]

  private static let opts = KantineKoning.Control.setLeaderboardOptOut(tenant: "a", optOut: true)

  static let globalBoards: [CheckCase] = [
    CheckCase(.kk101) {
      $0.now += .hours(2)
      $0.globalBoard()
    } fails: {
      $0.now += .hours(2)
      $0.globalBoard([S.row(1, "1", of: "b", global: true)])
    },
    CheckCase(.kk104) {
      $0.control(opts)
      $0.globalBoard(as: "q")  // within the hour
      $0.now += .hours(2)
      $0.globalBoard([S.row(1, "1", of: "b", global: true)], as: "q")
    } fails: {
      $0.control(opts)
      $0.now += .hours(2)
      $0.globalBoard(as: "q")
    },
    CheckCase(.kk105) {
      $0.control(opts)
      $0.refusesBoard(.tenantOptedOut, LeaderboardQuery(), global: true)
      $0.board(optedOut: true)
    } fails: {
      $0.control(opts)
      $0.globalBoard()
    },
  ]

  private static func open(_ start: Instant = S.start + .days(7)) -> Dienst {
    S.dienst(team: nil, start: start)
  }

  static let takeovers: [CheckCase] = [
    CheckCase(.kk117) {
      $0.available([open()])
    } fails: {
      $0.available([S.dienst()])
    },
    CheckCase(.kk118) {
      $0.offer(true)
      $0.claim(for: "2")
      $0.claim(for: "3", S.refused(.alreadyClaimed))
    } fails: {
      $0.offer(true)
      $0.claim(for: "2", then: .zero)
      $0.claim(for: "3")
    },
    CheckCase(.kk119) {
      $0.offer(true)
      $0.offer(false)
    } fails: {
      $0.offer(true)
      $0.offer(false, shown: true)
    },
  ]

  private static let banner = Banner(id: "x", name: "x", fileURL: "https://example.org/x.png")

  static let publicReads: [CheckCase] = [
    CheckCase(.kk116) {
      $0.summary(2_400, shifts: 1)
    } fails: {
      $0.summary(2_400, shifts: 1, ["Vroege Vogel"])
    },
    CheckCase(.kk121) {
      $0.ask(.searchTeams(tenant: "a", query: "zz"), .replied(.teams([])))
      $0.ask(.searchClubs(query: "wil"), .replied(.clubs([])))
    } fails: {
      $0.ask(.searchTeams(tenant: "a", query: "1"), S.refused(.unauthorized))
    },
    CheckCase(.kk122) {
      $0.control(.createBanner(banner))
      $0.banners(of: nil, own: [], global: ["x"])
    } fails: {
      $0.control(.createBanner(banner))
      $0.banners(of: nil, own: ["y"], global: ["x"])
    },
  ]
}
