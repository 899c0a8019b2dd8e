import Contracts

extension KantineKoning {
  public static func show(_ signal: Signal) -> JSON {
    switch signal {
    case .mail(let mail): ["mail": mail.json(.redacted)]
    }
  }

  /// Hardware identifiers are shortened: whoever knows one could act for its phone (§8, point 24).
  public static func show(_ note: Note) -> JSON {
    switch note {
    case .foreground(let process, let hardware):
      ["foreground": short(hardware), "process": .number(process)]
    case .syncSkipped(let why): ["syncSkipped": .string(why.rawValue)]
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
    case .forgedToken(let hash): ["forgedToken": .string(String(hash, radix: 16))]
    }
  }

  private static func short(_ identifier: String) -> JSON {
    .string(identifier.count > 8 ? identifier.prefix(8) + "…" : identifier)
  }
}
