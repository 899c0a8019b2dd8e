import Contracts

// The JSON documents that are stored as text (§2.10). Unknown keys are kept, wrong types are refused (MS-23).

/// What an order's text says that the market needs (§2.10.2).
public struct OrderLine: Hashable, Sendable {
  public let id: String
  public let productID: RecordName
  public let quantity: Int64
  public let unitPriceCents: Int64
  public let totalPriceCents: Int64
  /// Prices of the customisations, per piece.
  public let extraCents: [Int64]

  /// - Returns: `nil` when the text is no array of lines, or two lines have one id. An empty array is one.
  public static func lines(parsing text: String) -> [OrderLine]? {
    guard let items = JSON(parsing: text)?.array else { return nil }
    var lines: [OrderLine] = []
    var ids: Set<String> = []
    for item in items {
      guard let line = OrderLine(item), ids.insert(line.id).inserted else { return nil }
      lines.append(line)
    }
    return lines
  }

  private init?(_ item: JSON) {
    guard item.object != nil, let id = item["id"]?.string,
      let productID: RecordName = item["productId"]?.name(), item["productName"]?.string != nil,
      let quantity = item["quantity"]?.wholeNumber,
      let unit = item["unitPriceCents"]?.wholeNumber,
      let total = item["totalPriceCents"]?.wholeNumber,
      item.isText("specialInstructions")
    else { return nil }
    var extras: [Int64] = []
    if let customizations = item["customizations"], !customizations.isNull {
      guard let list = customizations.array else { return nil }
      for customization in list {
        guard customization["id"]?.string != nil, customization["name"]?.string != nil,
          customization["value"]?.string != nil,
          let price = customization["priceCents"]?.wholeNumber
        else { return nil }
        extras.append(price)
      }
    }
    self.id = id
    self.productID = productID
    self.quantity = quantity
    unitPriceCents = unit
    totalPriceCents = total
    extraCents = extras
  }
}

/// Where an order goes (§2.10.3).
public struct DeliveryAddress: Hashable, Sendable {
  public let document: JSON
  public let point: Geography.Point

  public static func reading(_ text: String) -> Result<DeliveryAddress, AddressProblem> {
    guard let document = JSON(parsing: text), document.object != nil else {
      return .failure(.malformed)
    }
    for key in ["street", "city", "state", "postalCode", "country"] {
      guard let value = document[key]?.string, !value.isEmpty else { return .failure(.malformed) }
    }
    guard document.isText("apartment"), document.isText("deliveryInstructions") else {
      return .failure(.malformed)
    }
    let (north, east) = (document["latitude"] ?? .null, document["longitude"] ?? .null)
    if north.isNull || east.isNull { return .failure(.withoutCoordinates) }
    guard let latitude = north.double, let longitude = east.double else {
      return .failure(.malformed)
    }
    let point = Geography.Point(latitude, longitude)
    guard point.isOnEarth else { return .failure(.malformed) }
    return .success(DeliveryAddress(document: document, point: point))
  }
}

public enum AddressProblem: Error, Hashable { case malformed, withoutCoordinates }

extension JSON {
  /// An integer as JSON has it; a double with a fraction, or one beyond 64 bits, is none.
  public var wholeNumber: Int64? { if case .int(let number) = self { number } else { nil } }

  /// Whether an optional member is absent or text.
  public func isText(_ name: String) -> Bool {
    guard let value = self[name], !value.isNull else { return true }
    return value.string != nil
  }

  /// §2.10.4.
  public var isNutrition: Bool {
    guard object != nil, isText("servingSize") else { return false }
    if let calories = self["calories"], !calories.isNull, calories.wholeNumber == nil {
      return false
    }
    return ["protein", "carbohydrates", "fat", "fiber", "sugar", "sodium"].allSatisfy {
      guard let value = self[$0], !value.isNull else { return true }
      return value.double != nil
    }
  }

  /// §2.10.5.
  public var isDimensions: Bool {
    guard object != nil else { return false }
    let hasSides = ["length", "width", "height"].allSatisfy { self[$0]?.double != nil }
    guard let weight = self["weight"], !weight.isNull else { return hasSides }
    return hasSides && weight.double != nil
  }
}

extension Double {
  public func rounded(decimals: Int) -> Double {
    let scale = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
    return (self * scale).rounded() / scale
  }
}
