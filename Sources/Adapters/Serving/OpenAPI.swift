import Backends
import Contracts

/// A domain's interface as an OpenAPI 3.1 document: from its contract's declarations where it has them, else from its routes.
enum OpenAPI {
  static func document<Domain: Backend>(of backend: Domain.Type) -> JSON {
    let contract = Domain.Contract.self
    let info: JSON = [
      "title": .string(contract.domain), "version": "1",
      "description":
        "What the twin serves. What is refused is refused with one of the codes that each answer lists.",
    ]
    if var declared = contract.openAPI?.object {
      declared["info"] = info
      return .object(declared)
    }
    var paths = JSONObject()
    for operation in contract.operations where operation.kind == .product {
      guard let route = contract.route(of: operation) else { continue }
      var item = paths[route.path]?.object ?? JSONObject()
      let method = route.method.lowercased()
      item[method] = merge(
        operation, into: item[method], route: route, services: contract.services)
      paths[route.path] = .object(item)
    }
    return [
      "openapi": "3.1.0", "info": info, "paths": .object(paths),
      "components": [
        "securitySchemes": ["bearer": ["type": "http", "scheme": "bearer"]],
        "schemas": [
          "Refusal": [
            "type": "object", "required": ["error"], "properties": ["error": ["type": "string"]],
          ]
        ],
      ],
    ]
  }

  /// Two operations of the contract may share a route; the document then describes both in one.
  private static func merge(
    _ operation: Operation, into present: JSON?, route: WireRoute, services: [String]
  ) -> JSON {
    if var shared = present?.object {
      shared["summary"] = .string("\(shared["summary"]?.string ?? ""); \(operation.title)")
      shared["description"] = .string(
        "\(shared["description"]?.string ?? ""), \(operation.source)")
      return .object(shared)
    }
    var item: JSONObject = [
      "operationId": .string(operation.name), "summary": .string(operation.title),
      "description": .string(operation.source), "parameters": .array(parameters(of: route)),
    ]
    if services.count > 1 { item["tags"] = [.string(services[route.service])] }
    if ["POST", "PUT", "PATCH"].contains(route.method) {
      item["requestBody"] = ["content": ["application/json": ["schema": ["type": "object"]]]]
    }
    // Which operations need a token is the twin's to say: each offers both.
    item["security"] = [[:], ["bearer": []]]
    item["responses"] = [
      "200": ["description": "Done", "content": ["application/json": ["schema": [:]]]],
      "default": [
        "description": "Refused",
        "content": ["application/json": ["schema": ["$ref": "#/components/schemas/Refusal"]]],
      ],
    ]
    return .object(item)
  }

  private static func parameters(of route: WireRoute) -> [JSON] {
    let inPath = route.path.split(separator: "/")
      .filter { $0.hasPrefix("{") && $0.hasSuffix("}") }
      .map { parameter(String($0.dropFirst().dropLast()), in: "path") }
    return inPath + route.query.map { parameter($0, in: "query") }
  }

  private static func parameter(_ name: String, in location: String) -> JSON {
    [
      "name": .string(name), "in": .string(location), "required": .bool(location == "path"),
      "schema": ["type": "string"],
    ]
  }
}
