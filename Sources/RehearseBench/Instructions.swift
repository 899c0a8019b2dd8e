import BenchWork

/// How many instructions of the processor one complete request takes.
enum Instructions {
  static let works =
    CountedWork.small + [
      CountedWork("canteen", "Kantine Koning", goal: 28, live: CanteenSaturday.live(replications:)),
      CountedWork("city", "MimiSupply", live: CityDay.live(replications:)),
      CountedWork(
        "agency", "AsiaTravelPlan", goal: 30, live: AgencyYear.live(replications:)),
    ]
}
