import Contracts
import KantineKoningContract
import Timekeeping

/// Which reminder of a dienst: how long before its start it is due (§5.5).
enum Reminder: CaseIterable, Sendable {
  case week, day

  var lead: Span {
    switch self {
    case .week: .days(7)
    case .day: .hours(24)
    }
  }

  var event: PushEvent {
    switch self {
    case .week: .reminderWeek
    case .day: .reminderDay
    }
  }
}

/// When the reminders of a dienst are due; `nil` when one has been sent, or was past from the start.
struct ReminderDues: Hashable, Sendable {
  var week: Instant?
  var day: Instant?

  subscript(_ reminder: Reminder) -> Instant? {
    get {
      switch reminder {
      case .week: week
      case .day: day
      }
    }
    set {
      switch reminder {
      case .week: week = newValue
      case .day: day = newValue
      }
    }
  }
}

/// What is due by itself, soonest first: a binary heap. An entry counts only while its dienst still says so; one whose
/// dienst moved or went is dropped when its time comes. At most two a dienst and one more for each move.
struct Reminders: Sendable {
  struct Entry: Sendable {
    let at: Instant
    /// Of entries that are due at once the one that was made first comes first.
    let sequence: Int
    let row: Int
    let reminder: Reminder

    func precedes(_ other: Entry) -> Bool {
      at != other.at ? at < other.at : sequence < other.sequence
    }
  }

  private var heap: [Entry] = []
  private var sequence = 0

  var nextDue: Instant? { heap.first?.at }

  mutating func insert(_ reminder: Reminder, of row: Int, at: Instant) {
    heap.append(Entry(at: at, sequence: sequence, row: row, reminder: reminder))
    sequence += 1
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].precedes(heap[parent]) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Takes the first entry that is due by an instant.
  mutating func popDue(by now: Instant) -> Entry? {
    guard let first = heap.first, first.at <= now else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].precedes(heap[least]) { least = child }
      guard least != parent else { return first }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}

extension KantineKoningTwin {
  public var nextDue: Instant? { reminders.nextDue }

  /// Sends the reminders that are due, each as at its own instant.
  public mutating func advance(to now: Instant) -> Effects<KantineKoning> {
    work = Work()
    while let entry = reminders.popDue(by: now) {
      guard diensten.isInUse(entry.row), diensten[entry.row].reminders[entry.reminder] == entry.at
      else { continue }
      diensten[entry.row].reminders[entry.reminder] = nil
      let dienst = diensten.shown(entry.row)
      let isUnderstaffed = dienst.aanmeldingen.count < dienst.minimumBemanning
      guard dienst.status != .geannuleerd, isUnderstaffed, let team = diensten[entry.row].team
      else { continue }
      announce(entry.reminder.event, of: entry.row, to: team, at: entry.at)
    }
    return takeEffects()
  }

  /// Sets the reminders of a dienst by its start; one whose time is past is not made up for.
  mutating func setReminders(of row: Int, at now: Instant) {
    for reminder in Reminder.allCases {
      let due = diensten.shown(row).startTijd - reminder.lead
      guard due > now else {
        diensten[row].reminders[reminder] = nil
        continue
      }
      guard diensten[row].reminders[reminder] != due else { continue }
      diensten[row].reminders[reminder] = due
      reminders.insert(reminder, of: row, at: due)
    }
  }
}
