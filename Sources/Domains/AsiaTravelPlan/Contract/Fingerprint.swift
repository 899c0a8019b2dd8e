import Contracts

extension AsiaTravelPlan {
  /// What the app or the user agent acts on; tokens, codes and cookies stay out.
  public static func fingerprint(of reply: Reply, into digest: inout Digest) {
    switch reply {
    case .loginPage: digest.mix(1)
    case .redirected(let redirect):
      digest.mix(2)
      digest.mix(redirect.target)
      digest.mix(redirect.code != nil)
    case .tokens(let set):
      digest.mix(3)
      digest.mix(set.expiresInSeconds)
      digest.mix(set.refreshExpiresInSeconds)
    case .keys(let set):
      digest.mix(4)
      digest.mix(set.keys.count)
    case .endSessionPage: digest.mix(5)
    case .booking(let detail):
      digest.mix(6)
      digest.mix(detail.booking.id)
      digest.mix(detail.booking.stage.rawValue)
      digest.mix(detail.booking.staff ?? "")
      digest.mix(UInt64(bitPattern: detail.booking.updatedAt.nanoseconds))
      digest.mix(detail.activities?.count ?? -1)
    case .activities(let activities):
      digest.mix(7)
      digest.mix(activities.count)
      for activity in activities { digest.mix(activity.id) }
    case .invoices(let invoices):
      digest.mix(8)
      digest.mix(invoices.count)
      for invoice in invoices {
        digest.mix(invoice.id)
        digest.mix(invoice.version)
      }
    case .done: digest.mix(9)
    }
  }
}
