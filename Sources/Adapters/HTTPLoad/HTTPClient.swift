import CCurl
import Foundation
import Timekeeping

/// Calls over HTTP from one thread: libcurl's multi handles over one epoll.
///
/// Never more calls than slots are under way, and a slot that is free is the one used last, whose connection is the warmest. It is
/// made, used and let go on one thread.
public final class HTTPClient {
  /// A multi handle looks for a connection by going through all of its own: with 900 in one that took 36 µs a call.
  static let slotsInShard = 64

  /// libcurl's engine for a part of the slots, and when it wants to be asked next.
  private final class Shard {
    let multi: UnsafeMutableRawPointer
    let index: Int
    unowned let readiness: Readiness
    var due: Instant?
    /// Who is making a connection for others, too.
    var opener: ObjectIdentifier?

    init(_ index: Int, readiness: Readiness) throws(HTTPProblem) {
      guard let multi = curl_multi_init() else { throw .noMeans("memory") }
      self.multi = multi
      self.index = index
      self.readiness = readiness
    }

    deinit { curl_multi_cleanup(multi) }
  }

  public let slots: Int
  private let readiness: Readiness
  private let standardTimeOut: Span
  private var shards: [Shard] = []
  /// All of them: libcurl holds pointers into them.
  private var transfers: [Transfer] = []
  private var free: [Transfer] = []
  private let onEnd: (_ tag: Int, HTTPAnswer) -> Void

  private static let isReady: Bool = rehearsal_curl_global() == 0

  /// - Parameters:
  ///   - slots: How many calls may be under way, and so how many connections there are; from 1.
  ///   - onEnd: Told of each call that ended, from within `turn`; it may send the next.
  public init(
    slots: Int, options: HTTPOptions, onEnd: @escaping (_ tag: Int, HTTPAnswer) -> Void
  ) throws(HTTPProblem) {
    precondition(slots >= 1, "no call goes anywhere without a slot")
    guard Self.isReady else { throw .noMeans("libcurl") }
    try options.tls.check()
    try Self.reserveDescriptors(for: slots)
    self.slots = slots
    self.onEnd = onEnd
    standardTimeOut = options.timeOut
    readiness = try Readiness()
    for index in 0..<(slots + Self.slotsInShard - 1) / Self.slotsInShard {
      shards.append(try Shard(index, readiness: readiness))
      connect(shards[index])
    }
    for place in 0..<slots {
      transfers.append(
        try Transfer(shard: place % shards.count, options: options, readiness: readiness))
    }
    free = transfers.reversed()
  }

  deinit {
    for transfer in transfers {
      curl_multi_remove_handle(shards[transfer.shard].multi, transfer.easy)
    }
    transfers = []
    free = []
    shards = []
  }

  public var clock: Instant { MonotonicClock.now }
  public var inFlight: Int { slots - free.count }
  public var hasRoom: Bool { !free.isEmpty }
  /// Whether a request was sent for any of the calls under way.
  var hasSent: Bool { underWay.contains { $0.requests.first > 0 } }
  private var underWay: [Transfer] {
    let isFree = Set(free.map(ObjectIdentifier.init))
    return transfers.filter { !isFree.contains(ObjectIdentifier($0)) }
  }

  /// Sends a call. - Precondition: `hasRoom`.
  ///
  /// - Parameters:
  ///   - tag: What `onEnd` is told.
  ///   - timeOut: In place of the options'.
  public func send(_ route: HTTPRoute, tag: Int, timeOut: Span? = nil) {
    guard let transfer = free.popLast() else { preconditionFailure("a call without a place") }
    let now = MonotonicClock.now
    transfer.begin(route, tag: tag, at: now, timeOut: timeOut ?? standardTimeOut)
    add(transfer, to: shards[transfer.shard], at: now)
  }

  private func add(_ transfer: Transfer, to shard: Shard, at now: Instant) {
    let code = curl_multi_add_handle(shard.multi, transfer.easy)
    precondition(code == CURLM_OK, "libcurl refuses a handle of its own: \(code.rawValue)")
    shard.due = now
  }

  /// Waits until something happens or the moment has come, and lets happen what is due.
  ///
  /// - Returns: When the waiting was over.
  @discardableResult
  public func turn(until moment: Instant) -> Instant {
    let due = shards.reduce(moment) { min($0, $1.due ?? .distantFuture) }
    var running: Int32 = 0
    let woke = readiness.wait(until: due) { socket, events, owner in
      var what: Int32 = 0
      if events & EPOLLIN.rawValue != 0 { what |= CURL_CSELECT_IN }
      if events & EPOLLOUT.rawValue != 0 { what |= CURL_CSELECT_OUT }
      if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { what |= CURL_CSELECT_ERR }
      curl_multi_socket_action(shards[owner].multi, socket, what, &running)
    }
    let now = MonotonicClock.now
    for shard in shards {
      if let due = shard.due, due <= now {
        shard.due = nil
        curl_multi_socket_action(shard.multi, rehearsal_curl_timeout_socket(), 0, &running)
      }
      collect(shard)
    }
    return woke
  }

  /// Ends what is under way without an answer. - Returns: The tags of those calls and what had been written for them.
  public func abandon() -> [(tag: Int, requests: HTTPAnswer.Requests)] {
    let open = underWay
    for transfer in open { curl_multi_remove_handle(shards[transfer.shard].multi, transfer.easy) }
    free += open
    return open.map { ($0.tag, $0.requests) }
  }

  private func collect(_ shard: Shard) {
    var left: Int32 = 0
    while let message = curl_multi_info_read(shard.multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
        let context = rehearsal_curl_private(easy)
      else { continue }
      let code = message.pointee.data.result
      let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      let now = MonotonicClock.now
      curl_multi_remove_handle(shard.multi, easy)
      if transfer.lacksConnection {
        let opens = shard.opener == nil || transfer.hasWaited
        if shard.opener == nil { shard.opener = ObjectIdentifier(transfer) }
        if transfer.beginConnecting(opens, at: now) {
          add(transfer, to: shard, at: now)
          continue
        }
      }
      if shard.opener == ObjectIdentifier(transfer) { shard.opener = nil }
      if transfer.beginFollowing(code, at: now) {
        add(transfer, to: shard, at: now)
        continue
      }
      if transfer.beginAgain(at: now) {
        add(transfer, to: shard, at: now)
        continue
      }
      let answer = transfer.end(code, at: now)
      free.append(transfer)
      onEnd(transfer.tag, answer)
    }
  }

  private func connect(_ shard: Shard) {
    let context = Unmanaged.passUnretained(shard).toOpaque()
    _ = rehearsal_curl_multi_set_long(
      shard.multi, CURLMOPT_MAXCONNECTS, Self.slotsInShard)
    _ = rehearsal_curl_multi_set_socket(
      shard.multi,
      { _, socket, what, context, _ in
        guard let context else { return -1 }
        let shard = Unmanaged<Shard>.fromOpaque(context).takeUnretainedValue()
        let events: UInt32 =
          switch what {
          case CURL_POLL_IN: EPOLLIN.rawValue
          case CURL_POLL_OUT: EPOLLOUT.rawValue
          case CURL_POLL_INOUT: EPOLLIN.rawValue | EPOLLOUT.rawValue
          default: 0
          }
        shard.readiness.wish(socket, events, owner: shard.index)
        return 0
      }, context)
    _ = rehearsal_curl_multi_set_timer(
      shard.multi,
      { _, milliseconds, context in
        guard let context else { return -1 }
        let shard = Unmanaged<Shard>.fromOpaque(context).takeUnretainedValue()
        shard.due =
          milliseconds < 0 ? nil : MonotonicClock.now + .milliseconds(Int64(milliseconds))
        return 0
      }, context)
  }

  /// Each connection is a descriptor; the process may raise its own limit to the hard one.
  private static func reserveDescriptors(for slots: Int) throws(HTTPProblem) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    let wanted = rlim_t(slots + 64)
    guard limit.rlim_cur < wanted else { return }
    guard limit.rlim_max >= wanted else {
      throw .tooManyConnections(slots, allowed: Int(limit.rlim_max))
    }
    limit.rlim_cur = wanted
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
