import Timekeeping

extension RandomStream {
  /// Different elements in drawn order, at most as many as there are.
  mutating func sample<Element>(_ count: Int, of choices: [Element]) -> [Element] {
    var rest = choices
    var taken: [Element] = []
    while taken.count < count, !rest.isEmpty { taken.append(rest.remove(at: pick(0..<rest.count))) }
    return taken
  }
}
