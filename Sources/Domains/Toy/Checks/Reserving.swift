import Contracts
import Observations
import Timekeeping
import ToyContract

/// Something that is to be seen of who is told of a tool.
struct Turn {
  let tool: Int
  let moment: Moment
  let what: What

  enum What {
    /// The next in line is to be told from then on, unless somebody borrows the tool.
    case due(from: Instant, unlessBorrowedSince: Instant)
    /// A member was told, who had been told before at an instant.
    case told(Int, after: Instant)
  }
}

/// Reserving and keeping: TY-06 and TY-07.
extension WorkshopChecks {
  static let reservingRules: [JudgedRule<Toy>] = [
    JudgedRule(.ty06, withToken.union([.controls, .signals])),
    JudgedRule(.ty07, withToken.union([.controls, .signals])),
  ]

  // MARK: - At once, by what was known before

  func judgeKept(_ asking: Borrowing, _ asked: Asked) {
    guard let keeper = tools[asked.tool].keeper(during: asked.call), let member = asked.member,
      member != keeper
    else { return }
    if asked.isReplied { violated(.ty06, "tool \(asking.tool) was kept for \(name(keeper))") }
    if asked.refusal == .kept { held(.ty06) }
  }

  func judgeShownAsFree(_ asked: Asked) {
    guard case .replied(.tools(let list)) = asked.call.outcome else { return }
    let wrong = list.first {
      guard $0.isFree, let tool = tools.known($0.tool) else { return false }
      return tools[tool].keeper(during: asked.call) != nil
    }
    expect(.ty06, wrong == nil, "tool \(wrong?.tool ?? 0) is kept and shown as free")
  }

  /// A member is told of a tool: it is kept as long as the workshop decides, and they were the first in line.
  mutating func learnTold(of tool: Int, _ member: Int, until: Instant) {
    let moment = verdicts.moment
    let now = moment.time
    if let span = decided.value(during: now...now, { $0.keptFor }) {
      expect(
        .ty06, abs((until - now - span).seconds) < 60,
        "tool \(tools.names[tool]) is kept until \(until)")
    }
    let told = Turn.What.told(member, after: tools[tool].lastTold(member))
    turns.keep(Turn(tool: tool, moment: moment, what: told), until: now + .minutes(2))
    let next = Turn.What.due(from: until - .seconds(5), unlessBorrowedSince: now - .minutes(1))
    turns.keep(Turn(tool: tool, moment: moment, what: next), until: until + .minutes(2))
    tools[tool].told.append((member, now, until))
    if now < until { tools[tool].kept = (member, now...until) }
    let line = tools[tool].line
    guard let own = line.first(where: { $0.member == member }) else { return }
    tools[tool].line.removeAll { $0.member == member }
    guard line.count > 1 else { return }
    let passedOver = line.first { $0.to <= own.from && $0.member != member }?.member
    expect(
      .ty07, passedOver == nil,
      "\(name(member)) was told of tool \(tools.names[tool]) before \(passedOver.map { name($0) } ?? "")"
    )
  }

  // MARK: - Once all is known that may have happened meanwhile

  /// The next in line is told of a tool that came back.
  mutating func expectNext(in asked: Asked) {
    let next = Turn.What.due(from: asked.call.sent, unlessBorrowedSince: asked.call.sent)
    turns.keep(
      Turn(tool: asked.tool, moment: asked.moment, what: next),
      until: asked.call.answered + .minutes(2))
  }

  @inline(never)
  func judgeTurn(_ turn: Turn) {
    verdicts.moment = turn.moment
    switch turn.what {
    case .due(let from, let since):
      if tools[turn.tool].mayBeBorrowedUntil >= since { return }
      if tools[turn.tool].told.last.map({ $0.at >= from }) ?? false { return held(.ty07) }
      if tools[turn.tool].line.contains(where: { $0.to < from }) {
        violated(
          .ty07, "tool \(tools.names[turn.tool]) is there, and nobody who reserved it is told")
      }
    case .told(let member, let last):
      expect(
        .ty07, tools[turn.tool].mayBeReserved(by: member, in: last...turn.moment.time),
        "\(name(member)) was told of tool \(tools.names[turn.tool]) and has not reserved it")
    }
  }

  /// Of a tool that is said to be kept a member is told within a minute.
  func judgeRefusedAsKept(_ asked: Asked) {
    verdicts.moment = asked.moment
    let tool = tools[asked.tool]
    expect(
      .ty06,
      tool.mayBeKept(for: asked.call)
        && tool.holder.values(during: asked.during).contains(nobody),
      "tool \(tools.names[asked.tool]) is said to be kept, and nobody is told of it, or somebody has it"
    )
  }

  func judgeReservation(_ tool: Int, _ asked: Asked) {
    guard tools[asked.tool].exists else { return expectUnknown(.ty07, tool, asked) }
    guard let holder = holder(of: asked) else { return }
    if holder != nobody {
      expect(
        .ty07, asked.refusal == (asked.member == holder ? .lent : nil),
        "tool \(tool), which \(name(holder)) has, was reserved: \(asked.words)")
    } else if !tools[asked.tool].mayBeReserved(for: asked.call) {
      expect(
        .ty07, asked.refusal == .free, "tool \(tool) is free and was reserved: \(asked.words)")
    } else if let refusal = asked.refusal {
      expect(
        .ty07, refusal == .free, "tool \(tool), which nobody has, is \(refusal.rawValue)")
    }
  }
}
