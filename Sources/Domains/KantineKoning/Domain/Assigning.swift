import Backends
import Contracts
import KantineKoningContract
import KantineKoningJourneys

extension KantineKoningBackend {
  /// The names under which a command's parameters name a club.
  private static let clubNames = ["club", "tenant", "tenant_slug", "slug"]

  /// A command about a club goes to that club's cell, with its slug in place of its path; one about no club goes to
  /// every cell of the region.
  public func assign(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [CellCommand<KantineKoning>] {
    let plan = CanteenPlan(region)
    guard let name = Self.clubNames.first(where: { parameters[$0]?.string != nil }),
      let path = parameters[name]?.string
    else {
      let command = try KantineKoning.control(control, parameters)
      return (0..<plan.cells).map { CellCommand(cell: $0, at: region.starts, command) }
    }
    guard let number = try clubNumber(path, in: region) else { return [] }
    guard (1...max(1, plan.clubs)).contains(number) else {
      throw ControlProblem(
        "\(path): \(region.path) has \(plan.clubs) clubs, club-1 to club-\(plan.clubs)")
    }
    guard case .object(var members) = parameters else { return [] }
    members[name] = .name(Club.slug(region: region.region, number: number))
    let command = try KantineKoning.control(control, .object(members))
    return [CellCommand(cell: plan.cell(ofClub: number), at: region.starts, command)]
  }

  /// The number of a club from its path; `nil` when it lies in another region.
  private func clubNumber(_ path: String, in region: RegionPlan) throws(ControlProblem) -> Int? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == KantineKoning.domain, Int(parts[1]) != nil,
      parts[2].hasPrefix("club-"), let number = Int(parts[2].dropFirst(5))
    else {
      throw ControlProblem(
        "'\(path)' is no club: clubs are named like \(KantineKoning.domain)/1/club-3")
    }
    return Int(parts[1]) == region.region ? number : nil
  }
}
