import Foundation

/// Ports and connections of this machine.
enum Loopback {
  /// One that nobody has at this moment.
  static func findPort() throws -> Int {
    let found = with(port: 0) { socket, address, length in
      bind(socket, address, length.pointee) == 0 && getsockname(socket, address, length) == 0
    }
    guard let found, found > 0 else { throw Tool.Failure(words: "there is no port") }
    return found
  }

  static func waitUntilTaken(_ port: Int) throws {
    for _ in 0..<1_000 {
      if with(port: port, { connect($0, $1, $2.pointee) == 0 }) != nil { return }
      usleep(10_000)
    }
    throw Tool.Failure(words: "nobody listens at port \(port)")
  }

  /// What a server says to some bytes before it ends the connection; empty where nobody listens.
  static func ask(_ port: Int, _ words: String) -> String {
    var said: [UInt8] = []
    _ = with(port: port) { socket, address, length in
      let bytes = Array(words.utf8)
      guard connect(socket, address, length.pointee) == 0,
        send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
      else { return false }
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while case let count = recv(socket, &buffer, buffer.count, 0), count > 0 {
        said += buffer.prefix(count)
      }
      return true
    }
    return String(decoding: said, as: UTF8.self)
  }

  private static func with(
    port: Int,
    _ body: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Bool
  ) -> Int? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    address.sin_port = UInt16(port).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isDone = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body(descriptor, $0, &length) }
    }
    return isDone ? Int(UInt16(bigEndian: address.sin_port)) : nil
  }
}
