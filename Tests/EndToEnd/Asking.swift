import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The status of an answer to a POST.
func post(_ server: URL, _ path: String, _ body: String) async throws -> Int {
  var request = URLRequest(url: server.appendingPathComponent(path), timeoutInterval: 60)
  request.httpMethod = "POST"
  request.httpBody = Data(body.utf8)
  let (_, response) = try await URLSession.shared.data(for: request)
  return (response as? HTTPURLResponse)?.statusCode ?? 0
}

/// The text of an answer.
func text(_ server: URL, _ path: String, method: String = "GET") async throws -> String {
  var request = URLRequest(url: server.appendingPathComponent(path), timeoutInterval: 60)
  request.httpMethod = method
  let (data, _) = try await URLSession.shared.data(for: request)
  return String(decoding: data, as: UTF8.self)
}
