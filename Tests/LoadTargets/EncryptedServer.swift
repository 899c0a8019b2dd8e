import Foundation

/// A server over TLS of the openssl command's own, which answers every request with a page; one connection at a time.
public final class EncryptedServer {
  private let process: Process
  public let port: Int

  /// - Parameters:
  ///   - name: Which certificate it shows.
  ///   - demandsClient: Whether whoever calls has to show one, too.
  public init(_ certificates: Certificates, showing name: String, demandsClient: Bool = false)
    throws
  {
    port = try FreePort.find()
    process = try Tool.process(
      "openssl",
      ["s_server", "-accept", "127.0.0.1:\(port)", "-www", "-quiet"]
        + ["-cert", certificates.certificate(name), "-key", certificates.key(name)]
        + (demandsClient
          ? ["-Verify", "1", "-verify_return_error", "-CAfile", certificates.authority()] : []))
    try process.run()
    try FreePort.waitUntilTaken(port)
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  public func url(_ host: String = "127.0.0.1") -> String { "https://\(host):\(port)/" }
}

/// nginx with HTTP/2 over TLS; each answer says over which connection it came, and as which of its requests.
public final class Nginx {
  private let process: Process
  private let folder: URL
  public let port: Int

  public static var isThere: Bool { Tool.path("nginx") != nil }

  public init(_ certificates: Certificates) throws {
    port = try FreePort.find()
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("nginx-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (place, file) = (folder.path, folder.appendingPathComponent("nginx.conf").path)
    try """
    worker_processes 1; daemon off; master_process off; pid \(place)/pid; error_log \(place)/log;
    events { worker_connections 512; }
    http { access_log off; keepalive_requests 1000000;
      client_body_temp_path \(place); proxy_temp_path \(place); fastcgi_temp_path \(place);
      uwsgi_temp_path \(place); scgi_temp_path \(place);
      server { listen 127.0.0.1:\(port) ssl http2;
        ssl_certificate \(certificates.certificate("right")); ssl_certificate_key \(certificates.key("right"));
        location / { return 200 "$connection $server_protocol\\n"; } } }

    """.write(toFile: file, atomically: true, encoding: .utf8)
    process = try Tool.process("nginx", ["-c", file, "-e", place + "/log", "-p", place])
    try process.run()
    try FreePort.waitUntilTaken(port)
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    do { try FileManager.default.removeItem(at: folder) } catch {
      print("left behind: \(folder.path)")
    }
  }

  public var url: String { "https://127.0.0.1:\(port)/" }
}

/// Ports for servers that have to be told theirs.
enum FreePort {
  /// One that nobody has at this moment.
  static func find() throws -> Int {
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
