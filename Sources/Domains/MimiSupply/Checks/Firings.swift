import MimiSupplyContract

/// On what the subscriptions of a city fire (§3.5), whichever of their versions stood, and how often those fired that do it once.
struct Firings: Sendable {
  private struct Own: Hashable {
    let user: UserName
    let id: String
  }

  private struct Firing {
    var events: Set<Subscription.Event> = []
    /// It was stored once, to fire once.
    var isOnce = true
    var times = 0
    /// At which tokens it has fired.
    var heardAt: Set<String> = []
  }

  private var all: [Own: Firing] = [:]

  /// Somebody stores a subscription, or may have.
  mutating func note(
    _ asked: Subscription, _ id: String?, of user: UserName, isStored: Bool
  ) {
    guard let id else { return }
    var firing = all[Own(user: user, id: id)] ?? Firing()
    firing.events.formUnion(asked.firesOn)
    firing.isOnce = firing.isOnce && asked.firesOnce && isStored
    firing.times += 1
    all[Own(user: user, id: id)] = firing
  }

  mutating func hear(_ push: PushNotification, of user: UserName) {
    guard let id = push.subscription, let token = push.destination.token,
      all[Own(user: user, id: id)]?.isOnce == true
    else { return }
    all[Own(user: user, id: id)]!.heardAt.insert(token)
  }

  /// What is wrong with a push for its subscription; `nil` where nothing is.
  ///
  /// - Parameter isWhole: Nobody subscribed before the records begin.
  func problem(
    with push: PushNotification, to user: UserName, _ isWhole: Bool
  ) -> String? {
    guard let id = push.subscription, let token = push.destination.token else { return nil }
    guard let firing = all[Own(user: user, id: id)] else {
      return isWhole ? "\(user) was told of \(push.recordName) for \(id), which nobody made" : nil
    }
    let event: Subscription.Event =
      switch push.fired {
      case .created: .create
      case .updated: .update
      case .deleted: .delete
      }
    if !firing.events.contains(event) { return "\(id) of \(user) fired on \(event.rawValue)" }
    return firing.isOnce && firing.times == 1 && firing.heardAt.contains(token)
      ? "\(id) of \(user), which fires once, fired again" : nil
  }
}
