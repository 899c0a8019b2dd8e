import Contracts
import KantineKoningChecks
import KantineKoningContract
import Observations
import Testing
import Timekeeping

@Suite struct `What Kantine Koning's protocol cannot repair` {
  private struct Count: Equatable {
    var begun = 0
    var ended = 0
    var abandoned = 0
  }

  private static func count(_ name: String, _ story: (inout CheckStory) -> Void) throws -> Count {
    let latency = try #require(KantineKoningBusiness.all.first { $0.name == name })
    var told = CheckStory()
    story(&told)
    var router = CheckRouter<KantineKoning>([])
    var watch = latency.watch(router.library)
    return told.records.reduce(into: Count()) { count, record in
      router.see(record)
      for milestone in watch.see(record) {
        switch milestone {
        case .begins: count.begun += 1
        case .ends: count.ended += 1
        case .abandoned: count.abandoned += 1
        }
      }
    }
  }

  private static func shown(_ active: [EnrollmentID: Bool]) -> [Inspection.Enrollment] {
    active.keys.sorted().map {
      CheckStory.row($0, ["1"], hardware: CheckStory.phoneP, active: active[$0]!)
    }
  }

  @Test func `an enrollment is stranded with a lost identifier until it is gone (§5.9)`() throws {
    func count(_ new: HardwareID, _ after: [EnrollmentID: Bool]) throws -> Count {
      try Self.count("stranded") {
        $0.note(.reinstalled(from: CheckStory.phoneP, to: new, lostDeviceIDs: ["p", "q"]))
        $0.inspect(Self.shown(["p": true, "q": true]))
        $0.inspect(Self.shown(after))
        $0.inspect(Self.shown(after))
      }
    }
    let fresh = CheckStory.fresh
    #expect(try count(fresh, ["p": true, "q": true]) == Count(begun: 2))
    #expect(try count(fresh, ["p": true, "q": false]) == Count(begun: 2, ended: 1))
    #expect(try count(fresh, [:]) == Count(begun: 2, ended: 2))
    #expect(try count(CheckStory.phoneP, [:]) == Count(), "who keeps it can sync")
  }

  @Test func `an orphan in a closed or ended club is protected until it is gone (KK-70, KK-71)`()
    throws
  {
    func count(
      _ command: KantineKoning.Control?,
      _ adjustment: Adjustment<KantineKoning.Deployment> = Adjustment()
    ) throws -> Count {
      try Self.count("protected") {
        $0.control(.configure(adjustment))
        if let command { $0.control(command) }
        $0.note(.resetLocally(lostDeviceIDs: ["q"]))
        for _ in 0..<2 { $0.sync([CheckStory.item("a", "member", ["1", "2"])]) }
        $0.inspect(Self.shown(["p": true, "q": true]))
        $0.inspect(Self.shown(["p": true, "q": false]))
      }
    }
    let once = Count(begun: 1, ended: 1)
    #expect(try count(.setEnrollmentOpen(tenant: "b", open: false, message: nil)) == once)
    #expect(try count(.endSeason(tenant: "b")) == once)
    #expect(try count(.endSeason(tenant: "a")) == Count())
    #expect(try count(nil) == Count())
    let unprotected = Adjustment<KantineKoning.Deployment> { $0.syncProtectsClosedTenants = false }
    #expect(try count(.endSeason(tenant: "b"), unprotected) == Count())
  }

  @Test func `a sync is blocked by a dead token until one goes through (Q11)`() throws {
    let dead = CheckStory.refused(.deviceNotFound)
    let byInfo = try Self.count("sync-blocked") {
      $0.foreground()
      $0.ask(.tenants, as: "p", dead)
      $0.note(.syncSkipped(.tenantInfoFailed))
      $0.foreground()
      $0.tenants([("a", ["1", "2"])])
      $0.sync()
    }
    #expect(byInfo == Count(begun: 1, ended: 1))
    let bySync = try Self.count("sync-blocked") {
      $0.foreground()
      $0.tenants([("a", ["1", "2"])])
      $0.syncs(CheckStory.complete, dead)
      $0.note(.resetLocally(lostDeviceIDs: ["p"]))
    }
    #expect(bySync == Count(begun: 1, abandoned: 1))
    let byNetwork = try Self.count("sync-blocked") {
      $0.foreground()
      $0.ask(.tenants, as: "p", .unknown(.timedOut))
      $0.note(.syncSkipped(.tenantInfoFailed))
      $0.syncs(CheckStory.complete, .unknown(.timedOut))
    }
    #expect(byNetwork == Count())
    let bySeason = try Self.count("sync-blocked") {
      $0.foreground()
      $0.ask(.tenants, as: "p", CheckStory.refused(.tokenRevoked, .seasonEnded))
      $0.note(.syncSkipped(.tenantInfoFailed))
    }
    #expect(bySeason == Count())
  }

  @Test func `an enrollment that a loop over clubs leaves out is counted until it is asked (Q9)`()
    throws
  {
    let count = try Self.count("not-fetched") {
      $0.note(.notFetched(deviceIDs: ["p", "q", "l"]))
      $0.list([CheckStory.dienst()], as: "p")
      $0.list(nil, as: "q")
      $0.note(.resetLocally(lostDeviceIDs: ["l"]))
    }
    #expect(count == Count(begun: 3, ended: 1, abandoned: 1))
  }
}
