import Foundation
import HealthEngine
import HealthStorage

// Authorization requests and their decisions.
extension HKHealthStore {
    func performAuthorizationRequest(
        toShare share: Set<HKSampleType>, read: Set<HKObjectType>,
        _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        // Not on the write queue: a policy may block, and may save samples itself.
        handle { [self] in
            do {
                try request(share, read)
                completion(true, nil)
            } catch {
                completion(false, HKError(reporting: error))
            }
        }
    }

    /// Decides the undetermined accesses of a request. Blocks until the policy has decided.
    func request(_ share: Set<HKSampleType>, _ read: Set<HKObjectType>) throws(HKError) {
        _ = try connection.store
        try requireRequestable(share, read)
        try decide(share, read)
    }

    /// Asks the policy about accesses that were not decided yet.
    private func decide(_ share: Set<HKSampleType>, _ read: Set<HKObjectType>) throws(HKError) {
        let undetermined = try undetermined(share, read)
        guard !undetermined.isEmpty else { return }
        switch configuration.authorization.rule {
        case .assumed: return
        case .stored:
            let (share, read) = (undetermined.share.sortedByName, undetermined.read.sortedByName)
            let missing = MissingGrant(
                app: identity.bundleIdentifier, share: share.map(\.shortName),
                read: read.map(\.shortName))
            connection.diagnostics.record(.authorizationNotDetermined(missing))
            throw HKError(
                .errorAuthorizationNotDetermined,
                "The permissions of \(identity.name) have not been decided yet.", missing: missing)
        case .custom(let decision):
            for type in undetermined.types {
                let accesses = undetermined.accesses(to: type)
                let decision = decision(
                    AuthorizationPrompt(app: identity, type: type, accesses: accesses))
                try record(decision, for: type, accesses)
            }
        }
    }

    /// Rejects a request without types (Semantics §8.13) and requests for types that cannot be
    /// requested (Semantics §8.5, §8.12).
    ///
    /// - Throws: `errorInvalidArgument`. In strict mode, a type that cannot be requested ends the
    ///   process.
    private func requireRequestable(
        _ share: Set<HKSampleType>, _ read: Set<HKObjectType>
    ) throws(HKError) {
        guard !share.isEmpty || !read.isEmpty else {
            throw HKError(.errorInvalidArgument, "No types requested: both sets are empty.")
        }
        let unsharable = share.filter { !AuthorizationTypes.canShare($0) }
        guard unsharable.isEmpty else {
            throw connection.misuseError(
                HKError(
                    .errorInvalidArgument,
                    "Authorization to share the following types is disallowed: "
                        + unsharable.names))
        }
        let unreadable = read.filter { !AuthorizationTypes.canRead($0) }
        guard unreadable.isEmpty else {
            throw connection.misuseError(
                HKError(
                    .errorInvalidArgument,
                    "Authorization to read the following types is disallowed: "
                        + unreadable.names))
        }
    }

    private struct UndeterminedRequest {
        var share: Set<HKSampleType> = []
        var read: Set<HKObjectType> = []

        var isEmpty: Bool { share.isEmpty && read.isEmpty }
        var types: [HKObjectType] { read.union(share).sortedByName }

        func accesses(to type: HKObjectType) -> Set<HealthDataAccess> {
            var accesses: Set<HealthDataAccess> = []
            if share.contains(where: { $0 == type }) { accesses.insert(.share) }
            if read.contains(type) { accesses.insert(.read) }
            return accesses
        }
    }

    private func undetermined(
        _ share: Set<HKSampleType>, _ read: Set<HKObjectType>
    ) throws(HKError) -> UndeterminedRequest {
        var request = UndeterminedRequest()
        for type in share where try permission(for: type).share == .notDetermined {
            request.share.insert(type)
        }
        for type in read where try permission(for: type).read == .notDetermined {
            request.read.insert(type)
        }
        return request
    }

    func requestStatus(
        toShare share: Set<HKSampleType>, read: Set<HKObjectType>,
        _ completion: @escaping @Sendable (HKAuthorizationRequestStatus, (any Error)?) -> Void
    ) {
        handle { [self] in
            do {
                try requireRequestable(share, read)
                let isDetermined = try undetermined(share, read).isEmpty
                completion(isDetermined ? .unnecessary : .shouldRequest, nil)
            } catch {
                completion(.unknown, error)
            }
        }
    }
}

extension HKHealthStore {
    /// Sets the stored decision about the access of the handle's app to types, as the Settings app
    /// does on a device. Not part of Apple's API.
    ///
    /// ```swift
    /// try store.setAuthorization(.readOnly, for: [HKQuantityType(.stepCount)])  // sharing revoked
    /// ```
    /// - Parameters:
    ///   - decision: The decision for sharing and reading; nil resets the types to never requested.
    ///   - types: The types to change. Each is written in its own transaction, so an error can
    ///     leave some of them changed.
    /// - Throws: `HKError` if the store cannot be opened or written, or for a type that is neither
    ///   in the catalogue nor in the store.
    public func setAuthorization(
        _ decision: AuthorizationDecision?, for types: Set<HKObjectType>
    ) throws {
        for type in types {
            if let decision {
                try record(decision, for: type, [.share, .read])
            } else {
                try storeAuthorization(AuthorizationRow(), for: type)
            }
        }
    }

    /// Stores the decision for the given accesses to a type; other accesses are unchanged.
    private func record(
        _ decision: AuthorizationDecision, for type: HKObjectType, _ accesses: Set<HealthDataAccess>
    ) throws(HKError) {
        try connection.authorizationLock { _ throws(HKError) in
            var permission = try permissions()[try code(of: type)] ?? AuthorizationRow()
            permission.apply(decision, to: accesses)
            try storeAuthorization(permission, for: type)
        }
    }
}

extension AuthorizationRow {
    /// Applies the decision to the given accesses; other accesses are unchanged.
    fileprivate mutating func apply(
        _ decision: AuthorizationDecision, to accesses: Set<HealthDataAccess>
    ) {
        if accesses.contains(.share) {
            share = decision.sharing == .granted ? .granted : .denied
        }
        if accesses.contains(.read) {
            earliest = nil
            switch decision.reading {
            case .denied: read = .denied
            case .granted: read = .granted
            case .since(let date):
                read = .granted
                earliest = date.timeIntervalSinceReferenceDate
            }
        }
    }
}

extension HKHealthStore {
    func storeAuthorization(_ row: AuthorizationRow, for type: HKObjectType) throws(HKError) {
        let store = try connection.store
        let code = try code(of: type)
        try translatingErrors {
            try store.setAuthorization([code: row], of: identity.bundleIdentifier)
        }
    }

    /// Returns the grants that the store's owner would have to add for these types; nil unless the
    /// policy is `.stored`.
    func missing(share: [HKSampleType] = [], read: [HKObjectType] = []) -> MissingGrant? {
        guard case .stored = configuration.authorization.rule else { return nil }
        return MissingGrant(
            app: identity.bundleIdentifier, share: share.map(\.shortName),
            read: read.map(\.shortName))
    }
}

extension HKObjectType {
    /// The catalogue name, such as "stepCount"; the identifier if the catalogue has none.
    var shortName: String {
        row?.name ?? Catalogue.characteristic(identifier: identifier)?.name ?? identifier
    }
}

extension Collection where Element: HKObjectType {
    /// The types in ascending order of their identifiers.
    fileprivate var sortedByName: [Element] { sorted { $0.identifier < $1.identifier } }
    fileprivate var names: String { sortedByName.map(\.identifier).joined(separator: ", ") }
}
