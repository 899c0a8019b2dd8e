import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// The app's way to the backend, one for each installation: every request of an honest person goes through it.
///
/// What section 7 demands of clients is kept here and behind it, so that journeys say what people do and not how
/// networks fail.
final class AppClient {
  /// With what requests are sent; a sign-in replaces it.
  private(set) var credential: MimiSupply.Credential

  init(_ credential: MimiSupply.Credential) { self.credential = credential }

  var isSignedIn: Bool { credential.userToken != nil }

  /// From now on requests are those of a user, or again of nobody.
  func sign(in userToken: String?) { credential.userToken = userToken }

  /// Makes one request.
  func ask(
    _ request: MimiSupply.Request, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Outcome<MimiSupply> {
    try await me.ask(request, with: credential)
  }
}

extension AppClient {
  /// All records that a query finds, page after page; `nil` when a page could not be had.
  func find(
    _ query: Query, in database: String = "public", as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> [CloudRecord]? {
    var query = query
    var found: [CloudRecord] = []
    while true {
      let outcome = try await ask(.query(Location(database: database), query), as: me)
      guard case .found(let records, let marker)? = outcome.reply?.content else { return nil }
      found += records
      guard let marker else { return found }
      query.continuationMarker = marker
    }
  }

  /// One record; `nil` when there is none that this user may see, or it could not be had.
  func look(
    _ name: String, in database: String = "private", as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> CloudRecord? {
    let outcome = try await ask(
      .lookup(Location(database: database), Lookup([.init(name)])), as: me)
    return outcome.items.first?.record
  }

  /// Writes several records in one request (MS-125); empty when the request failed as a whole.
  func write(
    _ items: [Modification.Item], to database: String = "private", as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> [ItemResult] {
    try await ask(.modify(Location(database: database), Modification(items)), as: me).items
  }

  /// Reads a record and writes some of its fields with the tag that it had; `nil` when it could not be read or written.
  func update(
    _ name: String, in database: String = "private", as me: Person<MimiSupply>,
    _ fields: (CloudRecord) -> [String: FieldValue?]
  ) async throws(JourneyEnded) -> ItemResult? {
    guard let found = try await look(name, in: database, as: me) else { return nil }
    let draft = RecordDraft(name: name, changeTag: found.changeTag, fields: fields(found))
    return try await write([.init(.update, draft)], to: database, as: me).first
  }
}
