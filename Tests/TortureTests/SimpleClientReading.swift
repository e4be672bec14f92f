import Foundation
import OpenHealthKit
import Synchronization

@testable import HealthSync
@testable import torture

extension SimpleClient {
    static let own = ScheduledWriter.app.identity.bundleIdentifier

    /// Reads the changes of a type, for each of the three readers.
    func read(_ type: ScheduledType) async throws {
        if fault == .timestampsAsAnchors {
            try await readSince(type)
        } else {
            try await read(type, subscriber: "mirror") { batch in
                try self.transaction { state in
                    if self.fault != .anchorBeforeData { state.set(batch) }
                    if self.fault != .deletionsIgnored {
                        for deleted in batch.deleted { state.remove(deleted) }
                    }
                    for sample in batch.added { state.store(sample, type) }
                }
            }
        }
        try await read(type, subscriber: "recorder") { batch in
            try await self.environment.recorder.receive(batch)
            try self.reach(.handlersDone)
            self.disk.state.withLock { $0.set(batch) }
        }
        try await readLedger(type)
    }

    private func key(_ type: ScheduledType, _ subscriber: String) -> PositionKey {
        let isShared = fault == .oneAnchorByCount
        return PositionKey(subscriber: subscriber, type: isShared ? "" : type.sampleType.identifier)
    }

    private func read(
        _ type: ScheduledType, subscriber: String, _ take: (ChangeBatch) async throws -> Void
    ) async throws {
        let key = key(type, subscriber)
        var hasBegun = false
        while true {
            try Task.checkCancellation()
            let anchor = disk.state.withLock { $0.anchors[key.text] }
            if anchor == nil {
                hasBegun = true
                try reach(.anchorTaken)
            }
            guard let batch = try await page(type, key, anchor) else {
                disk.state.withLock { $0.anchors[key.text] = nil }
                continue
            }
            try reach(.pageRead)
            if batch.added.isEmpty, batch.deleted.isEmpty, anchor != nil { break }
            if fault == .anchorBeforeData { try transaction { $0.set(batch) } }
            try await take(batch)
            try reach(.positionStored)
            if fault == .oneAnchorByCount, batch.added.count < environment.pageSize { break }
        }
        guard subscriber == "mirror" else { return }
        let now = environment.now()
        let caughtUp = disk.state.withLock { $0.caughtUp[key.text] } ?? .distantPast
        if hasBegun || abs(now.timeIntervalSince(caughtUp)) > 7 * 86_400,
            disk.state.withLock({ !$0.rows.isEmpty })
        {
            try await compare(type)
        }
        disk.state.withLock { $0.caughtUp[key.text] = now }
    }

    /// Returns a page of changes; nil if the anchor belongs to another store.
    private func page(
        _ type: ScheduledType, _ key: PositionKey, _ data: Data?
    ) async throws -> ChangeBatch? {
        let anchor = try data.map {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: $0)
        }
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.sample(type: type.sampleType)], anchor: anchor ?? nil,
            limit: environment.pageSize)
        do {
            let page = try await descriptor.result(for: store)
            let next = try NSKeyedArchiver.archivedData(
                withRootObject: page.newAnchor, requiringSecureCoding: true)
            return ChangeBatch(
                key: key, sampleType: type.sampleType, origin: .changes, added: page.addedSamples,
                deleted: page.deletedObjects,
                from: data.map {
                    SyncPosition(anchor: $0, phase: .changes, caughtUp: .distantPast)
                },
                to: SyncPosition(anchor: next, phase: .changes, caughtUp: .distantPast))
        } catch let error as HKError where error.code == .errorInvalidArgument {
            return nil
        }
    }

    private func readLedger(_ type: ScheduledType) async throws {
        let key = key(type, "ledger")
        while true {
            let position = try await environment.ledger.position(for: key)
            guard let batch = try await page(type, key, position?.anchor) else {
                try await environment.ledger.removePositions([key])
                continue
            }
            if batch.added.isEmpty, batch.deleted.isEmpty, position != nil { return }
            let whole = ChangeBatch(
                key: key, sampleType: batch.sampleType,
                origin: position == nil ? .history : .changes, added: batch.added,
                deleted: batch.deleted, from: position, to: batch.to)
            // A restart after a loss is recorded as a first run.
            if position == nil {
                let history = SyncPosition(
                    anchor: Data(), phase: .history(before: .distantFuture), caughtUp: .distantPast)
                try await environment.ledger.setPosition(history, for: key, expecting: nil)
                try await environment.ledger.removePositions([key])
            }
            try await environment.ledger.receive(whole)
        }
    }

    /// Reads by timestamps in place of anchors, which is a classic fault.
    private func readSince(_ type: ScheduledType) async throws {
        let last = disk.state.withLock { $0.lastRead[type.rawValue] } ?? .distantPast
        let samples = try await HKSampleQueryDescriptor(
            predicates: [
                .sample(
                    type: type.sampleType,
                    predicate: HKQuery.predicateForSamples(withStart: last, end: nil))
            ], sortDescriptors: []
        ).result(for: store)
        try transaction { state in
            for sample in samples { state.store(sample, type) }
            state.lastRead[type.rawValue] = environment.now()
        }
    }

    // MARK: Comparing

    func reconcile() async throws {
        try await exclusively { for type in types { try await compare(type) } }
    }

    func compare(_ type: ScheduledType) async throws {
        for _ in 0..<8 {
            let changes = disk.state.withLock { $0.changes }
            let samples = try await HKSampleQueryDescriptor(
                predicates: [.sample(type: type.sampleType)], sortDescriptors: []
            ).result(for: store)
            try reach(.windowRead)
            let seen = Set(samples.map(\.uuid))
            let rows = disk.state.withLock { $0.rows }
            let absent = rows.values.filter { $0.entry.type == type && !seen.contains($0.entry.id) }
            try reach(.windowCompared)
            guard disk.state.withLock({ $0.changes }) == changes else { continue }
            try await restore(absent, type)
            try transaction { state in
                for row in absent {
                    if fault == .absenceTakenForDeletion {
                        state.remove(row.entry.id, nil, nil)
                    } else {
                        // Even the app's own sample may be missing for another reason: limited
                        // history.
                        state.rows[row.entry.id]?.entry.isSynced = false
                    }
                }
                for sample in samples { state.store(sample, type) }
            }
            try reach(.windowCommitted)
            return
        }
    }

    /// Saves absent samples again, which is a classic fault.
    private func restore(_ absent: [SimpleClientStorage.Row], _ type: ScheduledType) async throws {
        guard fault == .resurrection else { return }
        for row in absent where row.entry.bundleIdentifier == Self.own {
            try? await store.save(
                sample(
                    ClientWeight(date: row.entry.start, kilograms: row.entry.value),
                    row.syncIdentifier ?? "", row.version))
        }
    }
}

extension PositionKey {
    var text: String { "\(subscriber)/\(type)" }
}

extension SimpleClientStorage.State {
    mutating func set(_ batch: ChangeBatch) { anchors[batch.key.text] = batch.to.anchor }

    mutating func remove(_ deleted: HKDeletedObject) {
        remove(
            deleted.uuid, deleted.metadata?[HKMetadataKeySyncIdentifier] as? String,
            (deleted.metadata?[HKMetadataKeySyncVersion] as? NSNumber)?.intValue)
    }
}
