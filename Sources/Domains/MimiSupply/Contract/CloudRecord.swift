/// A stored record.
///
/// A value: copies share their contents until one of them changes, since a record goes through many hands.
public struct CloudRecord: Hashable, Sendable {
  private struct Contents: Hashable, Sendable {
    var name: RecordName
    var type: RecordType
    var changeTag: String
    var zone: Zone
    var fields: Fields
    var created: Stamp
    var modified: Stamp
  }

  // Written by its only owner alone, which `own` makes sure of.
  private final class Shared: @unchecked Sendable {
    var contents: Contents
    init(_ contents: Contents) { self.contents = contents }
  }

  private var shared: Shared

  public init(
    name: RecordName, type: RecordType, changeTag: String, zone: Zone, fields: Fields,
    created: Stamp, modified: Stamp
  ) {
    shared = Shared(
      Contents(
        name: name, type: type, changeTag: changeTag, zone: zone, fields: fields,
        created: created, modified: modified))
  }

  private mutating func own() {
    if !isKnownUniquelyReferenced(&shared) { shared = Shared(shared.contents) }
  }

  public static func == (a: CloudRecord, b: CloudRecord) -> Bool {
    a.shared === b.shared || a.shared.contents == b.shared.contents
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(shared.contents) }

  public var name: RecordName {
    get { shared.contents.name }
    set {
      own()
      shared.contents.name = newValue
    }
  }

  public var type: RecordType {
    get { shared.contents.type }
    set {
      own()
      shared.contents.type = newValue
    }
  }

  public var changeTag: String {
    get { shared.contents.changeTag }
    set {
      own()
      shared.contents.changeTag = newValue
    }
  }

  public var zone: Zone {
    get { shared.contents.zone }
    set {
      own()
      shared.contents.zone = newValue
    }
  }

  public var fields: Fields {
    get { shared.contents.fields }
    _modify {
      own()
      yield &shared.contents.fields
    }
  }

  public var created: Stamp {
    get { shared.contents.created }
    _modify {
      own()
      yield &shared.contents.created
    }
  }

  public var modified: Stamp {
    get { shared.contents.modified }
    _modify {
      own()
      yield &shared.contents.modified
    }
  }
}
