import Contracts
import Journeys
import KilwinningContract
import Timekeeping

/// The widget's snapshot (§2.8) and when it is renewed (KW-141).
struct Widget {
  var next: [Tornata] = []
  var refreshesAt: Instant?
}

// The widget: KW-140 to KW-143.

extension Device {
  /// KW-142: one list with the device's session, and never a verification.
  func refreshWidget(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    guard isLoggedIn && isLive(at: me.now) || !rules.binds(.kw143) else {
      return sleepWidget(as: me)
    }
    me.note(.widgetWakes)
    if !rules.binds(.kw142) { _ = try await verify(as: me) }
    let outcome = try await ask(.tornate(Self.planned), as: me)
    if let list = outcome.reply?.tornate {
      takeIntoWidget(list, as: me)
    } else if isLoggedIn || !rules.binds(.kw143) {
      // KW-143: the old snapshot stays, without what has begun.
      widget.next.removeAll { $0.data <= me.now }
      planRefresh(as: me)
      me.note(.widgetShows(widgetView(isStale: true)))
    }
  }

  /// The app has loaded the planned tornate.
  func feedWidget(as me: Person<Kilwinning>) {
    guard seed.hasWidget, let list = cache.tornate[Self.planned.selection], list.fetchedAt == me.now
    else {
      return
    }
    takeIntoWidget(list.value, as: me)
  }

  private func takeIntoWidget(_ list: SharedList<Tornata>, as me: Person<Kilwinning>) {
    widget.next = Self.first(rules.binds(.kw140) ? 3 : 5, of: list) {
      $0.stato == .programmata && $0.data > me.now
    }
    planRefresh(as: me)
    me.note(.widgetShows(widgetView(isStale: false)))
  }

  /// The first ones by start and id of those that are meant.
  static func first(
    _ count: Int, of list: SharedList<Tornata>, where isMeant: (Tornata) -> Bool
  ) -> [Tornata] {
    var first: [(data: Instant, id: Tornata.ID, place: Int)] = []
    let items = list.items
    // Lists begin with the newest: from their end on, most of them come after those that are found already.
    for place in items.indices.reversed() where isMeant(items[place]) {
      let (data, id) = (items[place].data, items[place].id)
      let next = first.firstIndex { (data, id) < ($0.data, $0.id) } ?? first.count
      guard next < count else { continue }
      first.insert((data, id, place), at: next)
      if first.count > count { first.removeLast() }
    }
    return first.map { items[$0.place] }
  }

  /// Without a session: a placeholder, and nothing is asked until the next login (KW-143).
  func sleepWidget(as me: Person<Kilwinning>) {
    guard seed.hasWidget else { return }
    guard rules.binds(.kw143) else { return planRefresh(as: me) }
    guard widget.refreshesAt != nil else { return }
    widget = Widget()
    me.note(.widgetShows(Kilwinning.WidgetView(next: [], isPlaceholder: true)))
  }

  private func widgetView(isStale: Bool) -> Kilwinning.WidgetView {
    Kilwinning.WidgetView(
      next: widget.next.map { card(of: $0) }, isStale: isStale, refreshesAt: widget.refreshesAt)
  }

  /// After the interval, give or take a fifth, and when the first one begins.
  private func planRefresh(as me: Person<Kilwinning>) {
    let every = habits.widgetEvery
    let pause = me.draw(.widget) {
      $0.sample(.uniform(from: every * 4 / 5, to: every * 6 / 5))
    }
    let usual = me.now + pause
    let begins = widget.next.first.map(\.data) ?? .distantFuture
    widget.refreshesAt = begins > me.now && rules.binds(.kw141) ? min(usual, begins) : usual
  }
}
