import Contracts
import KantineKoningContract

/// One history for each rule about removal, pushes and takeover.
extension Probe {
  static let removing = [
    Probe(.kk86) { canteen in
      let token = canteen.follow(["VR1"]).token
      canteen.ask(.removeAll, with: token)
      return "\(canteen.ask(.status, with: token).refusal as Any)"
    },
    Probe(.kk120) { canteen in
      let token = canteen.manage(["1"]).token
      let wish = EmailPreference(enabled: false, team: "1")
      return "\(canteen.ask(.setEmailPreference(wish), with: token).preferences ?? [])"
    },
  ]

  static let pushing = [
    Probe(.kk90) { canteen in
      let one = canteen.follow(["VR1"]).token
      let two = canteen.follow(["MO13-1"]).token
      canteen.hand("any text", with: one)
      return "\(canteen.status(two)?.hasApnsToken as Any)"
    },
    Probe(.kk92) { canteen in
      canteen.listener(for: .sandbox, build: "development")
      canteen.operate(.cancelDienst(id: "d-future"))
      return "\(canteen.pushes.map(\.push.dispatch.environment))"
    },
    Probe(.kk94) { canteen in
      canteen.listener(for: .sandbox, build: "production")
      canteen.operate(.cancelDienst(id: "d-future"))
      return "\(canteen.reached)"
    },
    Probe(.kk95) { canteen in
      canteen.hand("no token", with: canteen.follow(["JO11-3"]).token)
      canteen.operate(.cancelDienst(id: "d-future"))
      canteen.answerPushes()
      return "\(canteen.results())"
    },
    Probe(.kk96) { canteen in
      canteen.listener()
      canteen.operate(.cancelDienst(id: "d-future"))
      return "\(canteen.pushes.map(\.push.payload))"
    },
    Probe(.kk99) { canteen in
      canteen.follow(["VR1"])
      canteen.listener()
      canteen.operate(.cancelDienst(id: "d-future"))
      return "\(canteen.pushes.count)"
    },
    Probe(.kk100) { canteen in
      let device = canteen.listener().registration?.deviceID ?? ""
      canteen.operate(.sendTestPush(deviceID: device, title: "Test", body: "Manual test"))
      return "\(canteen.pushes.count)"
    },
  ]

  static let takingOver = [
    Probe(.kk55) { canteen in
      let token = canteen.follow(["VR1"]).token
      return "\(canteen.available(token)?.map(\.id) as Any)"
    },
    Probe(.kk117) { canteen in
      let token = canteen.manage(["1"]).token
      return "\(canteen.available(token)?.map(\.id) as Any)"
    },
    Probe(.kk118) { canteen in
      let token = canteen.manage(["JO11-3", "1"]).token
      let ticket = canteen.ticket("d-open", with: token)
      canteen.claim("d-open", for: "1", by: ticket, with: token)
      return "\(canteen.claim("d-open", for: "JO11-3", by: ticket, with: token).refusal as Any)"
    },
    Probe(.kk119) { canteen in
      let token = canteen.manage(["JO11-3"]).token
      canteen.offer(with: token)
      canteen.offer("d-future", false, with: token)
      return "\(canteen.available(token, for: "1")?.map(\.id) as Any)"
    },
  ]
}
