import Foundation

/// What HealthKit shows of this app's own samples.
///
/// Whose samples are its own is for the health store to say: the predicate asks for those of
/// `HKSource.default()`, the app that runs the query.
struct OwnSamples: Sendable {
    let store: HKHealthStore

    /// The own sample of a UUID.
    func sample(_ uuid: UUID, of type: HKSampleType) async throws -> HKSample? {
        try await samples(of: type, HKQuery.predicateForObject(with: uuid)).first
    }

    /// The own samples of a type under a sync identifier; more than one only on Apple's account.
    func samples(under identifier: String, of type: HKSampleType) async throws -> [HKSample] {
        try await samples(
            of: type,
            HKQuery.predicateForObjects(
                withMetadataKey: HKMetadataKeySyncIdentifier, allowedValues: [identifier]))
    }

    /// Whose name the app's own samples bear; nil while there is none to see.
    func bundleIdentifier(of types: [HKSampleType]) async throws -> String? {
        for type in types {
            let query = HKSampleQueryDescriptor<HKSample>(
                predicates: [
                    .sample(
                        type: type,
                        predicate: HKQuery.predicateForObjects(from: HKSource.default()))
                ], sortDescriptors: [], limit: 1)
            if let sample = try await query.result(for: store).first {
                return sample.sourceRevision.source.bundleIdentifier
            }
        }
        return nil
    }

    private func samples(
        of type: HKSampleType, _ predicate: NSPredicate
    ) async throws -> [HKSample] {
        let own = HKQuery.predicateForObjects(from: HKSource.default())
        let query = HKSampleQueryDescriptor<HKSample>(
            predicates: [
                .sample(
                    type: type,
                    predicate: NSCompoundPredicate(andPredicateWithSubpredicates: [predicate, own]))
            ], sortDescriptors: [])
        return try await query.result(for: store)
    }
}

extension HKSample {
    /// Its sync version, if it has one.
    var syncVersion: Int? { (metadata?[HKMetadataKeySyncVersion] as? NSNumber)?.intValue }
}

extension Sequence where Element == HKSample {
    /// The one with the highest sync version.
    var latest: HKSample? {
        self.max { ($0.syncVersion ?? .min) < ($1.syncVersion ?? .min) }
    }
}
