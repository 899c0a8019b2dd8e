import Contracts

extension Toy {
  static let limitPlaces: [LimitID: LimitPlaces] = [:]
}
