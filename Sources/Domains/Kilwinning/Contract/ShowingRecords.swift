import Contracts

extension Kilwinning {
  public static func show(
    _ signal: Never, to address: Never, tokens: any TokenCodec
  ) -> JSON {}

  public static func show(_ signal: Never) -> JSON {}

  public static func show(_ note: Note) -> JSON {
    switch note {
    case .queued(let entry, let replaced):
      [
        "queued": .string(entry.opID), "fratello": .number(entry.fratelloID),
        "tornata": .number(entry.tornataID), "presente": .bool(entry.presente),
        "replacing": .optional(replaced),
      ]
    case .settled(let id, let fratello, .applied):
      ["settled": .string(id), "fratello": .number(fratello), "as": "applied"]
    case .settled(let id, let fratello, .conflict(let code)):
      ["settled": .string(id), "fratello": .number(fratello), "as": .string(code.rawValue)]
    case .paused(let fratello, let kept): ["paused": .number(fratello), "kept": .number(kept)]
    case .discarded(let fratello, let count):
      ["discarded": .number(count), "fratello": .number(fratello)]
    }
  }
}
