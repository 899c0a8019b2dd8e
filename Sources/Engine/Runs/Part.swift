import Observations

/// What one machine contributes to a run that several make: everything that the whole needs of it.
public struct Part: Packable, Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    /// Of a scenario.
    case run
    /// Of a load of URLs.
    case load
  }

  /// What made it; parts of different builds may have counted differently.
  public struct Build: Hashable, Sendable {
    public var version: String
    public var commit: String

    public init(version: String, commit: String) {
      (self.version, self.commit) = (version, commit)
    }
  }

  /// The machine that made it.
  public struct Maker: Hashable, Sendable {
    public var cpu: String
    public var workers: Int
    public var wallSeconds: Double
    /// How far its clock was from that of its time servers, in seconds; `nil` where the system does not know.
    public var clockOffset: Double?

    public init(cpu: String, workers: Int, wallSeconds: Double, clockOffset: Double?) {
      self.cpu = cpu
      self.workers = workers
      self.wallSeconds = wallSeconds
      self.clockOffset = clockOffset
    }
  }

  public var kind: Kind
  public var build: Build
  public var share: Share
  /// From 1 on: which look of a run that makes replications until it is decided.
  public var round: Int
  /// What is to be done, in the bytes of whoever knows its kind: equal in all parts of a whole.
  public var work: [UInt8]
  public var maker: Maker
  /// What it came to, in the same way.
  public var outcome: [UInt8]

  public init(
    kind: Kind, build: Build, share: Share, round: Int, work: [UInt8], maker: Maker,
    outcome: [UInt8]
  ) {
    self.kind = kind
    self.build = build
    self.share = share
    self.round = round
    self.work = work
    self.maker = maker
    self.outcome = outcome
  }

  /// One to be read into.
  public static let empty = Part(
    kind: .run, build: Build(version: "", commit: ""), share: .whole, round: 1, work: [],
    maker: Maker(cpu: "", workers: 1, wallSeconds: 0, clockOffset: nil), outcome: [])

  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    var kind = kind.rawValue
    try packing.pack(&kind)
    guard let known = Kind(rawValue: kind) else { throw PackingProblem() }
    self.kind = known
    try packing.pack(&build.version)
    try packing.pack(&build.commit)
    try share.pack(&packing)
    try packing.count(&round)
    guard round > 0 else { throw PackingProblem() }
    try packing.pack(&work)
    try packing.pack(&maker.cpu)
    try packing.count(&maker.workers)
    try packing.pack(&maker.wallSeconds)
    try packing.pack(&maker.clockOffset, empty: 0)
    try packing.pack(&outcome)
  }
}

/// The parts of one whole, each there once: whatever is missing, doubled or foreign is named.
public struct PartSet: Sendable {
  public struct Named: Sendable {
    /// The file, as the user named it.
    public var path: String
    public var part: Part

    public init(path: String, part: Part) { (self.path, self.part) = (path, part) }
  }

  /// By round and number, whatever the order in which they were given.
  public private(set) var parts: [Named]

  /// - Parameters:
  ///   - build: What merges them.
  ///   - difference: What tells the work of one part from that of another, in words: `another seed (7)`.
  /// - Throws: All that is wrong, a line each.
  public init(
    _ given: [Named], build: Part.Build, difference: (_ of: Part, _ from: Part) -> String
  ) throws(PartProblems) {
    var problems: [String] = []
    let builds = given.filter { $0.part.build != build }
    problems += builds.map {
      "\($0.path): made by rehearse \(Self.words($0.part.build)), and this is \(Self.words(build)); merge with what made it, or make it again"
    }
    let parts = given.filter { $0.part.build == build }.sorted {
      ($0.part.round, $0.part.share.number, $0.path)
        < ($1.part.round, $1.part.share.number, $1.path)
    }
    var first: Named?
    var last: Named?
    for named in parts {
      let (part, whole) = (named.part, first?.part ?? named.part)
      if part.kind != whole.kind || part.work != whole.work {
        problems.append(
          "\(named.path): a part of something else than \(first!.path): \(difference(part, whole))")
        continue
      }
      if let last, last.part.round == part.round {
        if last.part.share == part.share {
          problems.append(
            "\(named.path): part \(part.share) is there twice, in \(last.path), too; give one of them"
          )
          continue
        }
        if last.part.share.parts != part.share.parts {
          problems.append(
            "\(named.path): part \(part.share), where \(last.path) is part \(last.part.share); divide a round into one number of parts"
          )
          continue
        }
      }
      first = first ?? named
      last = named
    }
    guard problems.isEmpty else { throw PartProblems(lines: problems) }
    self.parts = parts
  }

  private static func words(_ build: Part.Build) -> String {
    "\(build.version) (\(build.commit))"
  }

  /// The parts of a round; empty where none is there.
  public func parts(ofRound round: Int) -> [Named] { parts.filter { $0.part.round == round } }

  /// Those that a round lacks.
  public func missing(fromRound round: Int) -> [Share] {
    let there = parts(ofRound: round).map(\.part.share)
    guard let parts = there.first?.parts else { return [] }
    return (1...parts).map { Share($0, of: parts) }.filter { !there.contains($0) }
  }
}

/// Why parts do not make a whole, a line for each file.
public struct PartProblems: Error, Equatable, CustomStringConvertible {
  public var lines: [String]

  public init(lines: [String]) { self.lines = lines }

  public var description: String { lines.joined(separator: "\n") }
}
