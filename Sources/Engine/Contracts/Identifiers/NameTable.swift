import Synchronization

/// The longer texts that names stand for: each once, for as long as the process lives.
///
/// Regions and threads share it, because names cross from one to another at barriers. It grows up to a bound that no run comes near
/// and that an adversary cannot push memory beyond. Which texts come too late would depend on who was first, so that a run ends where it
/// is full (`LongNames`); elsewhere there is a name all the same, equal to every other of that text and to no other, but it shows a digest
/// in its place.
final class NameTable: Sendable {
  static let shared = NameTable(texts: 1 << 22, bytes: 1 << 28)

  private static let chunk = 1 << 12
  private let mostTexts: Int
  private let mostBytes: Int
  /// A chunk is made before a number in it is handed out, and never moves: whoever was handed a number may read it without a lock.
  private let chunks: UnsafeChunks
  private let known = Mutex(Known())

  private struct Known {
    /// By the digest of the text; one whose digest another text has stands under the next that is free.
    var numbers: [Digest: Int] = [:]
    var bytes = 0
    var isFull = false
    /// What is to happen when a text is turned away for the first time.
    var whenFull: (@Sendable () -> Void)?
  }

  private struct UnsafeChunks: @unchecked Sendable {
    let pointers: UnsafeMutableBufferPointer<UnsafeMutablePointer<String>?>
  }

  init(texts: Int, bytes: Int) {
    mostTexts = texts
    mostBytes = bytes
    chunks = UnsafeChunks(pointers: .allocate(capacity: (texts + Self.chunk - 1) / Self.chunk))
    chunks.pointers.initialize(repeating: nil)
  }

  deinit {
    let count = known.withLock { $0.numbers.count }
    for (index, chunk) in chunks.pointers.enumerated() {
      chunk?.deinitialize(count: min(Self.chunk, count - index * Self.chunk))
      chunk?.deallocate()
    }
    chunks.pointers.deallocate()
  }

  /// The number of a text, which is new to it or not; `nil` where it has no room. Once it has turned one away it turns away all that
  /// are new, so that a text that was turned away once always is.
  func number(of bytes: UnsafeBufferPointer<UInt8>, _ digest: Digest) -> Int? {
    let (number, whenFull) = known.withLock { known -> (Int?, (@Sendable () -> Void)?) in
      var key = digest
      while let number = known.numbers[key] {
        // Text is the same where its bytes are; to `String` different bytes may be the same text.
        if text(number).utf8.elementsEqual(bytes) { return (number, nil) }
        key.mix(1 as UInt64)
      }
      let (number, total) = (known.numbers.count, known.bytes + bytes.count)
      guard !known.isFull, number < mostTexts, total <= mostBytes else {
        defer { known.isFull = true }
        return (nil, known.isFull ? nil : known.whenFull)
      }
      if number % Self.chunk == 0 {
        chunks.pointers[number / Self.chunk] = .allocate(capacity: Self.chunk)
      }
      (chunks.pointers[number / Self.chunk]! + number % Self.chunk)
        .initialize(to: String(decoding: bytes, as: UTF8.self))
      known.numbers[key] = number
      known.bytes = total
      return (number, nil)
    }
    whenFull?()
    return number
  }

  /// What is to happen, once, when it has no room for a text.
  func whenFull(_ body: @escaping @Sendable () -> Void) { known.withLock { $0.whenFull = body } }

  func text(_ number: Int) -> String {
    chunks.pointers[number / Self.chunk]![number % Self.chunk]
  }

  /// The bytes of a text where they lie.
  func withBytes<Value>(
    of number: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Value
  ) -> Value {
    chunks.pointers[number / Self.chunk]![number % Self.chunk].utf8
      .withContiguousStorageIfAvailable(body)!
  }
}

/// The texts of names that are too long for a name itself.
public enum LongNames {
  /// What is to happen when the process has no room for more of them: 4 M texts, 256 MB.
  ///
  /// Whatever promises the same result in every process ends there, because names that come later lose their text.
  /// - Parameter body: Called once, by whichever thread makes the name.
  public static func whenFull(_ body: @escaping @Sendable () -> Void) {
    NameTable.shared.whenFull(body)
  }
}
