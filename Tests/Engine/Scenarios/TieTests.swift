import Contracts
import Scenarios
import Testing
import Timekeeping

private let shop = WorldDeclaration(
  domain: "shop", title: "Shop", population: [],
  parameters: [
    Setting(
      "shortest", .span(.zero ... .hours(1)), .span(.seconds(1)), "Shortest", source: "§1",
      tie: .atMost("longest")),
    Setting(
      "longest", .span(.zero ... .hours(1)), .span(.seconds(4)), "Longest", source: "§1"),
    Setting(
      "cash", .number(0...100), .number(8), "Cash", source: "§1", tie: .weight(of: "payments")),
    Setting(
      "card", .number(0...100), .number(0), "Card", source: "§1", tie: .weight(of: "payments")),
    Setting("lost", .share(0...1), .share(0.1), "Lost", source: "§1", tie: .share(of: "losses")),
    Setting("late", .share(0...1), .share(0.1), "Late", source: "§1", tie: .share(of: "losses")),
  ],
  quirks: [], profiles: [], operations: [], business: [], limits: [], controls: [])

@Suite struct `Settings that are tied to one another` {
  private func problems(_ parameters: Tree) -> [String] {
    let tree = scenario(("worlds", [["domain": "shop", "parameters": parameters]]))
    do throws(ScenarioErrors) {
      _ = try ScenarioReader(declarations: [shop]).read(tree.node, file: "s.yaml", digest: "d")
      return []
    } catch {
      return error.problems.map { "\($0.what); \($0.remedy)" }
    }
  }

  @Test(
    arguments: [
      (
        ["shortest": "3s", "longest": "2s"],
        "'shortest' (5:9) is 3s, above what it may reach: 'longest' (5:11) is 2s; make 'shortest' at most 'longest'"
      ),
      (
        ["longest": "500ms"],
        "'shortest' is 1s by default, above what it may reach: 'longest' (5:9) is 500ms; make 'shortest' at most 'longest'"
      ),
      (
        ["shortest": "5s"],
        "'shortest' (5:9) is 5s, above what it may reach: 'longest' is 4s by default; make 'shortest' at most 'longest'"
      ),
      (
        ["cash": "0"],
        "no weight of payments is above 0: 'cash' (5:9) is 0, 'card' is 0 by default; give one of them a weight"
      ),
      (
        ["lost": "60%", "late": "41%"],
        "the shares of losses make 101%: 'lost' (5:9) is 60%, 'late' (5:11) is 41%; lower them to 100% in all"
      ),
    ] as [(Tree, String)])
  func `contradict one another with both places named`(parameters: Tree, message: String) {
    #expect(problems(parameters) == [message])
  }

  @Test(
    arguments: [
      ["shortest": "4s"], ["shortest": "2s", "longest": "2s"], ["cash": "0", "card": "1"],
      ["lost": "60%", "late": "40%"], ["lost": "0.9"],
    ] as [Tree])
  func `are read as long as they hold`(parameters: Tree) {
    #expect(problems(parameters) == [])
  }

  @Test func `are not judged where one could not be read`() {
    #expect(
      problems(["shortest": "3s", "longest": "2 apples"]).allSatisfy { !$0.contains("above what") })
    #expect(problems(["cash": "-1"]).count == 1)
  }
}
