public import Foundation

/// How authorization requests of apps are decided. Not part of Apple's API.
///
/// ```swift
/// var configuration = HealthStoreConfiguration()
/// configuration.authorization = .types([HKQuantityType(.heartRate): .denied])  // all else granted
/// let store = HKHealthStore.inMemory(configuration: configuration)
/// ```
/// As on a device, nothing is granted before a request, and a decided request is not repeated
/// (Semantics §8). The policy ``assumed`` is the exception.
public struct AuthorizationPolicy: Sendable {
    enum Rule: Sendable {
        case custom(@Sendable (AuthorizationPrompt) -> AuthorizationDecision)
        case stored
        case assumed
    }

    let rule: Rule
    /// Chooses single objects; nil decides by the decision for their type.
    var objectChoice: (@Sendable (ObjectAuthorizationPrompt) -> Set<UUID>)?

    private init(rule: Rule) { self.rule = rule }

    /// Grants every request.
    public static let grant = custom { _ in .granted }
    /// Denies every request.
    public static let deny = custom { _ in .denied }
    /// Uses the permissions that the owner of the store set with `openhealth grants`; nobody is
    /// prompted.
    ///
    /// A request for an undecided type fails with `errorAuthorizationNotDetermined`. The error
    /// lists the missing grants.
    public static let stored = AuthorizationPolicy(rule: .stored)
    /// Permits all access, also without a request. For programs that act as devices and write data
    /// for a person.
    public static let assumed = AuthorizationPolicy(rule: .assumed)

    /// A policy with a fixed decision for each type.
    ///
    /// - Parameters:
    ///   - decisions: The decision for each listed type.
    ///   - others: The decision for types that are not listed.
    /// - Returns: The policy.
    public static func types(
        _ decisions: [HKObjectType: AuthorizationDecision], others: AuthorizationDecision = .granted
    ) -> AuthorizationPolicy {
        custom { decisions[$0.type] ?? others }
    }

    /// A policy that calls a closure for each type with a requested access that has no decision
    /// yet.
    ///
    /// - Parameter decision: Returns the decision for one type. Called on a background queue; it
    ///   may block and may save samples.
    /// - Returns: The policy.
    public static func custom(
        _ decision: @escaping @Sendable (AuthorizationPrompt) -> AuthorizationDecision
    ) -> AuthorizationPolicy {
        AuthorizationPolicy(rule: .custom(decision))
    }
}

/// A request of an app for one type. Not part of Apple's API.
public struct AuthorizationPrompt: Sendable {
    /// The app that requests access.
    public let app: AppIdentity
    /// The requested type.
    public let type: HKObjectType
    /// The requested accesses that have no decision yet.
    public let accesses: Set<HealthDataAccess>
}

/// A kind of access to a type. Not part of Apple's API.
public enum HealthDataAccess: String, Hashable, Sendable, CaseIterable {
    case share, read
}

/// The decision about a request for one type. The decision about an access that was not requested
/// is ignored. Not part of Apple's API.
public struct AuthorizationDecision: Hashable, Sendable {
    /// Whether the app may save samples of the type and see its own samples.
    public enum Sharing: Hashable, Sendable { case denied, granted }

    /// What the app may read. If the app may share the type, it can also read all of its own
    /// samples.
    public enum Reading: Hashable, Sendable {
        /// No samples. Queries succeed, so the app cannot detect the denial.
        case denied
        case granted
        /// Samples that start at this date or later (Semantics §8.9).
        case since(Date)
    }

    /// Whether the app may save samples of the type and see its own samples.
    public var sharing: Sharing
    /// What the app may read. If the app may share the type, it can also read all of its own
    /// samples.
    public var reading: Reading

    public init(sharing: Sharing, reading: Reading) {
        self.sharing = sharing
        self.reading = reading
    }

    /// Grants sharing and reading.
    public static let granted = AuthorizationDecision(sharing: .granted, reading: .granted)
    /// Denies sharing and reading.
    public static let denied = AuthorizationDecision(sharing: .denied, reading: .denied)
    /// Grants reading only.
    public static let readOnly = AuthorizationDecision(sharing: .denied, reading: .granted)
    /// Grants sharing only: the app sees only its own samples.
    public static let shareOnly = AuthorizationDecision(sharing: .granted, reading: .denied)
}
