import Contracts

/// 7.1: where the provider is, which says so itself (OpenID Connect Discovery 1.0 §4).
public struct DiscoveryRequest: Hashable, Sendable {
  public var realm: String
  /// To which host it was sent, as a client of a served provider says.
  public var host: String?

  public init(realm: String = "master", host: String? = nil) {
    (self.realm, self.host) = (realm, host)
  }

  static let shape = Shape(
    DiscoveryRequest.init, Field("realm", \.realm, .text, in: .path),
    Field("Host", \.host, .omittable(.text), in: .header))
}

public struct Discovery: Hashable, Sendable {
  public var issuer: String
  public var authorizationEndpoint: String
  public var tokenEndpoint: String
  public var endSessionEndpoint: String
  public var keySetAddress: String

  public init(
    issuer: String, authorizationEndpoint: String, tokenEndpoint: String,
    endSessionEndpoint: String, keySetAddress: String
  ) {
    (self.issuer, self.authorizationEndpoint, self.tokenEndpoint) = (
      issuer, authorizationEndpoint, tokenEndpoint
    )
    (self.endSessionEndpoint, self.keySetAddress) = (endSessionEndpoint, keySetAddress)
  }

  /// What the simulated provider says of itself.
  public init(issuer: String) {
    let place = issuer + "/protocol/openid-connect/"
    self.init(
      issuer: issuer, authorizationEndpoint: place + "auth", tokenEndpoint: place + "token",
      endSessionEndpoint: place + "logout", keySetAddress: place + "certs")
  }

  /// Addresses differ from server to server: none of them is part of a digest.
  static let shape = Shape(
    Discovery.init, Field("issuer", \.issuer, .text.undigested),
    Field("authorization_endpoint", \.authorizationEndpoint, .text.undigested),
    Field("token_endpoint", \.tokenEndpoint, .text.undigested),
    Field("end_session_endpoint", \.endSessionEndpoint, .text.undigested),
    Field("jwks_uri", \.keySetAddress, .text.undigested)
      .then("response_types_supported", .strings, isChecked: false) { _ in ["code"] }
      .then("response_modes_supported", .strings, isChecked: false) { _ in ["query"] }
      .then("grant_types_supported", .strings, isChecked: false) { _ in
        ["authorization_code", "refresh_token"]
      }
      .then("subject_types_supported", .strings, isChecked: false) { _ in ["public"] }
      .then("id_token_signing_alg_values_supported", .strings, isChecked: false) { _ in
        ["RS256"]
      }
      .then("code_challenge_methods_supported", .strings, isChecked: false) { _ in ["S256"] }
      .then("token_endpoint_auth_methods_supported", .strings, isChecked: false) { _ in
        ["none", "client_secret_basic", "client_secret_post"]
      }
      .then("scopes_supported", .strings, isChecked: false) { _ in
        ["openid", "profile", "email"]
      })
}
