import Contracts
import MimiSupplyContract
import Timekeeping

// Where the two layers meet. The store (`Store/`) keeps records, tags, zones, feeds, subscriptions and sessions and
// knows no order; the market (`Market/`) knows every rule and side effect of the domain and keeps no record.

/// Who writes or reads.
enum Actor: Hashable {
  /// Nobody signed in (§3.1): reads public records only.
  case anonymous
  /// A signed-in person on a device; `role` is that of the profile at this instant.
  case user(name: UserName, role: Role, device: DeviceName?)
  /// Timers, cascades, the payment stub.
  case system

  /// The user record name; `_system` for the twin itself (§1).
  var name: UserName? {
    switch self {
    case .anonymous: nil
    case .user(let name, _, _): name
    case .system: .system
    }
  }

  var isAdmin: Bool {
    if case .user(_, .admin, _) = self { true } else { false }
  }
}

/// One record's change: what was stored and what will be.
struct Change {
  /// `nil` when the record is new.
  let before: CloudRecord?
  /// `nil` when it is deleted. The store fills `changeTag`, `created` and `modified` when it commits.
  var after: CloudRecord?
  /// The fields that an `update`, `forceUpdate` or `create` names, values equal to the present ones included;
  /// `nil` for whole-record saves (`replace`, `forceReplace`), deletions and the twin's own changes. A write that
  /// names the present status is told from a whole-record save by it (MS-59).
  var named: FieldNames?
  /// Why the twin did what nobody asked for (§7.1: the cause noted with a system transition); `nil` for all else.
  var reason: String?

  init(
    from before: CloudRecord?, to after: CloudRecord?, named: FieldNames? = nil,
    reason: String? = nil
  ) {
    precondition(before != nil || after != nil, "a change of nothing")
    self.before = before
    self.after = after
    self.named = named
    self.reason = reason
  }

  var name: RecordName { after?.name ?? before!.name }
  var type: RecordType { after?.type ?? before!.type }
  var isPublic: Bool { CloudRecord.isPublic(type) }
}

/// What the market reads of the store: the present state, and the indices of §2.15.
protocol Shelf {
  /// - Parameter publicly: In which database: a name is unique in each (§2.1).
  func record(_ name: RecordName, publicly: Bool) -> CloudRecord?
  /// Names in ascending byte order of the records of one type whose indexed field holds the name: Product
  /// `partnerId`; Order `customerId`, `partnerId`, `driverId`; Driver `userId`; DriverOffer `orderId`,
  /// `driverId`; DeliveryCompletion `orderId`, `driverId`; DriverLocation `driverId`.
  func names<Kind>(
    of type: RecordType, where field: FieldName, is value: Name<Kind>
  ) -> [RecordName]
  /// Names of Partner records by the user who created them, ascending.
  func partners(ownedBy user: UserName) -> [RecordName]
}

extension Shelf {
  /// The private record of a name, or else the public one.
  func record(_ name: RecordName) -> CloudRecord? {
    record(name, publicly: false) ?? record(name, publicly: true)
  }
}

extension CloudRecord {
  /// Of which database (§2.2 to §2.11).
  var isPublic: Bool { Self.isPublic(type) }

  static func isPublic(_ type: RecordType) -> Bool { type == .partner || type == .product }
}
