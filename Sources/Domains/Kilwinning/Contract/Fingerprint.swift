import Contracts

extension Kilwinning {
  /// What a device shows or acts on; the token stays out.
  public static func fingerprint(of reply: Reply, into digest: inout Digest) {
    switch reply {
    case .loggedIn(let login):
      digest.mix(1)
      mix(login.user, into: &digest)
      digest.mix(UInt64(bitPattern: login.expiresAt.nanoseconds))
    case .fratello(let fratello):
      digest.mix(2)
      mix(fratello, into: &digest)
    case .presenze(let presenze):
      digest.mix(3)
      digest.mix(presenze.count)
      for presenza in presenze {
        digest.mix(presenza.fratelloID)
        digest.mix(presenza.tornataID)
        digest.mix(presenza.status.rawValue)
        digest.mix(UInt64(bitPattern: presenza.confirmedAt?.nanoseconds ?? 0))
      }
    case .confirmed(let answer):
      digest.mix(4)
      digest.mix(answer.oltreTermine)
    }
  }

  private static func mix(_ fratello: Fratello, into digest: inout Digest) {
    digest.mix(fratello.id)
    digest.mix(fratello.grado.rawValue)
    digest.mix(fratello.adminAccess)
  }
}
