import Contracts

extension KantineKoning {
  public static func show(_ signal: Signal) -> JSON {
    switch signal {
    case .mail(let mail): ["mail": mail.json(.redacted)]
    case .push(let push): ["push": push.json(.redacted)]
    case .notice(let notice): ["notice": notice.json(.redacted)]
    }
  }

  /// Hardware identifiers are shortened: whoever knows one could act for its phone (§8, point 24).
  public static func show(_ note: Note) -> JSON {
    switch note {
    case .foreground(let process, let hardware):
      ["foreground": short(hardware), "process": .number(process)]
    case .syncSkipped(let why): ["syncSkipped": .string(why.rawValue)]
    case .throttleForgotten: "throttleForgotten"
    case .identifierChanged(let from, let to, let held):
      ["identifierChanged": short(to), "from": short(from), "heldEnrollments": .number(held)]
    case .firstForeground(let hardware, let replaced, let held):
      ["firstForeground": short(hardware), "replacing": short(replaced), "held": .strings(held)]
    case .appUpdated(let hardware): ["appUpdated": short(hardware)]
    case .reinstalled(let from, let to, let lost):
      ["reinstalled": short(to), "from": short(from), "lost": .strings(lost)]
    case .resetLocally(let lost): ["resetLocally": .strings(lost)]
    case .uitgelogd(let device): ["uitgelogd": .string(device)]
    case .listShown(let diensten): ["listShown": .number(diensten.count)]
    case .phase(let phase): ["phase": .string(phase.rawValue)]
    case .gaveUpEnrolling: "gaveUpEnrolling"
    case .notFetched(let devices): ["notFetched": .strings(devices)]
    case .swipedAway, .resetConfirmed, .pulledToRefresh: showRemoval(note)
    case .installed(let scheme): ["installed": .string(scheme.rawValue)]
    case .notificationsRefused: "notificationsRefused"
    case .pushTokenGiven(let hash): ["pushTokenGiven": .string(String(hash, radix: 16))]
    case .pushTokenLogged, .pushArrived, .refreshingAfterPush, .refreshedAfterPush, .pushOpened:
      showPush(note)
    case .forgedToken(let hash): ["forgedToken": .string(String(hash, radix: 16))]
    }
  }

  private static func showRemoval(_ note: Note) -> JSON {
    switch note {
    case .swipedAway(let swipe):
      [
        "swipedAway": .string(swipe.code ?? swipe.level.rawValue), "tenant": .string(swipe.tenant),
        "devices": .strings(swipe.deviceIDs), "leavesNothing": .bool(swipe.leavesNothing),
        "isToCall": .bool(swipe.isToCall),
      ]
    case .resetConfirmed(let isToCall): ["resetConfirmed": .bool(isToCall)]
    case .pulledToRefresh(let devices): ["pulledToRefresh": .strings(devices)]
    default: .null
    }
  }

  private static func showPush(_ note: Note) -> JSON {
    switch note {
    case .pushTokenLogged(let line):
      [
        "pushTokenLogged": .string(line.token), "build": .string(line.buildEnvironment),
        "apns_env": .string(line.finalEnvironment.rawValue), "isNew": .bool(line.isNew),
        "isTaken": .bool(line.isTaken), "bearer": line.bearer.map { .string($0) } ?? .null,
      ]
    case .pushArrived(let event): ["pushArrived": .number(event)]
    case .refreshingAfterPush(let event, let devices):
      ["refreshingAfterPush": .number(event), "devices": .strings(devices)]
    case .refreshedAfterPush(let event, let isFresh):
      ["refreshedAfterPush": .number(event), "isFresh": .bool(isFresh)]
    case .pushOpened(let opening):
      [
        "pushOpened": .number(opening.eventNumber), "tenant": .string(opening.tenant),
        "team": .string(opening.team), "hasNavigated": .bool(opening.hasNavigated),
        "waited": .string(opening.waited.description),
      ]
    default: .null
    }
  }

  private static func short(_ identifier: String) -> JSON {
    .string(identifier.count > 8 ? identifier.prefix(8) + "…" : identifier)
  }
}
