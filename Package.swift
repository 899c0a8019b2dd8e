// swift-tools-version: 6.2
import PackageDescription

// One folder, one target, one sentence. Imports point down: ARCHITECTURE.md draws the graph, and CI builds with
// --explicit-target-dependency-import-check error, so that what stands here is what holds.

let house: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // Generic code that is not specialised across modules runs several times slower; the hot state of the kernel sits
    // in classes, whose accesses the debug builds check.
    .unsafeFlags(
      ["-cross-module-optimization", "-enforce-exclusivity=unchecked"],
      .when(configuration: .release)),
  ] + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

func engine(_ name: String, _ needs: Target.Dependency...) -> Target {
  .target(name: name, dependencies: needs, path: "Sources/Engine/\(name)", swiftSettings: house)
}

func adapter(_ name: String, _ needs: Target.Dependency...) -> Target {
  .target(name: name, dependencies: needs, path: "Sources/Adapters/\(name)", swiftSettings: house)
}

/// A domain whose contract compiles, and no more: it shows that the engine's protocols fit.
func paper(_ name: String) -> [Target] {
  [
    .target(
      name: "\(name)Contract", dependencies: ["Timekeeping", "Contracts"],
      path: "Sources/Domains/\(name)/Contract", swiftSettings: house)
  ]
}

/// A domain whose backend stands before its people do.
func twin(_ name: String) -> Target {
  .target(
    name: "\(name)Twin",
    dependencies: ["Timekeeping", "Contracts", .target(name: "\(name)Contract")],
    path: "Sources/Domains/\(name)/Twin", swiftSettings: house)
}

/// A whole domain: every room is built alike. Journeys and checks see the contract, never the twin.
func domain(_ name: String) -> [Target] {
  paper(name) + [
    twin(name),
    .target(
      name: "\(name)Journeys",
      dependencies: ["Timekeeping", "Contracts", "Journeys", .target(name: "\(name)Contract")],
      path: "Sources/Domains/\(name)/Journeys", swiftSettings: house),
    .target(
      name: "\(name)Checks",
      dependencies: ["Timekeeping", "Contracts", "Observations", .target(name: "\(name)Contract")],
      path: "Sources/Domains/\(name)/Checks", swiftSettings: house),
    .target(
      name: "\(name)Room",
      dependencies: [
        "Timekeeping", "Contracts", "Journeys", "Observations", "Backends",
        .target(name: "\(name)Contract"),
        .target(name: "\(name)Twin"), .target(name: "\(name)Journeys"),
        .target(name: "\(name)Checks"),
      ],
      path: "Sources/Domains/\(name)/Room", swiftSettings: house),
  ]
}

func tests(
  _ name: String, _ needs: Target.Dependency..., exclude: [String] = [], resources: [Resource] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: needs, path: "Tests/\(name)", exclude: exclude,
    resources: resources, swiftSettings: house)
}

let package = Package(
  name: "rehearsal",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "rehearse", targets: ["rehearse"]),
    .executable(name: "rehearse-bench", targets: ["rehearse-bench"]),
    .executable(name: "rehearse-fuzz", targets: ["rehearse-fuzz"]),
    .executable(name: "rehearse-serve", targets: ["rehearse-serve"]),
    .executable(name: "rehearse-validate", targets: ["validate"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CGSL", path: "Sources/Native/CGSL", pkgConfig: "gsl",
      providers: [.apt(["libgsl-dev"])]),

    // Which commit is being built.
    .plugin(
      name: "CommitOfBuild", capability: .buildTool(), path: "Sources/Plugins/CommitOfBuild"),
    .target(
      name: "Provenance", path: "Sources/Provenance", swiftSettings: house,
      plugins: ["CommitOfBuild"]),

    engine("Timekeeping"),
    engine("Contracts", "Timekeeping"),
    engine("Journeys", "Timekeeping", "Contracts"),
    engine("Observations", "Timekeeping", "Contracts"),
    engine("Backends", "Timekeeping", "Contracts", "Journeys", "Observations"),
    engine("Replays", "Timekeeping", "Contracts", "Backends"),
    engine("Scenarios", "Timekeeping", "Contracts"),
    engine("Statistics", "CGSL"),
    engine(
      "Simulation", "Timekeeping", "Contracts", "Journeys", "Observations", "Backends", "Scenarios"),
    engine(
      "Verdicts", "Timekeeping", "Contracts", "Observations", "Scenarios", "Statistics"),
    engine(
      "Runs", "Timekeeping", "Contracts", "Observations", "Scenarios", "Statistics", "Verdicts"),
    engine(
      "Reports", "Timekeeping", "Contracts", "Observations", "Backends", "Scenarios", "Runs",
      "Statistics",
      "Verdicts",
      .product(name: "Mustache", package: "swift-mustache")),

    adapter(
      "ScenarioFiles", "Scenarios", "Timekeeping", "Contracts",
      .product(name: "Yams", package: "Yams")),
    adapter("RunFolders"),
    adapter("Storage", "Runs", "Verdicts", .product(name: "GRDB", package: "GRDB.swift")),
    adapter("Tokens", "Contracts", .product(name: "Crypto", package: "swift-crypto")),
    adapter(
      "Serving", "Timekeeping", "Contracts", "Backends", "Replays",
      .product(name: "Hummingbird", package: "hummingbird"),
      .product(name: "HummingbirdCore", package: "hummingbird"),
      .product(name: "HTTPTypes", package: "swift-http-types"),
      .product(name: "Logging", package: "swift-log"),
      .product(name: "NIOCore", package: "swift-nio")),
  ]
    + domain("KantineKoning")
    + domain("MimiSupply")
    + paper("AsiaTravelPlan") + paper("Kilwinning")
    + [
      .target(
        name: "Rooms",
        dependencies: [
          "Timekeeping", "Contracts", "Backends", "Simulation", "Tokens", "KantineKoningRoom",
          "MimiSupplyRoom",
        ],
        path: "Sources/Rooms", swiftSettings: house),
      .executableTarget(
        name: "rehearse-serve",
        dependencies: [
          "Timekeeping", "Contracts", "Backends", "Replays", "Scenarios", "Simulation", "Verdicts",
          "ScenarioFiles", "Serving", "Rooms",
          .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ],
        path: "Sources/RehearseServe", swiftSettings: house),
      .executableTarget(
        name: "rehearse",
        dependencies: [
          "Timekeeping", "Contracts", "Journeys", "Observations", "Backends", "Replays",
          "Scenarios", "Statistics", "Simulation", "Verdicts", "Runs", "Reports", "ScenarioFiles",
          "RunFolders", "Storage", "Rooms", "Provenance",
          .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ],
        path: "Sources/Rehearse", swiftSettings: house),
      .executableTarget(
        name: "rehearse-bench",
        dependencies: [
          "Timekeeping", "Contracts", "Journeys", "Observations", "Backends", "Scenarios",
          "Simulation", "Verdicts", "Runs", "Reports", "Tokens", "KantineKoningRoom",
          "KantineKoningContract", "MimiSupplyContract", "MimiSupplyTwin", "MimiSupplyRoom",
        ],
        path: "Sources/RehearseBench", swiftSettings: house),
      .executableTarget(
        name: "rehearse-fuzz",
        dependencies: [
          "Timekeeping", "Contracts", "Journeys", "Observations", "Backends", "Replays",
          "Scenarios", "Simulation", "Verdicts", "Runs", "Reports", "ScenarioFiles", "Rooms",
          .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ],
        path: "Sources/RehearseFuzz", swiftSettings: house),
      .executableTarget(
        name: "validate", dependencies: ["Timekeeping", "Statistics", "Verdicts", "Runs"],
        path: "Sources/RehearseValidate", swiftSettings: house),
      // A process that a test may kill while it writes.
      .executableTarget(
        name: "store-writer", dependencies: ["Runs", "Storage", "Verdicts"],
        path: "Tests/StoreWriter",
        swiftSettings: house),

      // A second reader of the published schemas, for tests alone.
      .target(
        name: "SchemaChecker", dependencies: ["Contracts"], path: "Tests/SchemaChecker",
        swiftSettings: house),

      tests(
        "Engine", "SchemaChecker", "Timekeeping", "Contracts", "Journeys", "Observations",
        "Backends", "Replays",
        "Scenarios", "Statistics", "Simulation", "Verdicts", "Runs", "Reports", "CGSL", "validate",
        .product(name: "Histogram", package: "hdrhistogram-swift"),
        exclude: ["Reports/Golden"]),
      tests(
        "Adapters", "SchemaChecker", "Timekeeping", "Contracts", "Runs", "Scenarios",
        "ScenarioFiles", "RunFolders",
        "Storage", "Tokens", "store-writer", "Journeys", "Observations", "Backends", "Replays",
        "Serving", "Rooms", "KantineKoningRoom"),
      tests(
        "Domains", "Timekeeping", "Contracts", "Journeys", "Observations", "Backends", "Reports",
        "Tokens",
        "KantineKoningRoom", "KantineKoningContract", "KantineKoningTwin", "KantineKoningJourneys",
        "KantineKoningChecks", "AsiaTravelPlanContract", "KilwinningContract",
        "MimiSupplyContract", "MimiSupplyTwin", "MimiSupplyRoom", "MimiSupplyJourneys",
        "MimiSupplyChecks", "Replays", "Scenarios", "Simulation"),
      tests("EndToEnd", "SchemaChecker", "Contracts"),
      tests("Tidy"),
    ],
  swiftLanguageModes: [.v6]
)
