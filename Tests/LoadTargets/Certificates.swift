import Foundation

/// A certificate authority of the tests' own, made by the openssl command, and what it signed.
public struct Certificates {
  public let folder: URL

  /// Whether there is an openssl command to make them.
  public static var isPossible: Bool { Tool.path("openssl") != nil }

  /// The authority's own certificate, by its name.
  public func authority(_ name: String = "authority") -> String { file(name + ".pem") }
  public func certificate(_ name: String) -> String { file(name + ".pem") }
  public func key(_ name: String) -> String { file(name + ".key") }

  /// `right`, `wrongHost` and `expired` for servers, `client` for clients, all signed by `authority`; `stranger` is another authority.
  public init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("certificates-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["authority", "stranger"] {
      try openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
        "3", "-subj", "/CN=\(name)",
        "-addext", "basicConstraints=critical,CA:TRUE", "-keyout", key(name), "-out",
        authority(name))
    }
    try configuration.write(toFile: file("ca.cnf"), atomically: true, encoding: .utf8)
    try "".write(toFile: file("index.txt"), atomically: true, encoding: .utf8)
    try "01\n".write(toFile: file("serial"), atomically: true, encoding: .utf8)
    try sign("right", "IP:127.0.0.1,DNS:localhost")
    try sign("wrongHost", "DNS:elsewhere.invalid")
    try sign("client", "DNS:client.invalid")
    try sign(
      "expired", "IP:127.0.0.1", "-startdate", "20200101000000Z", "-enddate", "20200102000000Z")
  }

  public func remove() {
    do { try FileManager.default.removeItem(at: folder) } catch {
      print("left behind: \(folder.path)")
    }
  }

  private func sign(_ name: String, _ hosts: String, _ dates: String...) throws {
    try openssl(
      "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
      "/CN=\(name)", "-keyout", key(name),
      "-out", file(name + ".csr"))
    try "subjectAltName=\(hosts)\n".write(
      toFile: file(name + ".ext"), atomically: true, encoding: .utf8)
    try openssl(
      ["ca", "-batch", "-notext", "-config", file("ca.cnf"), "-in", file(name + ".csr")]
        + ["-extfile", file(name + ".ext"), "-out", certificate(name)]
        + (dates.isEmpty ? ["-days", "3"] : dates))
  }

  private var configuration: String {
    """
    [ca]
    default_ca = own
    [own]
    database = \(file("index.txt"))
    new_certs_dir = \(folder.path)
    serial = \(file("serial"))
    certificate = \(authority())
    private_key = \(key("authority"))
    default_md = sha256
    policy = any
    unique_subject = no
    [any]
    commonName = supplied

    """
  }

  private func file(_ name: String) -> String { folder.appendingPathComponent(name).path }
  private func openssl(_ arguments: String...) throws { try openssl(arguments) }
  private func openssl(_ arguments: [String]) throws { try Tool.run("openssl", arguments) }
}

/// Commands of the machine that tests use where they are installed.
enum Tool {
  struct Failure: Error { let words: String }

  static func path(_ name: String) -> URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return (folders.map(String.init) + ["/usr/sbin", "/usr/bin"]).lazy
      .map { URL(fileURLWithPath: $0).appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  static func process(_ name: String, _ arguments: [String]) throws -> Process {
    guard let path = path(name) else { throw Failure(words: "there is no \(name)") }
    let process = Process()
    process.executableURL = path
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }

  static func run(_ name: String, _ arguments: [String]) throws {
    let process = try process(name, arguments)
    // A file and no pipe: whoever is started meanwhile would hold the pipe open.
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("said-" + UUID().uuidString).path
    _ = FileManager.default.createFile(atPath: place, contents: nil)
    defer { unlink(place) }
    process.standardError = FileHandle(forWritingAtPath: place)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      let words = String(
        decoding: FileManager.default.contents(atPath: place) ?? Data(), as: UTF8.self)
      throw Failure(words: "\(name): \(words)")
    }
  }
}
