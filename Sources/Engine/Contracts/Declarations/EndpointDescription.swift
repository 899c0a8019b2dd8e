/// OpenAPI 3.1 from the declarations.
extension DeclaredContract {
  /// The interface of the whole contract.
  public static var openAPI: JSON? {
    var paths = JSONObject()
    for endpoint in table.endpoints where !endpoint.isReadElsewhere {
      for (index, way) in endpoint.ways.enumerated() {
        var item = paths[way.path]?.object ?? JSONObject()
        item[way.method.lowercased()] = description(
          of: endpoint, by: way, name: endpoint.operation.name + (index > 0 ? "\(index + 1)" : ""))
        paths[way.path] = .object(item)
      }
    }
    return [
      "openapi": "3.1.0", "info": ["title": .string(domain), "version": "1"],
      "paths": .object(paths), "components": ["securitySchemes": .object(security)],
    ]
  }

  private static func description(
    of endpoint: Endpoint<Self>, by way: WireWay, name: String
  ) -> JSON {
    // What is asked decides between the operations of one method and path: one description is for all of them.
    let all = table.endpoints.filter { $0.route == endpoint.route }
    var item: JSONObject = [
      "operationId": .string(name),
      "summary": .string(all.map(\.operation.title).joined(separator: "; ")),
      "description": .string(all.map(\.operation.source).joined(separator: ", ")),
      "parameters": .array(parameters(of: endpoint, by: way).map(parameter)),
    ]
    if services.count > 1 { item["tags"] = [.string(services[endpoint.route.service])] }
    let members = endpoint.members.filter { $0.location == .body }
    switch way.body {
    case .none: break
    case .json: item["requestBody"] = content("application/json", members)
    case .optionalJSON, .lenientJSON:
      item["requestBody"] = content("application/json", members, isRequired: false)
    case .form: item["requestBody"] = content("application/x-www-form-urlencoded", members)
    // No body is a file without bytes.
    case .bytes: item["requestBody"] = ["required": false, "content": ["*/*": [:]]]
    }
    item["security"] = requirements(of: endpoint.access)
    item["responses"] = .object(responses(of: endpoint, all.flatMap(\.replies)))
    return .object(item)
  }

  /// What stands outside the body; a variable of the path that nothing is made of is one, too.
  private static func parameters(of endpoint: Endpoint<Self>, by way: WireWay) -> [ShapeMember] {
    let declared = endpoint.members.filter { member in
      switch member.location {
      case .path: way.variables.contains(member.name)
      case .query, .header: member.example != nil
      case .body, .target, .size: false
      }
    }
    let others = way.variables.subtracting(declared.map(\.name)).sorted()
    let text = Coding<String>.text
    return others.map {
      ShapeMember(
        name: $0, location: .path, schema: text.schema, example: text.example, words: text.words,
        isRequired: true, meaning: "")
    } + declared
  }

  private static func parameter(_ member: ShapeMember) -> JSON {
    [
      "name": .string(member.name), "in": .string(member.location.rawValue),
      "required": .bool(member.isRequired), "schema": member.described,
      "example": member.example ?? .null,
    ]
  }

  private static func content(
    _ mediaType: String, _ members: [ShapeMember], isRequired: Bool = true
  ) -> JSON {
    var (properties, example) = (JSONObject(), JSONObject())
    for member in members {
      properties[member.name] = member.described
      example[member.name] = member.example
    }
    let required = members.filter(\.isRequired).map(\.name)
    return [
      "required": .bool(isRequired),
      "content": [
        mediaType: [
          "schema": [
            "type": "object", "required": .strings(required), "properties": .object(properties),
          ], "example": .object(example),
        ]
      ],
    ]
  }

  private static func responses(
    of endpoint: Endpoint<Self>, _ replies: [ReplyForm<Self>]
  ) -> JSONObject {
    var responses = JSONObject()
    for form in replies {
      let status = String(form.status)
      var response = responses[status]?.object ?? ["description": "Done"]
      if let mediaType = form.mediaType {
        var content = response["content"]?.object ?? JSONObject()
        let others = content[mediaType]?["schema"]
        let either = others.map { JSON.array(($0["anyOf"]?.array ?? [$0]) + [form.schema]) }
        content[mediaType] = ["schema": either.map { ["anyOf": $0] } ?? form.schema]
        response["content"] = .object(content)
      }
      add(form.headers, to: &response)
      responses[status] = .object(response)
    }
    let forms = endpoint.refusalForms + table.refusalForms[endpoint.route.service]
    let codes = endpoint.refusals + table.refusals.filter { !endpoint.refusals.contains($0) }
    for (status, codes) in byStatus(codes) where responses[status] == nil {
      var response: JSONObject = [
        "description": .string("Refused: " + codes.joined(separator: ", ")),
        "content": ["application/json": ["schema": forms.first?.schema ?? [:]]],
      ]
      add(forms.first?.headers ?? [:], to: &response)
      responses[status] = .object(response)
    }
    return responses
  }

  private static func add(_ headers: JSONObject, to response: inout JSONObject) {
    guard !headers.members.isEmpty else { return }
    response["headers"] = .object(
      JSONObject(headers.members.map { (name: $0.name, value: ["schema": $0.value]) }))
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
