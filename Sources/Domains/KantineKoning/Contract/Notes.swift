import Timekeeping

extension KantineKoning {
  /// What a simulated phone writes down about itself.
  public enum Note: Hashable, Sendable {
    /// The app came to the foreground, in its n-th process, with this identifier.
    case foreground(process: Int, hardwareIdentifier: HardwareID)
    /// The phone decided against a sync at this foreground, and why (KK-72 to KK-74, KK-80).
    case syncSkipped(SyncSkip)
    /// The phone forgot its last sync together with its process (Q1).
    case throttleForgotten
    /// The identifier changed and the data stayed (§5.9).
    indirect case identifierChanged(from: HardwareID, to: HardwareID, heldEnrollments: Int)
    /// The first foreground with a changed identifier, and the enrollments that the phone still holds from before,
    /// except those of clubs whose season ended (KK-07).
    indirect case firstForeground(
      hardwareIdentifier: HardwareID, replacing: HardwareID, heldDeviceIDs: [EnrollmentID])
    /// The app was updated; identifier and data stayed (KK-04).
    case appUpdated(hardwareIdentifier: HardwareID)
    /// The app was deleted and installed again: the data are gone (§5.9).
    indirect case reinstalled(from: HardwareID, to: HardwareID, lostDeviceIDs: [EnrollmentID])
    /// A team or a club was swiped away: it is gone from the phone (KK-82, KK-83).
    indirect case swipedAway(SwipedAway)
    /// The user confirmed "Alles resetten"; whether a call to the backend is to leave: a token is at hand (KK-84), and
    /// the client is not one that loses it (Q3).
    case resetConfirmed(isToCall: Bool)
    /// The phone emptied itself (KK-84).
    case resetLocally(lostDeviceIDs: [EnrollmentID])
    /// An enrollment is shown as Uitgelogd (KK-41).
    case uitgelogd(deviceID: EnrollmentID)
    /// The phone now holds this list of diensten, as it shows them (KK-49, KK-50).
    case listShown([ShownDienst])
    /// By a loop over tenants (Q9 off) these enrollments are not asked for their diensten, which the list lacks.
    case notFetched(deviceIDs: [EnrollmentID])
    /// The user pulled the list down, and these enrollments are to be asked for their diensten (KK-87).
    case pulledToRefresh(deviceIDs: [EnrollmentID])
    /// The installation was built in this way (KK-93, KK-134).
    case installed(BuildScheme)
    /// The user refused notifications, so that iOS gives out no push token (KK-137).
    case notificationsRefused
    /// iOS gave the app this push token, and the app can hand it over; `stableHash` of its text (KK-88).
    case pushTokenGiven(UInt64)
    /// The line that a token update leaves in the log (KK-98).
    indirect case pushTokenLogged(TokenUpdateLine)
    /// A push arrived (KK-91).
    case pushArrived(eventNumber: Int)
    /// What a push makes the phone ask for: the diensten of these enrollments (KK-91).
    case refreshingAfterPush(eventNumber: Int, deviceIDs: [EnrollmentID])
    /// The refresh after a push is over; whether every enrollment was answered (KK-97).
    case refreshedAfterPush(eventNumber: Int, isFresh: Bool)
    /// The user tapped a push, and the app shows something (KK-96, KK-97).
    indirect case pushOpened(PushOpening)
    /// The app reached a phase (KK-33).
    case phase(Phase)
    /// The user stopped trying to enroll (§5.2): the mail was never read, or the club refuses.
    case gaveUpEnrolling
    /// Somebody forged these bytes and will present them as a token; `stableHash` of them, never the bytes.
    case forgedToken(UInt64)
  }

  public enum SyncSkip: String, Hashable, Sendable {
    case tenantInfoFailed, notEnrolled, throttled, teamWithoutCode, noUsableToken
  }

  public enum Phase: String, Hashable, Sendable {
    case launching, onboarding, enrollmentPending, registered
  }

  public struct ShownDienst: Hashable, Sendable {
    public var id: DienstID
    public var startTijd, updatedAt: Instant

    public init(id: DienstID, startTijd: Instant, updatedAt: Instant) {
      (self.id, self.startTijd, self.updatedAt) = (id, startTijd, updatedAt)
    }
  }
}
