public import Foundation

/// A request of an app to read single objects of a type. Not part of Apple's API.
public struct ObjectAuthorizationPrompt: Sendable {
    /// An object that the app asks for.
    // `@unchecked Sendable`: `object` is an immutable object.
    public struct Candidate: @unchecked Sendable {
        /// The identifier: the UUID of a sample.
        public let identifier: UUID
        /// The object: a sample, or a medication.
        public let object: NSObject
        /// Whether the app may read the object already.
        public let isGranted: Bool

        /// The object if it is a sample; nil otherwise.
        public var sample: HKSample? { object as? HKSample }
    }

    /// The app that requests access.
    public let app: AppIdentity
    /// The requested type.
    public let type: HKObjectType
    /// The objects that match the app's predicate, in order of start.
    public let candidates: [Candidate]
}

extension AuthorizationPolicy {
    /// Returns this policy with another decision about requests for single objects.
    ///
    /// ```swift
    /// configuration.authorization = .grant.choosingObjects { prompt in
    ///     Set(prompt.candidates.suffix(1).map(\.identifier))   // the latest prescription
    /// }
    /// ```
    /// Without it, the decision for the type applies to all requested objects: granted, denied, or
    /// those that start at a date or later. With ``stored`` and ``assumed`` nobody is prompted, so
    /// the choice is not used.
    ///
    /// - Parameter choice: Returns the identifiers of the objects that the app may read; other
    ///   requested objects are denied, also if they were granted before. Called for each request
    ///   with at least one object, on a background queue; it may block.
    /// - Returns: The policy.
    public func choosingObjects(
        _ choice: @escaping @Sendable (ObjectAuthorizationPrompt) -> Set<UUID>
    ) -> AuthorizationPolicy {
        var policy = self
        policy.objectChoice = choice
        return policy
    }
}
