import Contracts
import MimiSupplyContract

// What is left of an order's documents when its customer has left (MS-116).

extension OrderLine {
  /// The text of lines without what the customer wrote to them; `nil` when nothing was written.
  static func withoutInstructions(_ text: String) -> String? {
    guard let items = JSON(parsing: text)?.array,
      items.contains(where: { $0["specialInstructions"] != nil })
    else { return nil }
    let bare = items.map { item -> JSON in
      guard var line = item.object else { return item }
      line["specialInstructions"] = nil
      return .object(line)
    }
    return JSON.array(bare).description
  }
}

extension DeliveryAddress {
  /// Where it is, roughly.
  var anonymised: String {
    var kept = JSONObject()
    for key in ["postalCode", "city", "state", "country"] { kept[key] = document[key] }
    kept["latitude"] = .double(point.latitude.rounded(decimals: 2))
    kept["longitude"] = .double(point.longitude.rounded(decimals: 2))
    return JSON.object(kept).description
  }
}
