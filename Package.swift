// swift-tools-version: 6.2
import Foundation
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

/// What a run hardly waits for is compiled for size: an `async` function is split into many small ones, and journeys take the compiler
/// two fifths less time that way.
let small = house + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// What is done once a run (its YAML read, its report made, the commands around it): without optimisation it takes the compiler a
/// quarter of the time, and a run some hundredths of a second.
let plain = house + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// Executables carry Swift's libraries with them: they run where Swift is not installed, and calls into the standard library are direct.
/// What Foundation is made of is named, because only modules that are compiled for a static library name it themselves.
let alone: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-static-stdlib", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims",
      "-l_FoundationCollections",
    ],
    .when(platforms: [.linux], configuration: .release))
]

func engine(_ name: String, _ needs: Target.Dependency...) -> Target {
  .target(name: name, dependencies: needs, path: "Sources/Engine/\(name)", swiftSettings: house)
}

func adapter(
  _ name: String, _ needs: Target.Dependency..., settings: [SwiftSetting] = house
) -> Target {
  .target(
    name: name, dependencies: needs, path: "Sources/Adapters/\(name)", swiftSettings: settings)
}

/// The domains are the folders below Sources/Domains; what a domain has by now, its folders tell.
let domains = folders(in: "Sources/Domains")

func folders(in path: String) -> [String] {
  let here = Context.packageDirectory + "/" + path
  let names = (try? FileManager.default.contentsOfDirectory(atPath: here)) ?? []
  return names.filter { name in
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: "\(here)/\(name)", isDirectory: &isFolder)
      && isFolder.boolValue
  }.sorted()
}

/// What each part of a domain may see beside its contract: journeys and checks never see the twin.
let parts: [(name: String, needs: [String], ofDomain: [String])] = [
  ("Contract", ["Timekeeping", "Contracts"], []),
  ("Twin", ["Timekeeping", "Contracts"], ["Contract"]),
  ("Journeys", ["Timekeeping", "Contracts", "Journeys"], ["Contract"]),
  ("Checks", ["Timekeeping", "Contracts", "Observations"], ["Contract"]),
  (
    "Domain", ["Timekeeping", "Contracts", "Journeys", "Observations", "Backends"],
    ["Contract", "Twin", "Journeys", "Checks"]
  ),
]

/// All domains are built alike: a target for each of its folders, and one for its tests.
func domain(_ name: String) -> [Target] {
  let here = folders(in: "Sources/Domains/\(name)")
  let own = parts.filter { here.contains($0.name) }
  let targets = own.map { part in
    Target.target(
      name: name + part.name,
      dependencies: (part.needs + part.ofDomain.map { name + $0 }).map { .byName(name: $0) },
      path: "Sources/Domains/\(name)/\(part.name)",
      swiftSettings: part.name == "Journeys" ? small : house)
  }
  guard folders(in: "Tests/Domains").contains(name) else { return targets }
  let tested = own.map { Target.Dependency.byName(name: name + $0.name) }
  // Its dearest checks in the form of `CellChecks`, to be measured beside those that it has.
  let values = folders(in: "Tests/Domains/\(name)").filter { $0 == "Values" }.map { name + $0 }
  let valued = values.map { program in
    Target.executableTarget(
      name: program,
      dependencies: [
        "Timekeeping", "Contracts", "Observations", "Backends", "Scenarios", "Simulation", "Tokens",
      ] + tested,
      path: "Tests/Domains/\(name)/Values", swiftSettings: house, linkerSettings: alone)
  }
  return targets + valued + [
    .testTarget(
      name: "\(name)Tests",
      dependencies: [
        "Timekeeping", "Contracts", "Journeys", "Observations", "Backends", "Replays", "Scenarios",
        "Simulation", "Tokens", "WireLine",
      ] + tested + values.map { .byName(name: $0) },
      path: "Tests/Domains/\(name)", exclude: values.isEmpty ? [] : ["Values"],
      swiftSettings: house)
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
    .executable(name: "workshop-bench", targets: ["workshop-bench"]),
    .executable(name: "rehearse-fuzz", targets: ["rehearse-fuzz"]),
    .executable(name: "rehearse-serve", targets: ["rehearse-serve"]),
    .executable(name: "rehearse-validate", targets: ["validate"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
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
      name: "CGSL", path: "Sources/Native/CGSL", providers: [.apt(["libgsl-dev"])]),
    .systemLibrary(
      name: "CCrypto", path: "Sources/Native/CCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CCurl", path: "Sources/Native/CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"])]),

    // Of every system that has a package manager; libcurl depends on it, too.
    .systemLibrary(
      name: "CZlib", path: "Sources/Native/CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"])]),

    // Which commit is being built, and where its rules live.
    .plugin(
      name: "CommitOfBuild", capability: .buildTool(), path: "Sources/Plugins/CommitOfBuild"),
    .plugin(
      name: "PlacesOfRules", capability: .buildTool(), path: "Sources/Plugins/PlacesOfRules"),
    // What pages consist of lies in files of its own and is part of the program.
    .plugin(
      name: "EmbeddedFiles", capability: .buildTool(), path: "Sources/Plugins/EmbeddedFiles"),
    .target(
      name: "Provenance", path: "Sources/Provenance", swiftSettings: house,
      plugins: ["CommitOfBuild", "PlacesOfRules"]),

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
    .target(
      name: "Reports",
      dependencies: [
        "Timekeeping", "Contracts", "Observations", "Backends", "Scenarios", "Runs", "Statistics",
        "Verdicts", .product(name: "Mustache", package: "swift-mustache"),
      ],
      path: "Sources/Engine/Reports", exclude: ["Files"], swiftSettings: plain,
      plugins: ["EmbeddedFiles"]),

    adapter(
      "ScenarioFiles", "Scenarios", "Timekeeping", "Contracts",
      .product(name: "Yams", package: "Yams"), settings: plain),
    adapter("RunFolders"),
    adapter("PartFiles", "Contracts", "Observations", "Runs", "RunFolders", "CZlib"),
    adapter("MachineShare"),
    adapter("Storage", "Runs", "Verdicts", .product(name: "GRDB", package: "GRDB.swift")),
    adapter("Tokens", "Contracts", "CCrypto"),
    adapter("HTTPLoad", "Timekeeping", "Contracts", "Observations", "CCurl"),
    adapter(
      "Serving", "Timekeeping", "Contracts", "Backends", "Replays",
      .product(name: "Hummingbird", package: "hummingbird"),
      .product(name: "HummingbirdCore", package: "hummingbird"),
      .product(name: "HTTPTypes", package: "swift-http-types"),
      .product(name: "Logging", package: "swift-log"),
      .product(name: "NIOCore", package: "swift-nio"),
      .product(name: "NIOHTTP1", package: "swift-nio")),
  ]
    + domains.flatMap(domain)
    + [
      .target(
        name: "DomainList",
        dependencies: ["Timekeeping", "Contracts", "Backends", "Simulation", "Tokens"]
          + domains.map { name -> Target.Dependency in
            let isWhole = folders(in: "Sources/Domains/\(name)").contains("Domain")
            return .byName(name: name + (isWhole ? "Domain" : "Contract"))
          },
        path: "Sources/DomainList", swiftSettings: house),
      .executableTarget(
        name: "rehearse-serve",
        dependencies: [
          "Timekeeping", "Contracts", "Journeys", "Observations", "Backends", "Replays",
          "Scenarios", "Simulation", "Verdicts", "ScenarioFiles", "Serving", "DomainList",
          "Provenance",
          .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ],
        path: "Sources/RehearseServe", swiftSettings: house, linkerSettings: alone),
      .executableTarget(
        name: "rehearse",
        dependencies: [
          "Timekeeping", "Contracts", "Journeys", "Observations", "Backends", "Replays",
          "Scenarios", "Statistics", "Simulation", "Verdicts", "Runs", "Reports", "ScenarioFiles",
          "RunFolders", "PartFiles", "Storage", "DomainList", "HTTPLoad", "MachineShare",
          "Provenance",
          .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ],
        path: "Sources/Rehearse", swiftSettings: plain, linkerSettings: alone),
      // What benches measure without the large domains.
      .target(
        name: "BenchWork",
        dependencies: [
          "Timekeeping", "Contracts", "Journeys", "Observations", "Backends", "Scenarios",
          "Simulation", "ToyDomain",
        ],
        path: "Sources/BenchWork", swiftSettings: house),
      // The engine and the workshop alone, so that a measurement needs no large domain to be built.
      .executableTarget(
        name: "workshop-bench", dependencies: ["BenchWork"], path: "Sources/WorkshopBench",
        swiftSettings: house, linkerSettings: alone),
      .executableTarget(
        name: "rehearse-bench",
        dependencies: [
          "BenchWork", "Timekeeping", "Contracts", "Journeys", "Observations", "Backends",
          "Scenarios", "Simulation", "Verdicts", "Runs", "Reports", "Tokens", "KantineKoningDomain",
          "KantineKoningContract", "KilwinningContract", "KilwinningTwin", "MimiSupplyContract",
          "MimiSupplyTwin", "MimiSupplyDomain", "AsiaTravelPlanContract", "AsiaTravelPlanTwin",
          "AsiaTravelPlanJourneys", "AsiaTravelPlanDomain",
        ],
        path: "Sources/RehearseBench", swiftSettings: house, linkerSettings: alone),
      .executableTarget(
        name: "rehearse-fuzz",
        dependencies: [
          "Timekeeping", "Contracts", "Journeys", "Observations", "Backends", "Replays",
          "Scenarios", "Simulation", "Verdicts", "Runs", "Reports", "ScenarioFiles", "PartFiles",
          "DomainList", "MachineShare",
          .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ],
        path: "Sources/RehearseFuzz", swiftSettings: house),
      .executableTarget(
        name: "validate",
        dependencies: [
          "Timekeeping", "Statistics", "Verdicts", "Runs", "Backends", "Contracts", "Scenarios",
          "Simulation", "Tokens", "ToyDomain",
        ],
        path: "Sources/RehearseValidate", swiftSettings: house),
      // A process that a test may kill while it writes.
      .executableTarget(
        name: "store-writer", dependencies: ["Runs", "Storage", "Verdicts"],
        path: "Tests/StoreWriter",
        swiftSettings: house),

      // A server of its own process for tests of load, rightly behaved or not.
      .executableTarget(
        name: "faulty-server", path: "Tests/FaultyServer", swiftSettings: house),

      // Servers that tests load: faulty ones, and those of other programs.
      .target(
        name: "LoadTargets", dependencies: ["faulty-server"], path: "Tests/LoadTargets",
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
        "ScenarioFiles", "RunFolders", "PartFiles",
        "Storage", "Tokens", "store-writer", "LoadTargets", "Journeys", "Observations",
        "Backends", "Replays",
        "Serving", "HTTPLoad", "MachineShare", "DomainList", "KantineKoningDomain",
        "KilwinningDomain", "ToyDomain", "AsiaTravelPlanContract", "AsiaTravelPlanDomain"),
      // Asks a twin over its wire mapping, in process; for the tests of domains.
      .target(
        name: "WireLine", dependencies: ["Timekeeping", "Contracts", "Tokens"],
        path: "Tests/WireLine", swiftSettings: house),
      tests(
        "DomainList", "Timekeeping", "Observations", "Backends", "Scenarios", "ScenarioFiles",
        "Simulation", "Reports", "DomainList", "Provenance"),
      tests(
        "EndToEnd", "SchemaChecker", "Timekeeping", "Contracts", "Scenarios", "ScenarioFiles",
        "LoadTargets",
        exclude: ["digests.json", "digests.py"]),
      tests("Tidy", "Provenance", exclude: ["budgets.json", "budgets.py"]),
    ],
  swiftLanguageModes: [.v6]
)
