import Contracts
import Runs
import Scenarios

/// The scenario's part of `result.json`, and how far people got: what a report needs to be rendered again.
extension ResultDocument {
  static func scenario(_ scenario: ScenarioSummary) -> JSON {
    [
      "name": .string(scenario.name), "title": .string(scenario.title),
      "digest": .string(scenario.digest), "starts": .string(scenario.starts.precise),
      "zone": .string(scenario.zone.name), "lastsSeconds": .double(scenario.lasts.seconds),
      "documented": .string(scenario.documented.rawValue),
      "inconclusive": .string(scenario.inconclusive.rawValue),
      "worlds": .array(scenario.worlds.map(world)),
      "events": .array(scenario.events.map(event)),
      "faults": .array(scenario.faults.map(fault)),
    ]
  }

  private static func world(_ world: World) -> JSON {
    [
      "domain": .string(world.domain), "regions": .number(world.regions),
      "profile": .string(world.profile),
      "differing": .array(
        world.differing.map {
          [
            "name": .string($0.name), "value": .string($0.value), "default": .string($0.standard),
          ]
        }),
    ]
  }

  private static func event(_ event: ScheduledEvent) -> JSON {
    var object: JSONObject = [
      "at": .string(event.at.precise), "domain": .string(event.domain),
      "command": .string(event.command), "parameters": event.parameters,
    ]
    object["note"] = event.note.map(JSON.string)
    return .object(object)
  }

  private static func fault(_ fault: Fault) -> JSON {
    var object: JSONObject = [
      "from": .string(fault.from.precise), "to": .string(fault.to.precise),
      "domain": .string(fault.domain), "kind": .string(fault.kind.name),
      "share": .double(fault.share),
    ]
    if case .delay(let span) = fault.kind { object["delaySeconds"] = .double(span.seconds) }
    object["operation"] = fault.operation.map(JSON.string)
    object["count"] = fault.count.map(JSON.number)
    return .object(object)
  }

  static func search(_ search: SearchResult) -> JSON {
    [
      "world": .string(search.world), "name": .string(search.name),
      "title": .string(search.title), "calls": .number(search.calls),
      "attempts": .number(search.attempts), "examined": .number(search.examined),
    ]
  }

  static func access(_ access: AccessResult) -> JSON {
    var column: JSONObject = ["world": .string(access.world), "column": .string(access.column)]
    if access.isOutside { column["outside"] = true }
    column["entries"] = .array(
      access.entries.map {
        [
          "operation": .string($0.operation), "title": .string($0.title),
          "granted": .number($0.granted), "refused": .number($0.refused),
          "wrong": .number($0.wrong),
        ]
      })
    return .object(column)
  }

  static func funnel(_ funnel: FunnelResult) -> JSON {
    [
      "world": .string(funnel.world), "role": .string(funnel.role),
      "persons": .number(funnel.persons),
      "steps": .array(
        funnel.steps.map {
          [
            "operation": .string($0.operation), "title": .string($0.title),
            "asked": .number($0.asked), "got": .number($0.got), "requests": .number($0.requests),
            "replied": .number($0.replied), "refused": .number($0.refused),
          ]
        }),
    ]
  }
}
