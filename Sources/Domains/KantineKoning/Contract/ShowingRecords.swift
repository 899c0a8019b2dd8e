import Contracts

extension KantineKoning {
  public static func show(_ signal: Signal) -> JSON {
    let (kind, document) = document(of: signal, .redacted)
    return .object(JSONObject([(kind, document)]))
  }

  public static func show(_ signal: Signal, to address: Address, tokens: any TokenCodec) -> JSON {
    let (kind, document) = document(of: signal, .wire(tokens))
    return .object(JSONObject([("signal", .string(kind))] + (document.object?.members ?? [])))
  }

  private static func document(
    of signal: Signal, _ spelling: Spelling
  ) -> (kind: String, document: JSON) {
    switch signal {
    case .mail(let mail): ("mail", Mail.shape.document(of: mail, spelling))
    case .push(let push): ("push", Push.shape.document(of: push, spelling))
    case .notice(let notice): ("notice", Notice.shape.document(of: notice, spelling))
    }
  }

  public static func show(_ request: Request) -> JSON {
    switch request {
    // A fixture is the operator's own file and holds identifiers in full.
    case .control(.load(let fixture)):
      return [
        "control": "load", "tenants": .number(fixture.tenants.count),
        "teams": .number(fixture.teams.count), "managers": .number(fixture.managers.count),
        "diensten": .number(fixture.diensten.count),
        "enrollments": .number(fixture.enrollments.count),
      ]
    case .control:
      guard let (name, parameters) = table.command(of: request, .redacted) else { return [:] }
      return ["control": .string(name), "parameters": .object(parameters)]
    case .inspect(let look): return ["control": "inspect", "since": .int(Int64(look))]
    default: break
    }
    let wire = wire(request, .redacted)
    var members: JSONObject = ["method": .string(wire.method), "path": .string(wire.target)]
    if let body = JSON(parsing: wire.body) { members["body"] = body }
    return .object(members)
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
      ["firstForeground": short(hardware), "replacing": short(replaced), "held": .names(held)]
    case .appUpdated(let hardware): ["appUpdated": short(hardware)]
    case .reinstalled(let from, let to, let lost):
      ["reinstalled": short(to), "from": short(from), "lost": .names(lost)]
    case .resetLocally(let lost): ["resetLocally": .names(lost)]
    case .uitgelogd(let device): ["uitgelogd": .name(device)]
    case .listShown(let diensten): ["listShown": .number(diensten.count)]
    case .phase(let phase): ["phase": .string(phase.rawValue)]
    case .gaveUpEnrolling: "gaveUpEnrolling"
    case .notFetched(let devices): ["notFetched": .names(devices)]
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
        "swipedAway": .string(swipe.code?.text ?? swipe.level.rawValue),
        "tenant": .name(swipe.tenant),
        "devices": .names(swipe.deviceIDs), "leavesNothing": .bool(swipe.leavesNothing),
        "isToCall": .bool(swipe.isToCall),
      ]
    case .resetConfirmed(let isToCall): ["resetConfirmed": .bool(isToCall)]
    case .pulledToRefresh(let devices): ["pulledToRefresh": .names(devices)]
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
      ["refreshingAfterPush": .number(event), "devices": .names(devices)]
    case .refreshedAfterPush(let event, let isFresh):
      ["refreshedAfterPush": .number(event), "isFresh": .bool(isFresh)]
    case .pushOpened(let opening):
      [
        "pushOpened": .number(opening.eventNumber), "tenant": .name(opening.tenant),
        "team": .name(opening.team), "hasNavigated": .bool(opening.hasNavigated),
        "waited": .string(opening.waited.description),
      ]
    default: .null
    }
  }

  private static func short(_ identifier: HardwareID) -> JSON {
    .string(Spelling.redacted.hardware(identifier))
  }
}
