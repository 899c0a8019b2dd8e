import Contracts
import MimiSupplyContract
import Timekeeping

// What is wrong with values by section 2, judged apart from the twin's own reading of the same table.

extension FieldRule {
  /// Whether a stored value is of the documented type (MS-14).
  func isTyped(_ value: FieldValue) -> Bool {
    switch (kind, value) {
    case (.string, .string), (.string, .identifier), (.int64, .int64), (.double, .double),
      (.timestamp, .timestamp), (.asset, .asset), (.assets, .assets), (.strings, .strings):
      true
    default: false
    }
  }

  /// Whether a client's value can be stored at all: one without a type takes the schema's.
  func isTyped(sent value: FieldValue) -> Bool {
    guard case .untyped(let text) = value else { return isTyped(value) }
    guard let document = JSON(parsing: text) else { return false }
    return switch kind {
    case .string: document.string != nil
    case .int64, .timestamp: document.wholeNumber != nil
    case .double: document.double != nil
    case .strings: document.strings != nil
    case .asset: document.object != nil
    case .assets: document.array != nil
    }
  }

  /// Whether a value of the right type keeps the field's constraint.
  func isKept(by value: FieldValue) -> Bool {
    switch (constraint, value) {
    case (.flag, .int64(let number)): number == 0 || number == 1
    case (.nonEmpty, .string(let text)): !text.isEmpty
    case (.mail, .string(let text)): text.unicodeScalars.count { $0 == "@" } == 1
    case (.length(let range), .string(let text)): range.contains(text.count)
    case (.oneOf(let values), .string(let text)): values.contains(text)
    case (.elements(let values), .strings(let texts)): texts.allSatisfy(values.contains)
    case (.whole(let range), .int64(let number)): range.contains(number)
    case (.decimal(let range), .double(let number)): range.contains(number)
    case (.hours, .string(let text)): OpeningHours(parsing: text) != nil
    case (.nutrition, .string(let text)): JSON(parsing: text)?.isNutrition == true
    case (.dimensions, .string(let text)): JSON(parsing: text)?.isDimensions == true
    default: true
    }
  }
}

extension FieldValue {
  /// Control characters except newline and tab (MS-27).
  var hasControlCharacter: Bool {
    switch self {
    case .string(let text): Self.isControlled(text)
    case .identifier(let name): !name.isPrintableASCII && Self.isControlled(name.text)
    case .strings(let texts): texts.contains(where: Self.isControlled)
    default: false
    }
  }

  private static func isControlled(_ text: String) -> Bool {
    if text.isPrintableASCII { return false }
    // All of them are one byte below a space, DEL, or two bytes of which the first is C2.
    let mayBe = text.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }
    }
    guard mayBe ?? true else { return false }
    return text.unicodeScalars.contains {
      $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t"
    }
  }
}

extension RecordSchema {
  /// What the status of an order may be is more than the schema (MS-47, MS-56, MS-59).
  func judgesLater(_ field: FieldName) -> Bool { type == .order && field == .status }
}

extension RecordDraft {
  /// Whether the backend writes a field itself whatever is sent (§2.14), so that nobody needs to send it. What is sent is
  /// of the field's type all the same: the schema judges before anything is overwritten (§3.1).
  func isOverwritten(_ field: FieldName, in schema: RecordSchema, isNew: Bool) -> Bool {
    switch (schema.type, field) {
    case (.product, .updatedAt), (.order, .updatedAt): true
    case (.partner, .rating), (.partner, .reviewCount), (.partner, .isVerified),
      (.partner, .isActive), (.driver, .rating), (.driver, .completedDeliveries),
      (.driver, .verificationStatus):
      isNew
    // A driver who is refused goes offline (§5.5); a dish of which nothing is left is switched off (MS-53).
    case (.driver, .isOnline), (.driver, .isAvailable):
      isNew || fields[.verificationStatus] != nil
    case (.product, .isAvailable): fields[.stockQuantity] != nil
    default: false
    }
  }
}

extension Failure {
  /// Whether a refusal can come from the schema or from a step before it (§3.1): a later one says that the schema was
  /// satisfied.
  var isNotLaterThanSchema: Bool {
    switch code {
    case .conflict, .validatingReferenceError: false
    default: true
    }
  }

  /// A refusal by the schema without a reason of its own.
  var isPlainlyInvalid: Bool {
    code == .badRequest && native == .invalidArguments && mimiReason == nil
  }
}
