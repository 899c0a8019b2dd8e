import Foundation
import Synchronization

/// A server of its own process that answers as its path says, rightly or not: what a load over HTTP is tested against.
///
/// It prints its two ports and serves until its standard input ends. At the first it answers requests; at the second its first answer
/// comes before anything was asked. Every connection has a thread; nothing of the product is in it.
@main
struct FaultyServer {
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    guard let usual = Listener(), let eager = Listener() else { exit(1) }
    FileHandle.standardOutput.write(Data("\(usual.port) \(eager.port)\n".utf8))
    Thread.detachNewThread {
      while FileHandle.standardInput.availableData.count > 0 {}
      exit(0)
    }
    Thread.detachNewThread { eager.serve { $0.serve(answeringFirst: true) } }
    usual.serve { $0.serve(answeringFirst: false) }
  }
}

/// A port of this machine on which connections are taken.
struct Listener {
  private let socket: Int32
  let port: UInt16

  /// - Returns: `nil` where the system gives none.
  init?() {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (own, most) = (socket, Int32(4_096))
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
        bind(own, plain, length) == 0 && listen(own, most) == 0
          && getsockname(own, plain, &length) == 0
      }
    }
    guard isBound else { return nil }
    port = UInt16(bigEndian: address.sin_port)
  }

  /// Never returns.
  func serve(_ visit: @escaping @Sendable (Visit) -> Void) {
    var yes: Int32 = 1
    while true {
      let connection = accept(socket, nil, nil)
      guard connection >= 0 else { continue }
      setsockopt(
        connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
      let thread = Thread { visit(Visit(connection)) }
      thread.stackSize = 256 * 1_024
      thread.start()
    }
  }
}
