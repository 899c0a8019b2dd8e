import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// JSON that is stored as text (§2.10): no JSON at all, another shape, wrong types, and good documents with more in
/// them than the specification names.
enum DocumentActs {
  static let all: [Act] = [hours, products, items, addresses]

  private static let nonsense = ["", "null", "{", "[1]", "\"text\"", "{\"a\":"]

  /// MS-23
  private static let hours = Act { adversary, me throws(JourneyEnded) in
    let documents =
      nonsense + [
        #"{"monday":{"isOpen":"yes"}}"#, #"{"monday":{"isOpen":true}}"#,
        #"{"monday":{"isOpen":true,"openTime":"8","closeTime":"12:00"}}"#,
        #"{"monday":{"isOpen":true,"openTime":"08:00","closeTime":"25:00"}}"#,
        #"{"monday":{"isOpen":true,"openTime":"24:00","closeTime":"12:00"}}"#,
        #"{"monday":[]}"#, "{}",
        #"{"monday":{"isOpen":true,"openTime":"18:00","closeTime":"02:00"},"note":"closed"}"#,
        #"{"sunday":{"isOpen":true,"openTime":"00:00","closeTime":"24:00"}}"#,
      ]
    try await adversary.attempt(
      adversary.corner.newPartner("", at: me.now),
      documents.map { [.openingHours: .string($0)] }, as: .owner, me)
  }

  /// MS-23
  private static let products = Act { adversary, me throws(JourneyEnded) in
    let nutrition =
      nonsense + [
        #"{"calories":"many"}"#, #"{"calories":1.5}"#, #"{"protein":"1"}"#, #"{"servingSize":3}"#,
        "{}", #"{"calories":250,"protein":1.5,"sodium":3,"servingSize":"1 cup","extra":[1]}"#,
      ]
    let dimensions =
      nonsense + [
        #"{"length":1,"width":2}"#, #"{"length":"1","width":2,"height":3}"#,
        #"{"length":1,"width":2,"height":3,"weight":"x"}"#,
        #"{"length":1.5,"width":2,"height":3,"weight":400}"#,
      ]
    try await adversary.attempt(
      adversary.corner.newProduct("", at: me.now),
      nutrition.map { [.nutritionInfo: .string($0)] }
        + dimensions.map { [.dimensions: .string($0)] }, as: .owner, me)
  }

  /// MS-23
  private static let items = Act { adversary, me throws(JourneyEnded) in
    let order = adversary.order(at: me.now)
    guard let line = order.items.first?.object else { return }
    let members = [
      "id", "productId", "productName", "quantity", "unitPriceCents", "totalPriceCents",
    ]
    let broken: [JSONObject] = members.flatMap { member in
      let wrong: JSON = line[member]?.string == nil ? .string("2") : .int(2)
      return [line.with(member, nil), line.with(member, wrong)]
    }
    let extras: [JSON] = [
      .string("cheese"), [["id": "c", "name": "Cheese"]],
      [["id": "c", "name": "Cheese", "value": "yes", "priceCents": "50"]],
    ]
    let documents =
      broken.map { JSON.array([.object($0)]) }
      + extras.map { .array([.object(line.with("customizations", $0))]) }
      + [
        .array([.object(line), .object(line)]),
        .array([.object(line.with("specialInstructions", .int(3)))]), .object(line),
        .array([.string("line")]),
      ]
    try await adversary.attempt(
      order.draft(at: me.now),
      (nonsense + documents.map(\.description)).map { [.items: .string($0)] }, as: .customer, me)
    try await kept(
      order.draft(at: me.now), .items, .array([.object(line.with("gift", .bool(true)))]),
      adversary, me)
  }

  /// MS-23: no address, one without a place, one beside the earth, one with more in it.
  private static let addresses = Act { adversary, me throws(JourneyEnded) in
    let order = adversary.order(at: me.now)
    let members = ["street", "city", "state", "postalCode", "country"]
    let broken: [JSONObject] =
      members.flatMap { member in
        [nil, .string(""), .int(1)].map { order.address.with(member, $0) }
      } + [
        order.address.with("latitude", nil), order.address.with("longitude", nil),
        order.address.with("latitude", .string("52.5")),
        order.address.with("latitude", .double(91)),
        order.address.with("longitude", .double(181)), order.address.with("apartment", .int(3)),
      ]
    let documents = nonsense + broken.map { JSON.object($0).description }
    try await adversary.attempt(
      order.draft(at: me.now), documents.map { [.deliveryAddress: .string($0)] }, as: .customer,
      me)
    try await kept(
      order.draft(at: me.now), .deliveryAddress,
      .object(order.address.with("doorCode", .string("1234"))), adversary, me)
  }

  /// An order with a document that holds more than it needs is taken, and cancelled.
  private static func kept(
    _ good: RecordDraft, _ field: FieldName, _ document: JSON, _ adversary: Adversary,
    _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    let name = adversary.fresh("order")
    let draft = good.named(name, with: [field: .string(document.description)])
    try await adversary.create(draft, as: .customer, me)
    try await adversary.clear(name, me)
  }
}

extension JSONObject {
  /// A copy with one member changed, or without it.
  fileprivate func with(_ name: String, _ value: JSON?) -> JSONObject {
    var copy = self
    copy[name] = value
    return copy
  }
}
