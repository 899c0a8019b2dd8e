import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

// Sign-ins with an identity of one's own (§3.8).
extension Adversary {
  /// Asks with any credential.
  @discardableResult
  func ask(
    _ request: MimiSupply.Request, with credential: MimiSupply.Credential,
    _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Outcome<MimiSupply> {
    try await pause(me)
    return try await me.ask(request, with: credential)
  }

  /// Signs in, if nothing else is said as a customer; `nil` when it was refused or lost.
  func enter(
    _ apple: String, on device: DeviceName, role: String = "customer", _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> SignInAnswer? {
    let letters = Array("0123456789abcdefghijklmnopqrstuvwxyz-._")
    let nonce = String((0..<32).map { _ in me.draw(.mischief) { $0.pick(letters) } })
    let hash = tokens.sha256(Array(nonce.utf8)).map { byte in
      let digits = String(byte, radix: 16)
      return byte < 16 ? "0" + digits : digits
    }.joined()
    let asked = SignIn(
      identityToken: "sim.\(apple).\(hash).\(me.now.unixMilliseconds)", nonce: nonce,
      deviceID: device, role: role)
    let outcome = try await ask(
      .signIn(asked), with: MimiSupply.Credential(apiToken: "mimi-app", deviceID: device), me)
    if case .signedIn(let answer)? = outcome.reply?.content { return answer }
    return nil
  }
}
