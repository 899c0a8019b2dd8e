import Contracts

extension KantineKoning {
  /// Everything of a reply that a phone shows or acts on; no token. Generated identifiers come from the twin's
  /// own stream and belong to it.
  public static func fingerprint(of reply: Reply, into digest: inout Digest) {
    switch reply {
    case .allowedTeams(let teams), .teams(let teams):
      digest.mix(1)
      mix(teams, into: &digest)
    case .emailSent: digest.mix(2)
    case .registered(let answer):
      digest.mix(3)
      digest.mix(answer.deviceID)
      digest.mix(answer.tenantSlug)
      mix(answer.teams, into: &digest)
    case .synced(let summary):
      digest.mix(4)
      digest.mix(summary.enrollmentsRevoked)
      digest.mix(summary.teamsRemoved)
      for slug in summary.tenantsAffected { digest.mix(slug) }
    case .status(let status):
      digest.mix(5)
      digest.mix(status.deviceID)
      digest.mix(status.teamCodes.count)
    case .tenants(let tenants):
      digest.mix(6)
      for tenant in tenants {
        digest.mix(tenant.slug)
        digest.mix(tenant.seasonEnded)
        mix(tenant.teams, into: &digest)
      }
    case .diensten(let diensten):
      digest.mix(7)
      digest.mix(diensten.count)
      for dienst in diensten { mix(dienst, into: &digest) }
    case .dienst(let dienst):
      digest.mix(8)
      mix(dienst, into: &digest)
    case .teamsRemoved(let removal):
      digest.mix(20)
      digest.mix(removal.removed)
      for code in removal.teamCodes { digest.mix(code) }
    case .enrollmentsRevoked(let count):
      digest.mix(21)
      digest.mix(count)
    case .emailPreferences(let preferences):
      digest.mix(22)
      for preference in preferences {
        digest.mix(preference.teamCode)
        digest.mix(preference.emailEnabled)
      }
    case .apnsTokenUpdated(let count):
      digest.mix(23)
      digest.mix(count)
    case .transfer(let transfer):
      digest.mix(24)
      mix(transfer.dienst, into: &digest)
    case .foundEnrollments(let found):
      digest.mix(25)
      for enrollment in found { digest.mix(enrollment.deviceID) }
    case .apnsEnvironment(let variables):
      digest.mix(26)
      digest.mix(variables.forceEnv ?? "")
      digest.mix(variables.env ?? "")
    case .pushDeliveries(let deliveries):
      digest.mix(27)
      for delivery in deliveries { mix(delivery, into: &digest) }
    case .notices(let notices):
      digest.mix(28)
      digest.mix(notices.count)
    case .clubs(let clubs):
      digest.mix(30)
      digest.mix(clubs.count)
      for club in clubs { club.mix(into: &digest) }
    case .leaderboard(let board):
      digest.mix(31)
      board.mix(into: &digest)
    case .globalLeaderboard(let board):
      digest.mix(32)
      board.mix(into: &digest)
    case .banners(let lists):
      digest.mix(33)
      lists.mix(into: &digest)
    case .seasonSummary(let summary):
      digest.mix(34)
      summary.mix(into: &digest)
    case .done: digest.mix(9)
    case .made(let made):
      digest.mix(35)
      digest.mix(made.id)
    case .outbox(let mails):
      digest.mix(10)
      digest.mix(mails.count)
    case .enrollmentList(let listing):
      digest.mix(12)
      for entry in listing.entries { digest.mix(entry.text) }
    case .inspection(let inspection):
      digest.mix(11)
      digest.mix(inspection.enrollments.count)
      for enrollment in inspection.enrollments {
        digest.mix(enrollment.deviceID)
        digest.mix(enrollment.teamCodes.count)
        digest.mix(enrollment.isActive)
      }
      for delivery in inspection.deliveries { mix(delivery, into: &digest) }
      for device in inspection.gone { digest.mix(device) }
      digest.mix(inspection.extent.look)
    }
  }

  private static func mix(_ teams: [TeamInfo], into digest: inout Digest) {
    digest.mix(teams.count)
    for team in teams { digest.mix(team.code) }
  }

  private static func mix(_ delivery: PushDelivery, into digest: inout Digest) {
    digest.mix(delivery.number)
    digest.mix(delivery.deviceID)
    digest.mix(delivery.result?.rawValue ?? "")
  }

  /// A dienst by its identifier and its version: `updated_at` changes with every mutation (KK-52).
  private static func mix(_ dienst: Dienst, into digest: inout Digest) {
    digest.mix(dienst.id)
    digest.mix(UInt64(bitPattern: dienst.updatedAt.nanoseconds))
    digest.mix(dienst.aanmeldingen.count)
  }
}
