public import Foundation

extension Watcher {
    /// The statuses of the tracked types, sorted by identifier and filter name. A type that was
    /// given at the watcher's creation, and neither woken nor read yet, may have no status.
    public nonisolated var statuses: [TypeStatus] { statusRegistry.all }

    /// Returns the status of a tracked type.
    ///
    /// - Parameter type: The type, found by identifier and filter name.
    /// - Returns: The status; nil if the type is not tracked. It may also be nil for a type that
    ///   was given at the watcher's creation, and neither woken nor read yet.
    public nonisolated func status(of type: TrackedType) -> TypeStatus? {
        statusRegistry.status(type)
    }

    /// A new stream of every later status change, each with the status after it. Untracking a type
    /// is not reported. A slow consumer gets only the newest 100 changes.
    public nonisolated var statusUpdates: AsyncStream<TypeStatus> { statusRegistry.updates }

    /// Adds a type to those that are read, and starts reading it if the watcher is running. Other
    /// types are not affected. Does nothing if the type is tracked already with the same filter
    /// name.
    ///
    /// - Parameter type: The type, with its filter.
    public func track(_ type: TrackedType) async {
        guard !types.contains(where: { $0.isSame(as: type) }) else { return }
        types.append(type)
        statusRegistry.update(type) { _ in }
        guard isStarted else { return }
        observe()
        await enableDelivery()
        Self.wake(currentReaders { $0.type.isSame(as: type) }, .demand)
    }

    /// Stops reading a type, forgets its status and keeps its positions. Other types are not
    /// affected.
    ///
    /// If the sample type is no longer tracked, with or without a filter, also disables the
    /// background delivery that this watcher has enabled for it. Errors of that are ignored.
    ///
    /// - Parameter type: The type, found by identifier and filter name.
    public func untrack(_ type: TrackedType) async {
        guard let index = types.firstIndex(where: { $0.isSame(as: type) }) else { return }
        types.remove(at: index)
        await discard { $0.type == type.sampleType.identifier && $0.filter == type.filterName }
        statusRegistry.forget(type)
        let isStillRead = types.contains { $0.sampleType == type.sampleType }
        guard !isStillRead else { return }
        undetermined { _ = $0.remove(type.sampleType) }
        if isStarted { observe() }
        if delivered.remove(type.sampleType) != nil {
            try? await store.disableBackgroundDelivery(for: type.sampleType)
        }
    }

    /// Removes the positions of a type, with all its filters, for every subscriber of this watcher.
    /// The type is then read as at the first run: at once if the watcher is running, else at the
    /// next start or sync. Existing samples are delivered again, as far as the ``FirstRun`` policy
    /// includes them. The entries of a mirror stay.
    ///
    /// - Parameter type: The type.
    /// - Throws: The errors of the position store.
    public func reset(_ type: HKSampleType) async throws {
        try await reset { $0.type == type.identifier }
    }

    /// Removes the positions of all types for every subscriber of this watcher, as ``reset(_:)``
    /// does.
    ///
    /// - Throws: The errors of the position store.
    public func resetAll() async throws { try await reset { _ in true } }

    private func reset(_ isIncluded: @Sendable (PositionKey) -> Bool) async throws {
        await discard(isIncluded)
        for subscriber in subscribers {
            let keys = try await subscriber.positions.positionKeys()
                .filter { $0.subscriber == subscriber.name && isIncluded($0) }
            if !keys.isEmpty { try await subscriber.positions.removePositions(keys) }
        }
        if isStarted { Self.wake(currentReaders { isIncluded($0.key) }, .demand) }
    }
}

extension TrackedType {
    /// Whether both tracked types share their positions, because sample type and filter name are
    /// the same.
    func isSame(as other: TrackedType) -> Bool {
        sampleType == other.sampleType && filterName == other.filterName
    }
}

/// A sample type to read, with an optional filter.
///
/// ```swift
/// TrackedType(HKQuantityType(.bodyMass))
/// TrackedType(HKQuantityType(.stepCount), where: watchOnly, named: "watch")
/// ```
/// Positions are stored by type and filter name. A filter with another predicate needs another
/// name.
public struct TrackedType: Sendable {
    /// The sample type to read.
    public let sampleType: HKSampleType
    /// The name of the filter, under which positions are stored; empty if there is no filter.
    public let filterName: String
    // Predicates are immutable, but NSPredicate isn't Sendable on every platform.
    nonisolated(unsafe) let predicate: NSPredicate?

    /// Creates a tracked type without a filter: all samples of the type.
    ///
    /// - Parameter sampleType: The sample type.
    public init(_ sampleType: HKSampleType) {
        self.sampleType = sampleType
        filterName = ""
        predicate = nil
    }

    /// Creates a tracked type with a filter: the samples of the type that match a predicate.
    ///
    /// - Parameters:
    ///   - sampleType: The sample type.
    ///   - predicate: The filter.
    ///   - name: The filter's name, under which positions are stored. Not empty; unique for the
    ///     type.
    public init(_ sampleType: HKSampleType, where predicate: NSPredicate, named name: String) {
        self.sampleType = sampleType
        filterName = name
        self.predicate = predicate
    }

    /// Returns the key of a subscriber's position in this type and filter.
    func key(subscriber: String) -> PositionKey {
        PositionKey(subscriber: subscriber, type: sampleType.identifier, filter: filterName)
    }
}
