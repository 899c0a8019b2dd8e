import Contracts
import MimiSupplyContract

extension MimiSupply {
  /// What is wrong with a request that no operation takes (§3.1, check 1; §7.1).
  static func routeProblem(_ asked: Unread.Unrouted) -> Failure {
    let path = WireTarget(parsing: asked.target).path
    if path.count > 2, ["database", "mimi"].contains(path[0]), path[1] != "1" {
      return Failure(
        .badRequest, .incompatibleVersion,
        "version \(printable(path[1])) is not spoken here, only 1")
    }
    if !asked.allowed.isEmpty {
      return Failure(
        .badRequest, .invalidArguments,
        "\(printable(asked.method)) is no method of this path, only \(asked.allowed.joined(separator: ", "))"
      )
    }
    return Failure(.notFound, .unknownItem, "there is no such path")
  }
}
