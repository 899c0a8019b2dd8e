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
    port = try Loopback.findPort()
    process = try Tool.process(
      "openssl",
      ["s_server", "-accept", "127.0.0.1:\(port)", "-www", "-quiet"]
        + ["-cert", certificates.certificate(name), "-key", certificates.key(name)]
        + (demandsClient
          ? ["-Verify", "1", "-verify_return_error", "-CAfile", certificates.authority()] : []))
    try process.run()
    try Loopback.waitUntilTaken(port)
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  public func url(_ host: String = "127.0.0.1") -> String { "https://\(host):\(port)/" }
}

/// nginx with HTTP/2, over TLS or without; each answer says over which connection it came, and as which of its requests.
public final class Nginx {
  private let process: Process
  private let folder: URL
  public let port: Int
  private let scheme: String

  public static var isThere: Bool { Tool.path("nginx") != nil }

  /// - Parameter certificates: `nil` for one that speaks HTTP/2 alone, without TLS and without being asked.
  public init(_ certificates: Certificates?) throws {
    scheme = certificates == nil ? "http" : "https"
    let security =
      certificates.map {
        "ssl_certificate \($0.certificate("right")); ssl_certificate_key \($0.key("right"));"
      } ?? ""
    port = try Loopback.findPort()
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
      server { listen 127.0.0.1:\(port)\(certificates == nil ? "" : " ssl") http2; \(security)
        location / { return 200 "$connection $server_protocol\\n"; } } }

    """.write(toFile: file, atomically: true, encoding: .utf8)
    process = try Tool.process("nginx", ["-c", file, "-e", place + "/log", "-p", place])
    try process.run()
    try Loopback.waitUntilTaken(port)
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    do { try FileManager.default.removeItem(at: folder) } catch {
      print("left behind: \(folder.path)")
    }
  }

  public var url: String { "\(scheme)://127.0.0.1:\(port)/" }
}
