import Foundation

/// Queries for the app's own samples.
///
/// The predicates select the samples of `HKSource.default()`, so the health store decides which
/// samples are the app's own.
struct OwnSamples: Sendable {
    let store: HKHealthStore

    /// Returns the app's own sample with a UUID; nil if HealthKit shows none.
    func sample(_ uuid: UUID, of type: HKSampleType) async throws -> HKSample? {
        try await samples(of: type, HKQuery.predicateForObject(with: uuid)).first
    }

    /// Returns the app's own samples of a type with a sync identifier. OpenHealthKit returns at
    /// most one; Apple doesn't document that for its HealthKit.
    func samples(under identifier: String, of type: HKSampleType) async throws -> [HKSample] {
        try await samples(
            of: type,
            HKQuery.predicateForObjects(
                withMetadataKey: HKMetadataKeySyncIdentifier, allowedValues: [identifier]))
    }

    /// Returns the bundle identifier of the app's own samples; nil if HealthKit shows no own sample
    /// of the types.
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
    /// The sync version, rounded toward zero; nil without one.
    var syncVersion: Int? { (metadata?[HKMetadataKeySyncVersion] as? NSNumber)?.intValue }
}

extension Sequence where Element == HKSample {
    /// The sample with the highest sync version; nil if there are no samples. A sample without a
    /// version ranks last.
    var latest: HKSample? {
        self.max { ($0.syncVersion ?? .min) < ($1.syncVersion ?? .min) }
    }
}
