import Foundation
import HealthKit

struct RemoteSample: Codable, Sendable, Equatable {
    var id: UUID
    var type: String
    var start: Date
    var end: Date
    var value: Double?
    var unit: String?
    var code: Int?
    var source: String
    var device: String?
    var metadata: [String: String]
}

protocol RemoteServer: Actor {
    func upsert(_ samples: [RemoteSample]) async throws
    func delete(_ ids: [UUID]) async throws
}

/// Mirrors HealthKit to a server, type by type, including deletions.
actor ServerMirror {
    enum Event: Sendable {
        case synced(type: String, added: Int, deleted: Int), failed(String, any Error)
    }
    private let store: HKHealthStore
    private let server: any RemoteServer
    private var anchors: [HKSampleType: HKQueryAnchor] = [:]
    private var tasks: [HKSampleType: Task<Void, Never>] = [:]
    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let pageSize = 3

    init(store: HKHealthStore, server: any RemoteServer) {
        self.store = store; self.server = server
        (events, continuation) = AsyncStream.makeStream()
    }

    deinit { continuation.finish() }

    func restore(_ blob: Data, for type: HKSampleType) throws {
        anchors[type] = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: HKQueryAnchor.self, from: blob)
    }
    func blob(for type: HKSampleType) throws -> Data? {
        try anchors[type].map {
            try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true)
        }
    }

    func syncOnce(_ types: Set<HKSampleType>) async throws -> (Int, Int) {
        try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for type in types {
                group.addTask { try await self.sync(type) }
            }
            var total = (0, 0)
            for try await (a, d) in group { total.0 += a; total.1 += d }
            return total
        }
    }

    private func sync(_ type: HKSampleType) async throws -> (Int, Int) {
        var added = 0, deleted = 0
        while !Task.isCancelled {
            let descriptor = HKAnchoredObjectQueryDescriptor(
                predicates: [.sample(type: type)], anchor: anchors[type], limit: pageSize)
            let result = try await descriptor.result(for: store)
            guard !result.addedSamples.isEmpty || !result.deletedObjects.isEmpty else {
                anchors[type] = result.newAnchor; break
            }
            try await server.upsert(result.addedSamples.map(RemoteSample.init))
            try await server.delete(result.deletedObjects.map(\.uuid))
            anchors[type] = result.newAnchor
            added += result.addedSamples.count
            deleted += result.deletedObjects.count
        }
        continuation.yield(.synced(type: type.identifier, added: added, deleted: deleted))
        return (added, deleted)
    }

    func startLive(_ type: HKSampleType) {
        let store = store, anchor = anchors[type]
        tasks[type] = Task { [weak self] in
            let updates = HKAnchoredObjectQueryDescriptor(
                predicates: [.sample(type: type)], anchor: anchor
            ).results(for: store)
            do {
                for try await update in updates {
                    await self?.apply(
                        added: update.addedSamples, deleted: update.deletedObjects,
                        anchor: update.newAnchor, type: type)
                }
            } catch is CancellationError {
            } catch { self?.continuation.yield(.failed(type.identifier, error)) }
        }
    }
    func stopLive() { tasks.values.forEach { $0.cancel() }; tasks.removeAll() }

    private func apply(
        added: [HKSample], deleted: [HKDeletedObject], anchor: HKQueryAnchor, type: HKSampleType
    ) async {
        do {
            try await server.upsert(added.map(RemoteSample.init))
            try await server.delete(deleted.map { $0.uuid })
            anchors[type] = anchor
            continuation.yield(
                .synced(type: type.identifier, added: added.count, deleted: deleted.count))
        } catch { continuation.yield(.failed(type.identifier, error)) }
    }
}

extension RemoteSample {
    init(_ sample: HKSample) {
        id = sample.uuid; type = sample.sampleType.identifier
        start = sample.startDate; end = sample.endDate
        source = sample.sourceRevision.source.bundleIdentifier
        device = sample.device?.model
        metadata = (sample.metadata ?? [:]).compactMapValues { value in
            switch value {
            case let string as String: string
            case let number as NSNumber: number.stringValue
            case let date as Date: date.ISO8601Format()
            case let quantity as HKQuantity: quantity.description
            default: nil
            }
        }
        switch sample {
        case let sample as HKQuantitySample:
            let unit = UnitTable.unit(for: sample.quantityType)
            value = sample.quantity.doubleValue(for: unit); self.unit = unit.unitString
        case let sample as HKCategorySample:
            code = sample.value
        case let mind as HKStateOfMind:
            value = mind.valence; code = mind.kind.rawValue
        case let workout as HKWorkout:
            code = Int(workout.workoutActivityType.rawValue)
            value = workout.statistics(for: HKQuantityType(.activeEnergyBurned))?.sumQuantity()?
                .doubleValue(for: .kilocalorie())
        default: break
        }
    }
}

enum UnitTable {
    private static let perMinute = HKUnit.count().unitDivided(by: .minute())
    static let candidates: [HKUnit] = [
        .count(), perMinute, .gramUnit(with: .kilo), .meter(), .kilocalorie(), .minute(),
        .degreeCelsius(), .millimeterOfMercury(), .internationalUnit(),
        HKUnit(from: "mg/dL"), HKUnit(from: "ml/(kg*min)"), .meter().unitDivided(by: .second()),
        .decibelAWeightedSoundPressureLevel(), .liter(), .watt(),
        HKUnit(from: "kcal/(kg*hr)"), .appleEffortScore(), .siemen(),
        .liter().unitDivided(by: .minute()), .hertz(), .lux(), .diopter(), .volt(),
    ]
    static func unit(for type: HKQuantityType) -> HKUnit {
        candidates.first { type.is(compatibleWith: $0) } ?? .count()
    }
}
