import Statistics
import Testing
import Timekeeping

@Suite struct `Change points` {
  @Test func `a step is found where it is, with the levels on either side`() throws {
    let series = [5.0, 6, 5, 7, 6, 5, 6, 7, 12, 13, 11, 12, 13, 12, 11, 12]
    let found = ChangePoint.find(in: series)
    #expect(found.count == 1)
    let change = try #require(found.first)
    #expect(change.index == 8 && change.before == 6 && change.after == 12)
    #expect(change.chance <= 0.01)
  }

  @Test func `two steps are found one after the other`() {
    let series = Self.levels([(1, 25), (2, 25), (1, 25)])
    let found = ChangePoint.find(in: series)
    #expect(found.map(\.index) == [25, 50])
    #expect(found.map { $0.after > $0.before } == [true, false])
  }

  /// Runs of one seed repeat to the bit until the program changes.
  @Test func `levels without any noise are told apart`() throws {
    let found = ChangePoint.find(
      in: Array(repeating: 1.0, count: 8) + Array(repeating: 1.01, count: 8))
    #expect(found.map(\.index) == [8])
    #expect(try #require(found.first).after == 1.01)
  }

  @Test func `nothing changes in a constant, a short or an empty series`() {
    #expect(ChangePoint.find(in: Array(repeating: 3, count: 50)).isEmpty)
    #expect(ChangePoint.find(in: [1, 1, 1, 1, 1, 9, 9, 9, 9]).isEmpty)
    #expect(ChangePoint.find(in: []).isEmpty)
  }

  @Test func `one outlier is no change`() {
    var series = Self.levels([(1, 30)])
    series[12] = 1_000
    #expect(ChangePoint.find(in: series).isEmpty)
  }

  @Test func `the answer is the same every time`() {
    let series = Self.levels([(1, 12), (1.05, 12)])
    #expect(ChangePoint.find(in: series) == ChangePoint.find(in: series))
  }

  @Test func `a dozen noisy runs are too few to tell a change from runs that are alike`() {
    let series = [3.0, 1, 5, 2, 4, 6, 8, 11, 7, 10, 9, 12]
    #expect(ChangePoint.find(in: series).isEmpty)
  }

  /// Neighbours are alike at 0.6: whatever looks like a level may be none.
  @Test func `a correlated series seldom shows a change`() {
    var stream = RandomStream(seed: 92, owner: stableHash("alike"), purpose: 0)
    var search = ChangePointSearch()
    let found = (0..<200).count { _ in
      var value = stream.normal()
      let series = (0..<30).map { _ in
        value = 0.6 * value + 0.8 * stream.normal()
        return value
      }
      return !search.find(in: series).isEmpty
    }
    #expect(found <= 7, "\(found) of 200")
  }

  private static func levels(_ parts: [(level: Double, count: Int)]) -> [Double] {
    var stream = RandomStream(seed: 91, owner: stableHash("levels"), purpose: 0)
    return parts.flatMap { part in
      (0..<part.count).map { _ in part.level * (1 + 0.01 * stream.normal()) }
    }
  }

  @Test func `of many figures that never changed hardly any history shows one that did`() {
    var stream = RandomStream(seed: 31, owner: stableHash("figures"), purpose: 0)
    var search = ChangePointSearch()
    let histories = (0..<10).map { _ in
      (0..<40).map { _ in (0..<20).map { _ in stream.normal() } }
    }
    let each = histories.count { $0.contains { !search.find(in: $0).isEmpty } }
    let together = histories.count { history in
      search.find(among: history).contains { !$0.isEmpty }
    }
    #expect(together <= 1 && together <= each, "\(together) together, \(each) each")
  }

  @Test func `one figure of a hundred that changed is found, and no other`() {
    var stream = RandomStream(seed: 32, owner: stableHash("figures"), purpose: 0)
    var figures = (0..<100).map { _ in (0..<20).map { _ in stream.normal() } }
    for run in 8..<20 { figures[17][run] += 30 }
    // Too short, and without any difference: neither is searched in vain.
    figures += [[1, 2, 3], Array(repeating: 4, count: 20)]
    var search = ChangePointSearch()
    let found = search.find(among: figures)
    #expect(found.indices.filter { !found[$0].isEmpty } == [17])
    #expect(found[17].map(\.index) == [8] && found[17][0].chance < 0.05 / 100)
  }
}
