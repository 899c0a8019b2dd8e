extension DeclaredContract {
  /// What its declarations contradict, a sentence each; empty for a sound contract.
  public static var flaws: [String] {
    let routes = table.endpoints.filter { !$0.isReadElsewhere }.flatMap(\.routes)
    return repeated(table.operations.map(\.name)).map { "two operations are called '\($0)'" }
      + repeated(table.commands.map(\.name)).map { "two commands are called '\($0)'" }
      + repeated(routes).map { "two operations are asked for by '\($0)'" }
      + table.endpoints.flatMap { endpoint in
        endpoint.flaws.map { "operation '\(endpoint.operation.name)' \($0)" }
      }
      + (table.refusalForms.count < services.count || table.refusalForms.contains(where: \.isEmpty)
        ? ["the table has no refusal form for some service: nothing can be refused there"] : [])
  }
}

extension Endpoint {
  /// Each method and path by which it is asked for, whatever the variables are called.
  fileprivate var routes: [String] {
    var routes: [String] = []
    for way in ways {
      let variables = Dictionary(way.variables.map { ($0, "{}") }, uniquingKeysWith: { $1 })
      let path = way.path(variables).joined(separator: "/")
      let text =
        "\(way.method) /\(path)" + (route.service > 0 ? " of service \(route.service)" : "")
      if !routes.contains(text) { routes.append(text) }
    }
    return routes
  }

  fileprivate var flaws: [String] {
    let inPath = members.filter { $0.location == .path }.map(\.name)
    let read = Set(ways.flatMap(\.variables))
    let places = members.map { "\($0.location.rawValue): \($0.name)" }
    let isBodyless = ways.allSatisfy { $0.body == .none }
    var flaws = inPath.filter { !read.contains($0) }.map {
      "reads '\($0)' from its path, and \(route.path) has no variable of that name"
    }
    flaws += repeated(places).map { "reads two members of one name (\($0))" }
    if isBodyless, let member = members.first(where: { $0.location == .body }) {
      flaws.append("reads '\(member.name)' from a body, and is asked without one: say body: .json")
    }
    if replies.isEmpty { flaws.append("declares no answer") }
    return flaws
  }
}

/// What stands in a list more than once, in the order of the list.
public func repeated<Item: Hashable>(_ items: [Item]) -> [Item] {
  var seen: Set<Item> = []
  var twice: Set<Item> = []
  return items.filter { !seen.insert($0).inserted && twice.insert($0).inserted }
}
