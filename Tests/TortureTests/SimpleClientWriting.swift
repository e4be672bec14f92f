import Foundation
import HealthSync
import OpenHealthKit
import Synchronization

@testable import torture

extension SimpleClient {
    func log(_ weight: ClientWeight) async throws -> ClientResult {
        try await exclusively {
            try await write(
                SimpleClientStorage.Intent(
                    identifier: UUID().uuidString, version: 1, weight: weight))
        }
    }

    func edit(_ id: UUID, to weight: ClientWeight) async throws -> ClientResult {
        try await exclusively {
            guard let row = disk.state.withLock({ $0.rows[id] }), row.entry.isSynced,
                let identifier = row.syncIdentifier
            else { return .refused }
            return try await write(
                SimpleClientStorage.Intent(
                    identifier: identifier, version: row.version + 1, weight: weight))
        }
    }

    func remove(_ id: UUID) async throws -> ClientResult {
        try await exclusively {
            guard let row = disk.state.withLock({ $0.rows[id] }), row.entry.isSynced else {
                return .refused
            }
            do {
                let samples = try await stored(row.syncIdentifier ?? "")
                if !samples.isEmpty { try await store.delete(samples) }
            } catch is HKError { return .refused }
            try transaction { $0.remove(id, row.syncIdentifier, row.version) }
            return .acknowledged
        }
    }

    func recover() async throws {
        try await exclusively {
            for intent in disk.state.withLock({ Array($0.intents.values) }) {
                if fault != .resurrection, fault != .timestampsAsAnchors {
                    try await read(.bodyMass)
                }
                if let deletedVersion = disk.state.withLock({
                    $0.deletedVersions[intent.identifier]
                }),
                    deletedVersion >= intent.version
                        || (intent.version > 1 && deletedVersion == intent.version - 1),
                    try await stored(intent.identifier).isEmpty
                {
                    try transaction { $0.intents[intent.identifier] = nil }
                } else {
                    _ = try await carryOut(intent)
                }
            }
        }
    }

    private func write(_ intent: SimpleClientStorage.Intent) async throws -> ClientResult {
        if Task.isCancelled { return .refused }
        try transaction { $0.intents[intent.identifier] = intent }
        try reach(.writeJournalled)
        return try await carryOut(intent)
    }

    private func carryOut(_ intent: SimpleClientStorage.Intent) async throws -> ClientResult {
        var found = try? await stored(intent.identifier)
        if found?.contains(where: { $0.version >= intent.version }) != true {
            do {
                try await store.save(sample(intent.weight, intent.identifier, intent.version))
            } catch is HKError {
                try transaction { $0.intents[intent.identifier] = nil }
                return .refused
            }
            try reach(.sampleSaved)
            found = try? await stored(intent.identifier)
        }
        guard let found, let latest = found.max(by: { $0.version < $1.version }) else {
            return .pending
        }
        try reach(.sampleReadBack)
        try transaction { state in
            let old = state.rows.values.filter {
                $0.syncIdentifier == intent.identifier && $0.entry.id != latest.uuid
            }
            state.store(latest, .bodyMass)
            for row in old { state.remove(row.entry.id, nil, nil) }
            state.intents[intent.identifier] = nil
        }
        try reach(.entryAcknowledged)
        return .acknowledged
    }

    private func stored(_ identifier: String) async throws -> [HKSample] {
        try await HKSampleQueryDescriptor(
            predicates: [
                .sample(
                    type: ScheduledType.bodyMass.sampleType,
                    predicate: HKQuery.predicateForObjects(
                        withMetadataKey: HKMetadataKeySyncIdentifier, allowedValues: [identifier]))
            ], sortDescriptors: []
        ).result(for: store)
    }

    func sample(_ weight: ClientWeight, _ identifier: String, _ version: Int) -> HKSample {
        HKQuantitySample(
            type: HKQuantityType(.bodyMass),
            quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: weight.kilograms),
            start: weight.date, end: weight.date,
            metadata: [
                HKMetadataKeySyncIdentifier: identifier, HKMetadataKeySyncVersion: version,
            ])
    }
}

extension HKSample {
    fileprivate var version: Int {
        (metadata?[HKMetadataKeySyncVersion] as? NSNumber)?.intValue ?? 0
    }
}
