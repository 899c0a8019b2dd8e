import Foundation
import Testing

@Suite(.serialized) struct `Flows of the domains` {
  private static let scenario = """
    rehearsal: 1
    name: flows
    title: A short evening
    starts: 2026-03-21T17:00 Europe/Amsterdam
    lasts: 3h
    replications: 1
    worlds:
      - domain: kantine-koning
        regions: 2
        population: {clubs: 2}
        parameters: {requestLost: 5%}
      - domain: mimi-supply
        regions: 1
        population: {customers: 60, partners: 5, drivers: 5}
        parameters: {worksPerDay: 100%}
      - domain: kilwinning
        regions: 1
        population: {lodges: 1, pastSeasons: 1}
        parameters: {opensEvery: 1h, confirms: 90%, startsOffline: 50%, outage: 20min}
    exchange: 1h
    """

  private static let agency = """
    rehearsal: 1
    name: agency
    starts: 2026-03-02T08:00 Asia/Ho_Chi_Minh
    lasts: 10h
    worlds:
      - domain: asia-travel-plan
        population: {agencies: 2}
        parameters: {requestsPerDay: 300}
    exchange: 1h
    """

  private static let result = Result { try Self.result(of: Self.scenario) }

  private static func result(of scenario: String) throws -> Data {
    let file = try CommandLineRun.file(scenario, named: "flows.yaml")
    let folder = try CommandLineRun.folder().appendingPathComponent("run").path
    _ = try CommandLineRun("run", file, "--output", folder, "--quiet")
    return try Data(contentsOf: URL(fileURLWithPath: folder + "/result.json"))
  }

  private struct Document: Decodable {
    let flows: [Flow]
    let business: [Business]
  }

  private struct Flow: Decodable {
    let world: String
    let steps: [Step]
  }

  private struct Step: Decodable {
    let reached, open: Int
    let losses: [Loss]

    var lost: Int { losses.map { $0.count }.reduce(0, +) }
  }

  private struct Loss: Decodable {
    let count: Int
  }

  private struct Business: Decodable {
    let world, name: String
    let count, unfinished, abandoned: Int
  }

  @Test(arguments: [
    ("kantine-koning", "onboarding"), ("mimi-supply", "delivery"), ("kilwinning", "synchronised"),
  ])
  func `what a flow counts is what the time from its first step to its last counts`(
    world: String, latency: String
  ) throws {
    let document = try JSONDecoder().decode(Document.self, from: try Self.result.get())
    let flow = try #require(document.flows.first { $0.world == world })
    let business = try #require(
      document.business.first { $0.world == world && $0.name == latency })
    let left = flow.steps.map { $0.lost }.reduce(0, +)
    let open = flow.steps.dropLast().map { $0.open }.reduce(0, +)
    #expect(flow.steps[flow.steps.count - 1].reached == business.count)
    #expect(left == business.abandoned)
    #expect(open == business.unfinished)
    #expect(flow.steps[0].reached == business.count + business.abandoned + business.unfinished)
    #expect(business.count > 0)
    check(flow)
  }

  /// A booking that was lost and is given to somebody later counts once, as lost.
  @Test func `what a time to an inner step counts is what the flow counts up to there`() throws {
    let document = try JSONDecoder().decode(
      Document.self, from: try Self.result(of: Self.agency))
    let flow = try #require(document.flows.first { $0.world == "asia-travel-plan" })
    let business = try #require(document.business.first { $0.name == "assigned" })
    #expect(flow.steps[1].reached == business.count)
    #expect(flow.steps[0].lost == business.abandoned)
    #expect(flow.steps[0].open == business.unfinished)
    #expect(business.abandoned > 0)
    check(flow)
  }

  private func check(_ flow: Flow) {
    for (step, next) in zip(flow.steps, flow.steps.dropFirst()) {
      #expect(step.reached == next.reached + step.open + step.lost)
    }
  }
}
