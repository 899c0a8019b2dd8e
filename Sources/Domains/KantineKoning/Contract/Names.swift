import Contracts

// What things are called. Where an operation takes a team by its code or by its id it takes a `TeamName`: both are of one kind.
public typealias Slug = Name<TenantInfo>
public typealias TeamName = Name<TeamInfo>
public typealias DienstID = Name<Dienst>
public typealias EnrollmentID = Name<EnrollmentStatus>
public typealias BannerID = Name<Banner>
/// The vendor's identifier of an installation; empty when unknown.
public typealias HardwareID = Name<Hardware>
/// What makes an enrollment token one of its own, so that it is used once.
public typealias TokenID = Name<EnrollmentClaims>

/// A phone, of which a backend knows its identifier alone.
public enum Hardware {}
