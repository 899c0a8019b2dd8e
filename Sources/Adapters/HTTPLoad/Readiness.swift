import CCurl
import Foundation
import Timekeeping

/// Waits for sockets and for moments, to the nanosecond: epoll, and a timer that is a descriptor.
final class Readiness {
  /// What libcurl wants of a descriptor, and what the kernel has been told.
  private struct Interest {
    var owner = 0
    var wanted: UInt32 = 0
    var told: UInt32 = 0
    /// Whether nothing may come while nobody waits: so over HTTP/1.1 without TLS.
    var isQuiet = false
  }

  private let epoll: Int32
  private let timer: Int32
  private var armed: Instant?
  /// By descriptor.
  private var interests: [Interest] = []
  private var rubbish = [UInt8](repeating: 0, count: 4_096)
  private var events = [epoll_event](repeating: epoll_event(), count: 256)

  init() throws(HTTPProblem) {
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
    guard epoll >= 0, timer >= 0 else { throw .noMeans("a descriptor to wait with") }
    _ = rehearsal_least_timer_slack()
    // At its edge: one event each time it runs out, and nothing to be read.
    tell(EPOLL_CTL_ADD, timer, EPOLLIN.rawValue | EPOLLET.rawValue)
  }

  deinit {
    close(timer)
    close(epoll)
  }

  /// Takes libcurl's word for what it waits for at a socket.
  ///
  /// That it waits for nothing is not passed on: most often it waits again a moment later. Should something come meanwhile, it is.
  func wish(_ socket: Int32, _ events: UInt32, owner: Int) {
    let place = Int(socket)
    if place >= interests.count {
      interests += Array(repeating: Interest(), count: place + 64 - interests.count)
    }
    interests[place].owner = owner
    interests[place].wanted = events
    guard events != 0, events != interests[place].told else { return }
    let isKnown = interests[place].told != 0
    if !tell(isKnown ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, events) {
      // The number is another socket's by now, or still this one's.
      tell(isKnown ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, events)
    }
    interests[place].told = events
  }

  /// A socket is new: whatever its number stood for is forgotten, as the kernel forgets it.
  ///
  /// - Parameter isQuiet: Whether what comes while nobody waits for it belongs to nobody.
  func welcome(_ socket: Int32, isQuiet: Bool) {
    let place = Int(socket)
    if place >= interests.count {
      interests += Array(repeating: Interest(), count: place + 64 - interests.count)
    }
    interests[place] = Interest(isQuiet: isQuiet)
  }

  /// A socket is gone.
  func forget(_ socket: Int32) {
    guard interests.indices.contains(Int(socket)) else { return }
    interests[Int(socket)] = Interest()
  }

  /// Waits until a socket is ready or the moment has come, and tells of each that is ready.
  ///
  /// - Returns: When the waiting was over.
  func wait(
    until moment: Instant, ready: (_ socket: Int32, _ events: UInt32, _ owner: Int) -> Void
  ) -> Instant {
    let isDue = moment <= MonotonicClock.now
    if !isDue { arm(moment) }
    let count = epoll_wait(epoll, &events, Int32(events.count), isDue ? 0 : -1)
    let woke = MonotonicClock.now
    guard count > 0 else { return woke }
    for index in 0..<Int(count) {
      let (socket, what) = (events[index].data.fd, events[index].events)
      if socket == timer {
        armed = nil
        continue
      }
      let interest = interests[Int(socket)]
      if interest.wanted == 0 {
        if interest.isQuiet { hush(socket) }
        _ = tell(EPOLL_CTL_DEL, socket, 0)
        interests[Int(socket)].told = 0
      } else {
        ready(socket, what, interest.owner)
      }
    }
    return woke
  }

  /// Ends a kept connection at which something came that nobody asked for: it would be taken for the answer to the next call.
  private func hush(_ socket: Int32) {
    while recv(socket, &rubbish, rubbish.count, Int32(MSG_DONTWAIT)) > 0 {}
    shutdown(socket, Int32(SHUT_RDWR))
  }

  private func arm(_ moment: Instant) {
    guard armed != moment else { return }
    armed = moment
    let (seconds, rest) = moment.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var setting = itimerspec()
    setting.it_value = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
    timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &setting, nil)
  }

  @discardableResult
  private func tell(_ what: Int32, _ socket: Int32, _ wanted: UInt32) -> Bool {
    var event = epoll_event()
    event.events = wanted
    event.data.fd = socket
    return epoll_ctl(epoll, what, socket, &event) == 0
  }
}
