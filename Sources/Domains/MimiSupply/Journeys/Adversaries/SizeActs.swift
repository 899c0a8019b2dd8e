import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What is tried against the sizes of §4.1: records, files, requests.
enum SizeActs {
  static let all: [Act] = [records, files, operations, bodies, pictures, galleries]

  private static let maxRecord = 1 << 20
  private static let maxBody = 2 << 20
  private static let maxFile = 1 << 30

  // MS-04: a record of exactly 1 MB, one of a byte more, and the same by an update.
  private static let records = Act(isCostly: true) { adversary, me throws(JourneyEnded) in
    let large = adversary.product(adversary.fresh("large"), bytes: maxRecord + 1, at: me.now)
    try await adversary.create(large, in: "public", as: .owner, me)
    let name = adversary.fresh("large")
    let fitting = adversary.product(name, bytes: maxRecord, at: me.now)
    let tag = try await adversary.create(fitting, in: "public", as: .owner, me)?.changeTag
    let longer = RecordDraft(
      name: name, changeTag: tag ?? "0",
      fields: [.description: .string(SizeActs.text(fitting, field: .description, and: 1))])
    try await adversary.write([.init(.update, longer)], to: "public", as: .owner, me)
    let shorter = RecordDraft(
      name: name, changeTag: tag ?? "0",
      fields: [.description: .string(SizeActs.text(fitting, field: .description, and: 0))])
    try await adversary.write([.init(.update, shorter)], to: "public", as: .owner, me)
    let gone = [large.name, name].map { Modification.Item(.forceDelete, RecordDraft(name: $0)) }
    try await adversary.write(gone, to: "public", as: .owner, me)
  }

  /// Another text of the length that a field has, and some bytes more.
  private static func text(_ draft: RecordDraft, field: FieldName, and more: Int) -> String {
    guard case .string(let text)?? = draft.fields[field] else { return "" }
    return String.filler("y", text.utf8.count + more)
  }

  // MS-05: a file of 1 GB, and one of a byte more.
  private static let files = Act { adversary, me throws(JourneyEnded) in
    for size in [maxFile, maxFile + 1] {
      try await adversary.upload(
        size, to: "profileImage", of: .userProfile, adversary.corner.user(.stranger).profile,
        as: .stranger, me)
    }
  }

  // MS-07: 400 operations and one more, on records that are not there.
  private static let operations = Act(isCostly: true) { adversary, me throws(JourneyEnded) in
    let name = adversary.fresh("none")
    for count in [400, 401] {
      let items = (0..<count).map { number in
        Modification.Item(.delete, RecordDraft(name: "\(name)-\(number)", changeTag: "0"))
      }
      try await adversary.write(items, as: .stranger, me)
    }
  }

  // MS-07: a body of exactly 2 MB and one of a byte more.
  private static let bodies = Act(isCostly: true) { adversary, me throws(JourneyEnded) in
    let name = adversary.fresh("none")
    func request(_ count: Int) -> MimiSupply.Request {
      let text = String.filler("x", count)
      let draft = RecordDraft(
        name: name, changeTag: "0", fields: [.deliveryInstructions: .string(text)])
      return .modify(Location(database: "private"), Modification([.init(.update, draft)]))
    }
    let frame = MimiSupply.document(of: request(0)).bytes.count
    for size in [maxBody, maxBody + 1] {
      try await adversary.ask(request(size - frame), as: .stranger, me)
    }
  }

  // MS-08: a partner's pictures at their caps and a byte above.
  private static let pictures = Act { adversary, me throws(JourneyEnded) in
    let (field, cap) = me.draw(.mischief) {
      $0.pick([(FieldName.heroImage, 5 << 20), (.logo, 2 << 20)])
    }
    let partner = adversary.corner.partner
    for size in [cap, cap + 1] {
      let file = try await adversary.upload(
        size, to: field.text, of: .partner, partner, as: .owner, me)
      guard let file else { continue }
      try await adversary.update(partner, [field: .asset(file)], in: "public", as: .owner, me)
    }
    try await adversary.update(partner, [field: nil], in: "public", as: .owner, me)
  }

  // MS-08: ten pictures of a product, eleven of them, and one of a byte too much.
  private static let galleries = Act { adversary, me throws(JourneyEnded) in
    let dish = adversary.corner.scarce
    for (size, count) in [(3 << 20, 10), (3 << 20, 11), ((3 << 20) + 1, 1)] {
      let file = try await adversary.upload(size, to: "images", of: .product, dish, as: .owner, me)
      guard let file else { continue }
      let images = FieldValue.assets(Array(repeating: file, count: count))
      try await adversary.update(dish, [.images: images], in: "public", as: .owner, me)
    }
    try await adversary.update(dish, [.images: nil], in: "public", as: .owner, me)
  }
}

extension Adversary {
  /// A product of the corner's partner with nothing left out, so that the backend has nothing to add; its description
  /// makes up for the size.
  func product(
    _ name: RecordName, of partner: RecordName? = nil, bytes: Int? = nil, at now: Instant
  ) -> RecordDraft {
    let moment = FieldValue.timestamp(now.toMilliseconds)
    var draft = RecordDraft(
      name: name, type: .product,
      fields: [
        .partnerId: .name(partner ?? corner.partner), .name: .string(name.text),
        .description: .string(""), .category: .string("food"), .priceCents: .int64(1_000),
        .isAvailable: .int64(1), .createdAt: moment, .updatedAt: moment,
      ])
    if let bytes {
      let rest = max(0, bytes - draft.sizeInBytes)
      draft.fields[.description] = .string(.filler("x", rest))
    }
    return draft
  }

  /// A file of so many bytes that nobody has; `nil` when it was not taken.
  @discardableResult
  func upload(
    _ size: Int, to field: String, of type: RecordType, _ name: RecordName, as role: Corner.Role,
    _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Asset? {
    let database = type == .userProfile ? "private" : "public"
    let asked = UploadRequest([.init(name, recordType: type, fieldName: field)])
    let outcome = try await ask(.requestUploads(Location(database: database), asked), as: role, me)
    guard case .uploads(let targets)? = outcome.reply?.content, let target = targets.first else {
      return nil
    }
    let seed = me.draw(.mischief) { $0.pick(1..<1_000_000) }
    let sent = try await ask(
      .upload(Upload(to: target.url, .synthetic(size: size, seed: seed))), as: role, me)
    if case .uploaded(let asset)? = sent.reply?.content { return asset }
    return nil
  }
}

extension String {
  /// A text of many equal ASCII characters: megabytes of it, over and over.
  fileprivate static func filler(_ character: Unicode.Scalar, _ count: Int) -> String {
    String(unsafeUninitializedCapacity: count) { bytes in
      bytes.update(repeating: UInt8(ascii: character))
      return count
    }
  }
}
