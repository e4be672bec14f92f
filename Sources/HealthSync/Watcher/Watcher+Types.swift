import Foundation

extension Watcher {
    /// How each tracked type stands, by identifier and filter.
    public nonisolated var statuses: [TypeStatus] { board.all }

    /// How a type stands; nil if it isn't tracked.
    public nonisolated func status(of type: TrackedType) -> TypeStatus? { board.status(type) }

    /// Each change of a status from now on; the newest hundred wait for a slow reader.
    public nonisolated var statusUpdates: AsyncStream<TypeStatus> { board.updates }

    /// Reads another type from now on; no other is touched. A type that is tracked already stays as it
    /// is.
    public func track(_ type: TrackedType) async {
        guard !types.contains(where: { $0.isSame(as: type) }) else { return }
        types.append(type)
        board.update(type) { _ in }
        guard isStarted else { return }
        observe()
        await enableDelivery()
        Self.wake(currentReaders { $0.type.isSame(as: type) }, .demand)
    }

    /// Reads a type no more; no other is touched. Its positions stay for when it is tracked again.
    public func untrack(_ type: TrackedType) async {
        guard let index = types.firstIndex(where: { $0.isSame(as: type) }) else { return }
        types.remove(at: index)
        await discard { $0.type == type.sampleType.identifier && $0.filter == type.filterName }
        board.forget(type)
        let isStillRead = types.contains { $0.sampleType == type.sampleType }
        guard !isStillRead else { return }
        unasked { _ = $0.remove(type.sampleType) }
        if isStarted { observe() }
        if delivered.remove(type.sampleType) != nil {
            try? await store.disableBackgroundDelivery(for: type.sampleType)
        }
    }

    /// Forgets how far a type was read, whatever its filters, in every lane: it comes again from the
    /// beginning.
    ///
    /// - Throws: What a position store throws.
    public func reset(_ type: HKSampleType) async throws {
        try await reset { $0.type == type.identifier }
    }

    /// Forgets how far everything was read.
    ///
    /// - Throws: What a position store throws.
    public func resetAll() async throws { try await reset { _ in true } }

    private func reset(_ isMeant: @Sendable (PositionKey) -> Bool) async throws {
        await discard(isMeant)
        for lane in lanes {
            let keys = try await lane.positions.positionKeys()
                .filter { $0.lane == lane.name && isMeant($0) }
            if !keys.isEmpty { try await lane.positions.removePositions(keys) }
        }
        if isStarted { Self.wake(currentReaders { isMeant($0.key) }, .demand) }
    }
}

extension TrackedType {
    /// Whether both are remembered as one.
    func isSame(as other: TrackedType) -> Bool {
        sampleType == other.sampleType && filterName == other.filterName
    }
}
