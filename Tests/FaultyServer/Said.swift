/// Answers that are the same bytes each time, and whether the connection ends behind them.
struct Said {
  let text: String
  var isLast = false

  private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

  private static func length(_ length: String, _ body: String, isLast: Bool = false) -> Said {
    Said(text: "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n\(body)", isLast: isLast)
  }

  static let all: [String: Said] = [
    "redirect": Said(text: "HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 0\r\n\r\n"),
    "closes": Said(text: "", isLast: true),
    "closes-mid-header": Said(text: "HTTP/1.1 200 OK\r\nContent-Le", isLast: true),
    "closes-mid-body": length("100", String(repeating: "x", count: 50), isLast: true),
    "header-only": length("5", ""),
    "length-too-long": length("100", "ok\n"),
    "length-too-short": length("2", "ok, and more than was announced"),
    "length-no-number": length("many", "ok\n"),
    "length-negative": length("-3", "ok\n"),
    "length-beyond-numbers": length("99999999999999999999", "ok\n", isLast: true),
    "length-far-too-long": length("9223372036854775807", "ok\n", isLast: true),
    "lengths-differ": length("5\r\nContent-Length: 3", "ok\n"),
    "lengths-differ-in-a-list": length("3, 5", "ok\n"),
    "lengths-agree-in-a-list": length("3, 3", "ok\n"),
    "length-with-a-sign": length("+3", "ok\n"),
    "length-in-letters": length("0x3", "ok\n"),
    "closes-mid-status": Said(text: "HTTP/1.1 20", isLast: true),
    "lengths-agree": length("3\r\nContent-Length: 3", "ok\n"),
    "length-and-chunks": Said(
      text: "HTTP/1.1 200 OK\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3\r\nok\n\r\n0\r\n\r\n"),
    "chunked": Said(text: chunked + "3\r\nok\n\r\n0\r\nX-Trailer: 1\r\n\r\n"),
    "chunked-garbage": Said(text: chunked + "this is no length\r\nxx\r\n0\r\n\r\n"),
    "chunked-cut": Said(text: chunked + "5\r\nhello\r\n", isLast: true),
    "chunked-too-large": Said(text: chunked + "FFFFFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n"),
    "chunked-wrong-size": Said(text: chunked + "3\r\nhello\r\n0\r\n\r\n"),
    "chunked-negative": Said(text: chunked + "-5\r\nhello\r\n0\r\n\r\n"),
    "chunked-without-end": Said(text: chunked + "5\r\nhello\r\n"),
    "continue-first": Said(
      text: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        + "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n"),
    "switches": Said(
      text: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: upgrade\r\n\r\n"),
    "nothing-with-body": Said(text: "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello"),
    "unchanged-with-body": Said(
      text: "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nhello"),
    "no-http": Said(text: "220 mail.example ESMTP\r\n", isLast: true),
    "binary": Said(
      text: String(String.UnicodeScalarView((0..<128).compactMap { Unicode.Scalar($0) })),
      isLast: true),
    "http-0.9": Said(text: "<html>ok</html>\n", isLast: true),
    "no-status": Said(text: "HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n"),
    "status-of-four": Said(text: "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n"),
    "other-version": Said(text: "HTTP/7.3 200 OK\r\nContent-Length: 0\r\n\r\n", isLast: true),
    "header-without-colon": Said(
      text: "HTTP/1.1 200 OK\r\nthis is no header\r\nContent-Length: 3\r\n\r\nok\n"),
    "header-with-zero": Said(
      text: "HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 3\r\n\r\nok\n"),
    "packed": Said(
      text: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 8\r\n\r\nnot gzip"),
    "without-length": Said(text: "HTTP/1.1 200 OK\r\n\r\nok\n", isLast: true),
    "http-1.0": Said(text: "HTTP/1.0 200 OK\r\n\r\nok\n", isLast: true),
  ]
}
