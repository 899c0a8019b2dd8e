import Foundation
import HTTPLoad
import LoadTargets
import Testing
import Timekeeping

/// Who is trusted, and as whom a call appears: against servers whose certificates the tests' own authority signed.
@Suite(.enabled("the openssl command makes the certificates") { Certificates.isPossible })
final class `A call over TLS` {
  let certificates: Certificates

  init() throws { certificates = try Certificates() }

  deinit { certificates.remove() }

  private func ending(_ url: String, _ tls: HTTPOptions.TLS, times: Int = 2) throws -> [HTTPAnswer]
  {
    try calls(url, times: times, options: HTTPOptions(tls: tls, timeOut: .seconds(20)))
  }

  private var trusting: HTTPOptions.TLS { HTTPOptions.TLS(authorities: certificates.authority()) }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `trusts whom the named authority signed`(host: String) throws {
    let server = try EncryptedServer(certificates, showing: "right")
    let answers = try ending(server.url(host), trusting)
    #expect(answers.map(\.status) == [200, 200], "\(answers.map(\.explanation))")
    #expect(answers.allSatisfy { $0.failure == nil })
  }

  @Test(arguments: ["wrongHost", "expired"])
  func `refuses a certificate that is another's or too old`(name: String) throws {
    let server = try EncryptedServer(certificates, showing: name)
    let answers = try ending(server.url(), trusting)
    #expect(answers.map(\.failure) == [.tls, .tls], "\(answers.map(\.explanation))")
  }

  @Test func `refuses whom another authority signed, and whom nobody knows`() throws {
    let server = try EncryptedServer(certificates, showing: "right")
    let stranger = HTTPOptions.TLS(authorities: certificates.authority("stranger"))
    for tls in [stranger, HTTPOptions.TLS()] {
      #expect(try ending(server.url(), tls).map(\.failure) == [.tls, .tls])
    }
  }

  @Test(arguments: ["right", "wrongHost", "expired"])
  func `takes any certificate where that was asked for`(name: String) throws {
    let server = try EncryptedServer(certificates, showing: name)
    let answers = try ending(server.url(), HTTPOptions.TLS(isInsecure: true))
    #expect(answers.map(\.status) == [200, 200], "\(answers.map(\.explanation))")
  }

  @Test func `shows a certificate of its own where the server demands one`() throws {
    let server = try EncryptedServer(certificates, showing: "right", demandsClient: true)
    let client = HTTPOptions.TLS(
      authorities: certificates.authority(), certificate: certificates.certificate("client"),
      key: certificates.key("client"))
    let answers = try ending(server.url(), client)
    #expect(answers.map(\.status) == [200, 200], "\(answers.map(\.explanation))")
    let without = try ending(server.url(), trusting)
    #expect(without.map(\.failure) == [.tls, .tls], "\(without.map(\.explanation))")
  }

  @Test(.enabled("nginx speaks HTTP/2") { Nginx.isThere }, arguments: [true, false])
  func `shares connections over HTTP 2, with TLS and without`(isEncrypted: Bool) throws {
    let server = try Nginx(isEncrypted ? certificates : nil)
    func connections(_ version: HTTPOptions.Version) throws -> [String: Set<String>] {
      let answers = try calls(
        server.url, times: 400, slots: 32,
        options: HTTPOptions(version: version, tls: trusting, timeOut: .seconds(20), keptBytes: 64))
      #expect(answers.count == 400 && answers.allSatisfy { $0.failure == nil && $0.status == 200 })
      return answers.reduce(into: [:]) { found, answer in
        let words = String(decoding: answer.body, as: UTF8.self).split(separator: " ")
        found[words.last?.trimmingCharacters(in: .newlines) ?? "", default: []].insert(
          String(words.first ?? ""))
      }
    }
    #expect(try connections(.http2).mapValues(\.count) == ["HTTP/2.0": 1])
    // Without TLS this server speaks nothing else.
    guard isEncrypted else { return }
    let apart = try connections(.http1)
    #expect(Array(apart.keys) == ["HTTP/1.1"] && (2...32).contains(apart["HTTP/1.1"]?.count ?? 0))
  }
}
