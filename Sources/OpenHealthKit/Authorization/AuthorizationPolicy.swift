public import Foundation

/// Who answers when an app asks to save or read. Not Apple's.
///
/// ```swift
/// var configuration = HealthStoreConfiguration()
/// configuration.authorization = .types([HKQuantityType(.heartRate): .denied])  // all else granted
/// let store = HKHealthStore.inMemory(configuration: configuration)
/// ```
/// As on a phone nothing is granted before it is asked for, and what was answered once isn't asked
/// again (Semantics §8).
public struct AuthorizationPolicy: Sendable {
    enum Rule: Sendable {
        case ask(@Sendable (AuthorizationQuestion) -> AuthorizationAnswer)
        case stored
        case assumed
    }

    let rule: Rule

    /// Everything that is asked for is granted.
    public static let grant = asking { _ in .granted }
    /// Everything is denied.
    public static let deny = asking { _ in .denied }
    /// What the store's owner allowed with `openhealth grants`; nobody is asked.
    ///
    /// Asking for what the owner hasn't decided fails, and names the command that would allow it.
    public static let stored = AuthorizationPolicy(rule: .stored)
    /// Everything is allowed, also without asking: for programs that play devices.
    public static let assumed = AuthorizationPolicy(rule: .assumed)

    /// Answers type by type.
    ///
    /// - Parameter others: The answer for types that aren't listed.
    public static func types(
        _ answers: [HKObjectType: AuthorizationAnswer], others: AuthorizationAnswer = .granted
    ) -> AuthorizationPolicy {
        asking { answers[$0.type] ?? others }
    }

    /// Asks a closure, on a background queue, once for each type that wasn't answered before.
    public static func asking(
        _ answer: @escaping @Sendable (AuthorizationQuestion) -> AuthorizationAnswer
    ) -> AuthorizationPolicy {
        AuthorizationPolicy(rule: .ask(answer))
    }
}

/// What an app asks about one type. Not Apple's.
public struct AuthorizationQuestion: Sendable {
    /// Who asks.
    public let app: AppIdentity
    /// The type.
    public let type: HKObjectType
    /// Whether it asks to save, to read, or both.
    public let accesses: Set<HealthDataAccess>
}

/// Something an app can be allowed to do with a type. Not Apple's.
public enum HealthDataAccess: String, Hashable, Sendable, CaseIterable {
    case share, read
}

/// What a person answers about one type; only what was asked counts. Not Apple's.
public struct AuthorizationAnswer: Hashable, Sendable {
    /// Whether the app may save samples of the type, and see its own.
    public enum Sharing: Hashable, Sendable { case denied, granted }

    /// What the app may read of other sources.
    public enum Reading: Hashable, Sendable {
        /// Nothing; the app doesn't learn that it isn't allowed to.
        case denied
        case granted
        /// Samples that start at a date or later (§8.9).
        case since(Date)
    }

    public var sharing: Sharing
    public var reading: Reading

    public init(sharing: Sharing, reading: Reading) {
        self.sharing = sharing
        self.reading = reading
    }

    /// Both.
    public static let granted = AuthorizationAnswer(sharing: .granted, reading: .granted)
    /// Neither.
    public static let denied = AuthorizationAnswer(sharing: .denied, reading: .denied)
    /// Reading alone.
    public static let readOnly = AuthorizationAnswer(sharing: .denied, reading: .granted)
    /// Saving alone: the app sees its own samples.
    public static let shareOnly = AuthorizationAnswer(sharing: .granted, reading: .denied)
}
