import Foundation
import HealthEngine
import HealthStorage

// Saving and deleting, executed on the connection's write queue.
extension HKHealthStore {
    /// Saves new objects in one transaction.
    ///
    /// While the device is locked, the objects are stored too; observers are notified after the
    /// unlock.
    ///
    /// - Parameters:
    ///   - objects: The objects.
    ///   - parent: A stored workout that the objects are associated with; nil for none.
    ///   - members: Samples that are associated with the first object, which must then be a
    ///     workout. Those that are no longer stored are left out.
    /// - Throws: The errors of ``requireSavable(_:)`` and of the store; then nothing is saved.
    func commit(_ objects: [HKObject], to parent: HKSample?, members: [UUID] = []) throws {
        let store = try connection.store
        try requireSavable(objects)
        let new = try SampleObjects.batch(
            of: objects, source: identity.source.value, revision: identity.origin)
        _ = try translatingErrors {
            try store.save(
                new.batch, uuids: new.uuids,
                associatedWith: parent.map { SampleUUID($0.uuid) },
                members: members.map { SampleUUID($0) },
                at: connection.clock.now.timeIntervalSinceReferenceDate)
        }
        connection.feed.wake()
    }

    /// Checks that the objects are valid and that this app may save them.
    ///
    /// - Throws: `errorInvalidArgument` for no objects, an invalid object, or a sample before the
    ///   earliest permitted date; an authorization error for a type that this app may not share.
    func requireSavable(_ objects: [HKObject]) throws(HKError) {
        try check(objects)
        try requireSharing(typesToShare(for: objects))
    }

    private func check(_ objects: [HKObject]) throws(HKError) {
        guard !objects.isEmpty else {
            throw HKError(.errorInvalidArgument, "No objects to save.")
        }
        var validation = SampleValidation()
        for object in objects { try validation.check(object) }
        let earliest = configuration.earliestPermittedSampleDate
        guard objects.allSatisfy({ ($0 as? HKSample).map { $0.startDate >= earliest } ?? true })
        else {
            throw HKError(
                .errorInvalidArgument,
                "A sample starts before the earliest permitted sample date.")
        }
    }

    /// Returns the types for which the app needs share permission. For a correlation, these are the
    /// types of its members instead of its own. For a route, workouts are included (Semantics
    /// §8.10).
    func typesToShare(for objects: [HKObject]) -> Set<HKSampleType> {
        var types: Set<HKSampleType> = []
        for case let sample as HKSample in objects {
            if let correlation = sample as? HKCorrelation {
                types.formUnion(correlation.objects.map(\.sampleType))
            } else {
                types.insert(sample.sampleType)
            }
            if sample.sampleType.identifier == HKWorkoutRouteTypeIdentifier {
                types.insert(.workoutType())
            }
        }
        return types
    }

    /// Deletes objects in one transaction. If another app saved one of them, throws an error and
    /// deletes none (Semantics §9.7).
    func remove(_ objects: [HKObject]) throws {
        let store = try connection.store
        guard !objects.isEmpty else {
            throw HKError(.errorInvalidArgument, "No objects to delete.")
        }
        try requireSharing(typesToShare(for: objects))
        try translatingErrors {
            try store.delete(
                objects.map { SampleUUID($0.uuid) }, by: identity.bundleIdentifier)
        }
        connection.feed.wake()
    }

    /// Deletes those matching objects that this app saved (Semantics §9.7). Fails while the device
    /// is locked, because the objects have to be read.
    func removeObjects(
        of type: HKObjectType, _ predicate: NSPredicate,
        _ completion: @escaping @Sendable (Bool, Int, (any Error)?) -> Void
    ) {
        // The caller must not mutate the predicate during the call.
        nonisolated(unsafe) let predicate = predicate
        connection.writeQueue.async { [self] in
            do {
                let count = try removeMatching(type, predicate)
                handle { completion(true, count, nil) }
            } catch {
                let error = HKError(reporting: error)
                handle { completion(false, 0, error) }
            }
        }
    }

    private func removeMatching(_ type: HKObjectType, _ predicate: NSPredicate) throws -> Int {
        let store = try connection.readableStore
        guard let type = type as? HKSampleType, let row = type.row else {
            throw HKError(
                .errorInvalidArgument, "No samples of \(type.identifier) to delete.")
        }
        try requireSharing(type is HKCorrelationType ? [] : [type])
        let request = SampleRequest(
            row, try filter(predicate, for: type, store: self))
        let count = try translatingErrors {
            try store.delete(request, by: identity.bundleIdentifier)
        }
        connection.feed.wake()
        return count
    }

    /// Saves the samples that are not stored yet, associates all given samples with a stored
    /// workout, and recomputes the workout's statistics.
    ///
    /// The save is a transaction of its own. After a later error, the new samples stay saved.
    func commit(_ samples: [HKSample], associatedWith workout: HKSample) throws {
        guard !samples.isEmpty else {
            throw HKError(.errorInvalidArgument, "No samples to add.")
        }
        let store = try connection.store
        let uuids = samples.map { SampleUUID($0.uuid) }
        let stored = try translatingErrors { try store.storedUUIDs(among: uuids) }
        let new = samples.filter { !stored.contains(SampleUUID($0.uuid)) }
        guard new.allSatisfy({ $0.origin == nil }) else {
            throw HKError(.errorInvalidArgument, "A sample to add is no longer in this store.")
        }
        try requireSharing(typesToShare(for: samples))
        if !new.isEmpty { try commit(new, to: workout) }
        try translatingErrors {
            try store.associate(uuids.filter(stored.contains), with: SampleUUID(workout.uuid))
            try updateStatistics(of: workout, after: samples)
        }
        connection.feed.wake()
    }
}

extension AppIdentity {
    /// The origin of the app's samples; source, device and unit are filled in later.
    var origin: Origin {
        Origin(
            source: 0, version: version, productType: productType,
            operatingSystemVersion: operatingSystemVersion.text)
    }
}
