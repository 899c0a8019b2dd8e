import Synchronization

/// A list that a backend answers again and again: handed on by one reference, equal at a glance to itself, and taken into a digest once.
public struct SharedList<Item: Hashable & Sendable>: Hashable, Sendable {
  private final class Contents: Sendable {
    let items: [Item]
    /// Of the items; `nil` before somebody asks.
    let digest = Mutex<Digest?>(nil)

    init(_ items: [Item]) { self.items = items }
  }

  private let contents: Contents

  public init(_ items: [Item]) { contents = Contents(items) }

  public var items: [Item] { contents.items }

  /// Whether it is the same list, and not one of the same items.
  public func isIdentical(to other: SharedList) -> Bool { contents === other.contents }

  public static func == (a: SharedList, b: SharedList) -> Bool {
    a.contents === b.contents || a.items == b.items
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(items) }

  fileprivate func digest(_ mix: (Item, inout Digest) -> Void) -> Digest {
    contents.digest.withLock { known in
      if let known { return known }
      var digest = Digest()
      for item in items { mix(item, &digest) }
      known = digest
      return digest
    }
  }
}

extension SharedList: RandomAccessCollection {
  public var startIndex: Int { contents.items.startIndex }
  public var endIndex: Int { contents.items.endIndex }
  public subscript(index: Int) -> Item { contents.items[index] }
}

extension SharedList: ExpressibleByArrayLiteral {
  public init(arrayLiteral items: Item...) { self.init(items) }
}

extension Coding {
  /// Any number of them, in a list that is shared.
  public static func sharedList<Item>(_ coding: Coding<Item>) -> Coding
  where Value == SharedList<Item> {
    let list = Coding<[Item]>.list(coding)
    return Coding(
      schema: list.schema, example: list.example, words: list.words,
      read: { (json) throws(Malformed) in SharedList(try list.read(json)) },
      write: { list.write($0.items, $1) },
      mix: { $1.mix($0.digest(coding.mix)) })
  }
}
