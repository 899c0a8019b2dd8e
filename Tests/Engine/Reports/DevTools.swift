import Foundation
import Testing

/// A headless Chromium that is asked over two pipes (the DevTools protocol): what a page's accessibility tree, colours, keyboard and paper
/// are, only a browser knows.
final class DevTools {
  static let path: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    return names.lazy.flatMap { name in folders.lazy.map { "\($0)/\(name)" } }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }()

  struct Failure: Error {
    let what: String
  }

  private let scratch: URL
  private let process = Process()
  private let (input, output): (Int32, Int32)
  private var received: [UInt8] = []
  private var session: String?
  private var last = 0

  init() throws {
    scratch = FileManager.default.temporaryDirectory.appendingPathComponent(
      "pages-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    let (asked, answered) = (scratch.path + "/asked", scratch.path + "/answered")
    guard mkfifo(asked, 0o600) == 0, mkfifo(answered, 0o600) == 0 else {
      throw Failure(what: "no pipes")
    }
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "exec \"$0\" \"$@\" 3<\"$ASKED\" 4>\"$ANSWERED\"", Self.path ?? "chromium",
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--remote-debugging-pipe", "--user-data-dir=" + scratch.path + "/profile",
    ]
    var environment = ProcessInfo.processInfo.environment
    (environment["ASKED"], environment["ANSWERED"]) = (asked, answered)
    process.environment = environment
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    // Neither end waits for the other to be opened.
    (input, output) = (open(asked, O_RDWR), open(answered, O_RDWR | O_NONBLOCK))
    try process.run()
    let target = try call("Target.createTarget", ["url": "about:blank"])
    session =
      try call(
        "Target.attachToTarget", ["targetId": target["targetId"] ?? "", "flatten": true])[
        "sessionId"] as? String
    _ = try call("Page.enable")
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
    close(input)
    close(output)
    try? FileManager.default.removeItem(at: scratch)
  }

  /// - Throws: What the browser says is wrong, and where it says nothing for a minute.
  func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    last += 1
    var message: [String: Any] = ["id": last, "method": method, "params": parameters]
    if let session { message["sessionId"] = session }
    let bytes = try JSONSerialization.data(withJSONObject: message) + [0]
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { write(input, $0.baseAddress! + sent, bytes.count - sent) }
      guard count > 0 else { throw Failure(what: "cannot ask") }
      sent += count
    }
    while true {
      let answer = try next()
      guard answer["id"] as? Int == last else { continue }
      if let error = answer["error"] { throw Failure(what: "\(method): \(error)") }
      return answer["result"] as? [String: Any] ?? [:]
    }
  }

  private func next() throws -> [String: Any] {
    while true {
      if let end = received.firstIndex(of: 0) {
        let message = Data(received[..<end])
        received.removeSubrange(...end)
        return try JSONSerialization.jsonObject(with: message) as? [String: Any] ?? [:]
      }
      var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 60_000) > 0 else { throw Failure(what: "no answer in a minute") }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(output, &buffer, buffer.count)
      guard count > 0 else { throw Failure(what: "the browser went away") }
      received += buffer[..<count]
    }
  }

  /// Shows a page of so many pixels' width.
  func show(
    _ page: [UInt8], width: Int, height: Int = 900, dark: Bool = false, media: String = ""
  ) throws {
    let file = scratch.appendingPathComponent("page.html")
    try Data(page).write(to: file)
    _ = try call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
    _ = try call(
      "Emulation.setEmulatedMedia",
      [
        "media": media,
        "features": [["name": "prefers-color-scheme", "value": dark ? "dark" : "light"]],
      ])
    _ = try call("Page.navigate", ["url": file.absoluteString])
    while try value("document.readyState + location.protocol") as? String != "completefile:" {}
  }

  /// What an expression comes to, as JSON can carry it.
  func value(_ expression: String) throws -> Any? {
    let answer = try call(
      "Runtime.evaluate", ["expression": expression, "returnByValue": true])
    if let fault = answer["exceptionDetails"] { throw Failure(what: "\(fault)") }
    return (answer["result"] as? [String: Any])?["value"]
  }

  func press(_ key: String, code: Int) throws {
    for type in ["rawKeyDown", "char", "keyUp"] {
      var event: [String: Any] = [
        "type": type, "key": key, "code": key, "windowsVirtualKeyCode": code,
      ]
      if key == "Enter", type == "char" { event["text"] = "\r" }
      if type == "char", key != "Enter" { continue }
      _ = try call("Input.dispatchKeyEvent", event)
    }
  }

  struct Node {
    let role: String
    let name: String
    let description: String
  }

  /// What assistive technology is told, everything unfolded.
  func accessibilityTree() throws -> [Node] {
    _ = try value("document.querySelectorAll('details').forEach(d => d.open = true)")
    _ = try call("Accessibility.enable")
    let nodes = try call("Accessibility.getFullAXTree")["nodes"] as? [[String: Any]] ?? []
    return nodes.filter { $0["ignored"] as? Bool != true }.map { node in
      func text(_ name: String) -> String {
        ((node[name] as? [String: Any])?["value"] as? String) ?? ""
      }
      return Node(role: text("role"), name: text("name"), description: text("description"))
    }
  }

  /// Pages of paper.
  func sheets() throws -> Int {
    let answer = try call("Page.printToPDF", ["preferCSSPageSize": true])
    let bytes = Data(base64Encoded: answer["data"] as? String ?? "") ?? Data()
    return String(decoding: bytes, as: UTF8.self).matches(of: /\/Type ?\/Page\b/).count
  }
}
