/// How a backend takes the bodies of requests.
public struct BodyRules: Sendable {
  /// More bytes than these are `tooLarge`, before anything is read; `nil` leaves it to the server's own bound.
  public var most: Int?
  /// Whether a body parser runs before any route: every request of the JSON type has a document then, whatever takes it; an empty body
  /// and one of another type count as an empty document.
  public var isParsedFirst: Bool
  /// Whether clients name the JSON type with every request, those without a body included.
  public var isTypeAlwaysSent: Bool

  public init(most: Int? = nil, isParsedFirst: Bool = false, isTypeAlwaysSent: Bool = false) {
    self.most = most
    self.isParsedFirst = isParsedFirst
    self.isTypeAlwaysSent = isTypeAlwaysSent
  }

  static let jsonType = WireHeader("Content-Type", "application/json")

  /// The document of a request.
  /// - Parameter body: What the operation takes; `nil` for a request that none takes.
  func document(of wire: WireRequest, for body: WireBody?) throws(Unread.Fault) -> JSONObject {
    if let most, wire.body.count > most { throw .tooLarge }
    if isParsedFirst {
      let isJSON = wire.header("Content-Type")?.lowercased().hasPrefix("application/json") ?? false
      guard isJSON, !wire.body.isEmpty else { return JSONObject() }
      switch JSON(parsing: wire.body) {
      case .object(let object): return object
      // A list is a document too, one without members.
      case .array: return JSONObject()
      case nil: throw .noDocument
      default: throw .noObject
      }
    }
    switch body {
    case .optionalJSON where wire.body.isEmpty, .lenientJSON where wire.body.isEmpty:
      return JSONObject()
    case .lenientJSON:
      guard let document = JSON(parsing: wire.body) else { throw .noDocument }
      return document.object ?? JSONObject()
    case .json, .optionalJSON:
      guard let document = JSON(parsing: wire.body) else { throw .noDocument }
      guard let object = document.object else { throw .noObject }
      return object
    case .form:
      var object = JSONObject()
      for item in WireForm(parsing: wire.body).items where object[item.name] == nil {
        object[item.name] = .string(item.value)
      }
      return object
    case .some(.none), .bytes, nil: return JSONObject()
    }
  }
}
