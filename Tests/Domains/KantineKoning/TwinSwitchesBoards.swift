import Contracts
import KantineKoningContract
import Timekeeping

// One small history per rule of the boards and the public reads.

extension Probe {
  static let boards = [
    Probe(.kk101) { canteen in
      canteen.work("JO10-5", 60, of: Canteen.agovv)
      let token = canteen.follow(["VR1"]).token
      return "\(canteen.globalBoard(token).board?.contains { $0.team.code == "JO10-5" } as Any)"
    },
    Probe(.kk102) { canteen in
      let token = canteen.follow(["VR1"]).token
      return "\(canteen.board(token, own: "VR1").board?.row("VR1")?.highlighted as Any)"
    },
    Probe(.kk103) { canteen in
      canteen.manyTeams()
      let token = canteen.follow(["X1"], of: Canteen.agovv).token
      return "\(canteen.board(token).board?.map(\.team.code) ?? [])"
    },
    Probe(.kk104) { canteen in
      let token = canteen.follow(["VR1"]).token
      canteen.work("JO10-5", 60, of: Canteen.agovv)
      canteen.operate(.setLeaderboardOptOut(tenant: Canteen.agovv, optOut: true))
      return "\(canteen.globalBoard(token).board?.contains { $0.team.code == "JO10-5" } as Any)"
    },
    Probe(.kk105) { canteen in
      let token = canteen.follow(["VR1"]).token
      canteen.operate(.setLeaderboardOptOut(tenant: Canteen.wilhelmus, optOut: true))
      return "\(canteen.globalBoard(token).refusal as Any)"
    },
    Probe(.kk106) { canteen in
      canteen.work("VR1", 60)
      let token = canteen.follow(["VR1"]).token
      return "\(canteen.board(token).board?.row("VR1")?.points as Any)"
    },
    Probe(.kk107) { canteen in
      canteen.work("VR1", 60, id: "x")
      canteen.operate(.cancelDienst(id: "x"))
      let token = canteen.follow(["VR1"]).token
      return "\(canteen.board(token).board?.row("VR1")?.totalHours.hundredths ?? 0)"
    },
    Probe(.kk108) { canteen in
      for code: TeamName in ["JO10-5", "JO11-3"] { canteen.work(code, 60, of: Canteen.agovv) }
      let token = canteen.follow(["JO10-5"], of: Canteen.agovv).token
      return "\(canteen.board(token, "week").board?.map(\.rank) ?? [])"
    },
    Probe(.kk109) { canteen in
      canteen.work("VR1", 60, until: canteen.now - .days(9))
      let token = canteen.follow(["VR1"]).token
      return "\(canteen.board(token, "week").board?.row("VR1")?.totalHours.hundredths ?? 0)"
    },
    Probe(.kk110) { canteen in
      canteen.work("VR1", 60)
      let token = canteen.follow(["VR1"]).token
      return "\(canteen.board(token).board?.row("VR1")?.positionChange as Any)"
    },
    Probe(.kk111) { canteen in
      let token = canteen.follow(["VR1"]).token
      return "\(canteen.board(token, tenant: Canteen.agovv).refusal as Any)"
    },
    Probe(.kk112) { canteen in
      let token = canteen.follow(["VR1"]).token
      return "\(canteen.board(token).board?.contains { $0.team.code == "VR1" } as Any)"
    },
  ]

  static let publicReads = [
    Probe(.kk114) { canteen in
      canteen.operate(.endSeason(tenant: Canteen.agovv))
      return
        "\(canteen.ask(.seasonSummary(tenant: Canteen.agovv, teamCode: "JO10-5")).refusal as Any)"
    },
    Probe(.kk115) { canteen in
      canteen.operate(.endSeason(tenant: Canteen.agovv))
      canteen.operate(.resetSeason(tenant: Canteen.agovv))
      return
        "\(canteen.ask(.seasonSummary(tenant: Canteen.agovv, teamCode: "JO10-5")).refusal as Any)"
    },
    Probe(.kk116) { canteen in
      for day in 0..<10 {
        canteen.work("VR1", 240, until: canteen.now - .days(Int64(day)))
      }
      let answer = canteen.ask(.seasonSummary(tenant: Canteen.wilhelmus, teamCode: "VR1"))
      return "\(answer.seasonSummary?.seasonStats.achievements.map(\.title) ?? [])"
    },
    Probe(.kk121) { canteen in
      "\(canteen.ask(.searchClubs(query: "vvw")).refusal as Any)"
    },
    Probe(.kk121) { canteen in
      "\(canteen.ask(.banners(.init())).refusal as Any)"
    },
    Probe(.kk122) { canteen in
      canteen.operate(
        .createBanner(
          .init(id: "b", tenantSlug: Canteen.agovv, name: "B", fileURL: "https://x/b")))
      return "\(canteen.ask(.banners(.init())).banners?.banners.map(\.id) ?? [])"
    },
  ]
}
