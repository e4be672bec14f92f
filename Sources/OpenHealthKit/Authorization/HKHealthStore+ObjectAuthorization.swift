public import Foundation
import HealthEngine
import HealthStorage

// Read authorization for single objects (Semantics §8.12).
extension HKHealthStore {
    func performObjectAuthorizationRequest(
        for type: HKObjectType, _ predicate: NSPredicate?,
        _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        // The caller must not mutate the predicate during the call.
        nonisolated(unsafe) let predicate = predicate
        // Not on the write queue: a policy may block, and may save samples itself.
        handle { [self] in
            do {
                try requestObjects(of: type, predicate)
                completion(true, nil)
            } catch {
                completion(false, HKError(reporting: error))
            }
        }
    }

    private func requestObjects(of type: HKObjectType, _ predicate: NSPredicate?) throws {
        guard type.requiresPerObjectAuthorization() else {
            throw connection.misuseError(
                HKError(
                    .errorInvalidArgument,
                    "\(type.identifier) does not support per-object authorization."))
        }
        let code = try code(of: type)
        let candidates = try candidates(of: type, code, predicate)
        switch configuration.authorization.rule {
        case .assumed: return
        case .stored: try requireStoredDecision(for: type, code)
        case .custom(let decision):
            try recordRequest(for: type, code)
            if candidates.isEmpty { return }
            let chosen = choose(from: candidates, of: type, decision)
            try storeObjectAuthorization(
                Dictionary(
                    candidates.map { (SampleUUID($0.identifier), chosen.contains($0.identifier)) },
                    uniquingKeysWith: { first, _ in first }),
                of: code)
        }
    }

    /// Returns the decision of the policy's choice or, without one, of its rule for the type.
    private func choose(
        from candidates: [ObjectAuthorizationPrompt.Candidate], of type: HKObjectType,
        _ decision: (AuthorizationPrompt) -> AuthorizationDecision
    ) -> Set<UUID> {
        if let choice = configuration.authorization.objectChoice {
            return choice(
                ObjectAuthorizationPrompt(app: identity, type: type, candidates: candidates))
        }
        let answer = decision(AuthorizationPrompt(app: identity, type: type, accesses: [.read]))
        switch answer.reading {
        case .denied: return []
        case .granted: return Set(candidates.map(\.identifier))
        case .since(let date):
            return Set(
                candidates.filter { ($0.sample?.startDate ?? .distantPast) >= date }
                    .map(\.identifier))
        }
    }

    /// Returns the stored objects of a type that a request is about.
    private func candidates(
        of type: HKObjectType, _ code: Int32, _ predicate: NSPredicate?
    ) throws -> [ObjectAuthorizationPrompt.Candidate] {
        if type is HKUserAnnotatedMedicationType {
            return try medicationCandidates(of: type, code, predicate)
        }
        guard let sampleType = type as? HKSampleType, let row = sampleType.row else { return [] }
        let filter = try SampleFilter(
            predicate, for: sampleType, thisApp: identity.bundleIdentifier)
        var visibility = Visibility.everything
        let earliest = configuration.earliestPermittedSampleDate
        if earliest != .distantPast {
            visibility.others.earliest = earliest.timeIntervalSinceReferenceDate
        }
        let store = try connection.readableStore
        let stored = try translatingErrors {
            try store.objects(
                [SampleRequest(row, filter)], sortedBy: [SampleSort(.start)],
                visibility: visibility)
        }
        let granted = try grantedObjects(of: code)
        return SampleObjects.objects(stored).map {
            ObjectAuthorizationPrompt.Candidate(
                identifier: $0.uuid, object: $0, isGranted: granted[SampleUUID($0.uuid)] != nil)
        }
    }

    /// Returns the objects of a type that this app may read, with the sequence numbers of their
    /// grants.
    func grantedObjects(of code: Int32) throws(HKError) -> [SampleUUID: Int64] {
        let store = try connection.store
        let decisions = try translatingErrors {
            try store.objectAuthorization(of: identity.bundleIdentifier)
        }
        var granted: [SampleUUID: Int64] = [:]
        for decision in decisions where decision.type == code && decision.isGranted {
            granted[decision.uuid] = decision.sequence
        }
        return granted
    }

    /// Records that objects of the type were requested. Reading the type as a whole stays denied.
    private func recordRequest(for type: HKObjectType, _ code: Int32) throws(HKError) {
        try connection.authorizationLock { _ throws(HKError) in
            var permission = try permissions()[code] ?? AuthorizationRow()
            guard permission.read == .notDetermined else { return }
            permission.read = .denied
            try storeAuthorization(permission, for: type)
        }
    }

    /// Throws an error if the owner of the store has decided neither about the type nor about one
    /// of its objects.
    private func requireStoredDecision(for type: HKObjectType, _ code: Int32) throws {
        let store = try connection.store
        let client = identity.bundleIdentifier
        let isDecided = try translatingErrors {
            try store.authorization(of: client)[code].map { $0.read != .notDetermined } == true
                || store.objectAuthorization(of: client).contains { $0.type == code }
        }
        if isDecided { return }
        let missing = MissingGrant(app: client, share: [], read: [type.shortName])
        connection.diagnostics.record(.authorizationNotDetermined(missing))
        throw HKError(
            .errorAuthorizationNotDetermined,
            "The permissions of \(identity.name) have not been decided yet.", missing: missing)
    }

    private func storeObjectAuthorization(
        _ decisions: [SampleUUID: Bool], of code: Int32
    ) throws(HKError) {
        let store = try connection.store
        try translatingErrors {
            try store.setObjectAuthorization(decisions, of: code, for: identity.bundleIdentifier)
        }
        // Observers of the app receive the objects that it may read now.
        connection.feed.wake()
    }
}

extension HKHealthStore {
    /// Sets the stored decision about single objects for the handle's app, as the Health app does on
    /// a device. Not part of Apple's API.
    ///
    /// ```swift
    /// try store.setAuthorization(of: .visionPrescriptionType(), granting: [prescription.uuid])
    /// ```
    /// - Parameters:
    ///   - type: The type of the objects.
    ///   - granted: The identifiers of objects that the app may read.
    ///   - denied: The identifiers of objects that it may not read. Other objects don't change.
    /// - Throws: `errorInvalidArgument` for a type without authorization of single objects; another
    ///   `HKError` if the store cannot be opened or written.
    public func setAuthorization(
        of type: HKObjectType, granting granted: Set<UUID>, denying denied: Set<UUID> = []
    ) throws {
        guard type.requiresPerObjectAuthorization() else {
            throw HKError(
                .errorInvalidArgument,
                "\(type.identifier) does not support per-object authorization.")
        }
        let code = try code(of: type)
        try recordRequest(for: type, code)
        var decisions: [SampleUUID: Bool] = [:]
        for uuid in granted { decisions[SampleUUID(uuid)] = true }
        for uuid in denied { decisions[SampleUUID(uuid)] = false }
        try storeObjectAuthorization(decisions, of: code)
    }

    /// Returns which samples of a type with authorization of single objects the store may return:
    /// all if the owner granted the type as a whole, otherwise the granted ones, and the app's own
    /// if it may share the type.
    func objectGrant(
        _ permission: AuthorizationRow, of code: Int32, own: Int64?, floor: Double?
    ) throws(HKError) -> Visibility.Grant {
        if permission.read == .granted { return permission.grant(own: own, floor: floor) }
        let exempt = permission.share == .granted ? own : nil
        let objects = try grantedObjects(of: code)
        if objects.isEmpty, exempt == nil { return .none }
        var grant = Visibility.Grant(
            earliest: floor,
            exempt: exempt.map { Visibility.Grant.Exemption(source: $0, earliest: floor) })
        grant.objects = objects
        return grant
    }
}
