/// OpenAPI 3.1 from the declarations.
extension DeclaredContract {
  /// The interface of the whole contract.
  public static var openAPI: JSON? {
    var paths = JSONObject()
    for endpoint in table.endpoints {
      var item = paths[endpoint.route.path]?.object ?? JSONObject()
      item[endpoint.route.method.lowercased()] = description(of: endpoint)
      paths[endpoint.route.path] = .object(item)
    }
    return [
      "openapi": "3.1.0", "info": ["title": .string(domain), "version": "1"],
      "paths": .object(paths), "components": ["securitySchemes": .object(security)],
    ]
  }

  private static func description(of endpoint: Endpoint<Self>) -> JSON {
    let operation = endpoint.operation
    var item: JSONObject = [
      "operationId": .string(operation.name), "summary": .string(operation.title),
      "description": .string(operation.source),
      "parameters": .array(
        endpoint.members.filter { $0.place != .body && $0.example != nil }.map(parameter)),
    ]
    if services.count > 1 { item["tags"] = [.string(services[endpoint.route.service])] }
    let members = endpoint.members.filter { $0.place == .body }
    switch endpoint.body {
    case .none: break
    case .json: item["requestBody"] = content("application/json", members)
    case .form: item["requestBody"] = content("application/x-www-form-urlencoded", members)
    }
    let ways = security.members.map { JSON.object([$0.name: []]) }
    switch endpoint.access {
    case .open: item["security"] = []
    case .optional: item["security"] = .array([[:]] + ways)
    case .required: item["security"] = .array(ways)
    }
    item["responses"] = .object(responses(of: endpoint))
    return .object(item)
  }

  private static func parameter(_ member: ShapeMember) -> JSON {
    [
      "name": .string(member.name), "in": .string(member.place.rawValue),
      "required": .bool(member.isRequired), "schema": member.described,
      "example": member.example ?? .null,
    ]
  }

  private static func content(_ mediaType: String, _ members: [ShapeMember]) -> JSON {
    var (properties, example) = (JSONObject(), JSONObject())
    for member in members {
      properties[member.name] = member.described
      example[member.name] = member.example
    }
    let required = members.filter(\.isRequired).map(\.name)
    return [
      "required": true,
      "content": [
        mediaType: [
          "schema": [
            "type": "object", "required": .strings(required), "properties": .object(properties),
          ], "example": .object(example),
        ]
      ],
    ]
  }

  private static func responses(of endpoint: Endpoint<Self>) -> JSONObject {
    var responses = JSONObject()
    for form in endpoint.replies {
      var response: JSONObject = ["description": "Done"]
      if let mediaType = form.mediaType {
        response["content"] = [mediaType: ["schema": form.schema]]
      }
      responses[String(form.status)] = .object(response)
    }
    let forms = endpoint.refusalForms + table.refusalForms[endpoint.route.service]
    let codes = endpoint.refusals + table.refusals.filter { !endpoint.refusals.contains($0) }
    for (status, codes) in byStatus(codes) where responses[status] == nil {
      responses[status] = [
        "description": .string("Refused: " + codes.joined(separator: ", ")),
        "content": ["application/json": ["schema": forms.first?.schema ?? [:]]],
      ]
    }
    return responses
  }

  /// The codes by their statuses, in the order in which these first come.
  private static func byStatus(
    _ kinds: [RefusalKind]
  ) -> [(status: String, codes: [String])] {
    var groups: [(status: String, codes: [String])] = []
    for kind in kinds {
      let status = String(kind.status)
      if let index = groups.firstIndex(where: { $0.status == status }) {
        groups[index].codes.append(kind.rawValue)
      } else {
        groups.append((status, [kind.rawValue]))
      }
    }
    return groups
  }
}
