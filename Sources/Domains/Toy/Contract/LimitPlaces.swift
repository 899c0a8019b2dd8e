import Contracts

extension Toy {
  /// Where each limit is enforced, tried and judged.
  ///
  /// A test reads the sources, writes this table (`REHEARSAL_GOLDEN=write`) and fails when it is stale.
  static let limitPlaces: [LimitID: LimitPlaces] = [
    .ty01: place(
      enforced: "Twin/ToyTwin.swift",
      tried: [
        "Journeys/Adversary.swift",
        "Journeys/Member.swift",
      ],
      judged: "Checks/MemberChecks.swift"),
    .ty02: place(
      enforced: "Twin/ToyTwin.swift",
      tried: [
        "Journeys/Adversary.swift",
        "Journeys/Member.swift",
      ],
      judged: "Checks/MemberChecks.swift"),
    .ty03: place(
      enforced: "Twin/ToyTwin.swift",
      tried: [
        "Journeys/Adversary.swift",
        "Journeys/Member.swift",
      ],
      judged: "Checks/LendingChecks.swift"),
    .ty04: place(
      enforced: "Twin/ToyTwin.swift",
      tried: [
        "Journeys/Adversary.swift",
        "Journeys/Member.swift",
      ],
      judged: "Checks/LendingChecks.swift"),
    .ty05: place(
      enforced: "Twin/ToyTwin.swift",
      tried: ["Journeys/Adversary.swift"],
      judged: "Checks/LendingChecks.swift"),
    .ty06: place(
      enforced: "Twin/ToyTwin.swift",
      tried: [
        "Journeys/Adversary.swift",
        "Journeys/Member.swift",
      ],
      judged: "Checks/LendingChecks.swift"),
    .ty07: place(
      enforced: "Twin/ToyTwin.swift",
      tried: ["Journeys/Member.swift"],
      judged: "Checks/LendingChecks.swift"),
    .ty08: place(
      enforced: "Twin/ToyTwin.swift",
      tried: ["Journeys/Member.swift"],
      judged: "Checks/LendingChecks.swift"),
    .ty09: place(
      enforced: "Twin/ToyTwin.swift",
      tried: ["Journeys/Member.swift"],
      judged: "Checks/AppChecks.swift"),
    .ty10: place(
      enforced: "Journeys/Member.swift",
      tried: ["Journeys/Member.swift"],
      judged: "Checks/AppChecks.swift"),
    .ty11: place(
      enforced: "Twin/ToyTwin.swift",
      tried: ["Journeys/Adversary.swift"],
      judged: "Checks/MemberChecks.swift"),
  ]

  private static func place(
    enforced: String? = nil, tried: [String], judged: String? = nil
  ) -> LimitPlaces {
    let folder = "Sources/Domains/Toy/"
    return LimitPlaces(
      enforced: enforced.map { folder + $0 }, tried: tried.map { folder + $0 },
      judged: judged.map { folder + $0 })
  }
}
