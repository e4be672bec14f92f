// Brings every type up to date, one anchor each.
import Foundation
import HealthKit
import OSLog

actor SyncEngine {
    private let store: HKHealthStore
    private let anchors: KeychainAnchors
    private let server: StudyServer
    private let log = Logger(subsystem: "org.example.study", category: "sync")
    private var observers: [HKObserverQuery] = []
    private var running: Set<String> = []

    static let quantityTypes: [HKQuantityType] = [
        HKQuantityType(.stepCount), HKQuantityType(.heartRate),
        HKQuantityType(.heartRateVariabilitySDNN), HKQuantityType(.oxygenSaturation),
    ]
    static let sleep = HKCategoryType(.sleepAnalysis)

    init(store: HKHealthStore, anchors: KeychainAnchors, server: StudyServer) {
        self.store = store
        self.anchors = anchors
        self.server = server
    }

    func authorize() async throws {
        var types: Set<HKObjectType> = [Self.sleep, HKObjectType.workoutType()]
        types.formUnion(Self.quantityTypes)
        try await store.requestAuthorization(toShare: [], read: types)
    }

    func register() async throws {
        for type in Self.quantityTypes {
            try await store.enableBackgroundDelivery(for: type, frequency: .hourly)  // finds delivery-before-observer
            let query = HKObserverQuery(sampleType: type, predicate: nil) {
                [weak self] _, completion, error in
                guard error == nil else {
                    completion()
                    return
                }
                Task {
                    try? await self?.sync(type)
                    completion()
                }
            }
            observers.append(query)
            store.execute(query)
        }
    }

    func syncAll() async -> Date {
        for type in Self.quantityTypes {
            do {
                try await sync(type)
            } catch {
                log.error("\(type.identifier): \(error.localizedDescription)")
            }
        }
        do {
            try await syncSleep()
            try await syncWorkouts()
        } catch {
            log.error("sleep, workouts: \(error.localizedDescription)")
        }
        return .now
    }

    private func sync(_ type: HKQuantityType) async throws {
        guard running.insert(type.identifier).inserted else { return }
        defer { running.remove(type.identifier) }
        var anchor = anchors.anchor(for: type.identifier)
        while true {
            let page = try await HKAnchoredObjectQueryDescriptor(
                predicates: [.quantitySample(type: type)], anchor: anchor, limit: 1_000
            ).result(for: store)
            guard page.newAnchor != anchor else { return }
            try await server.send(
                page.addedSamples.map(Payload.init), deleted: page.deletedObjects.map(\.uuid))
            anchors.set(page.newAnchor, for: type.identifier)
            anchor = page.newAnchor
        }
    }

    private func syncSleep() async throws {
        let key = Self.sleep.identifier
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.categorySample(type: Self.sleep)], anchor: anchors.anchor(for: key)
        ).result(for: store)
        anchors.set(result.newAnchor, for: key)  // finds anchor-before-data
        try await server.send(
            result.addedSamples.map(Payload.init), deleted: result.deletedObjects.map(\.uuid))
    }

    private func syncWorkouts() async throws {
        let last = UserDefaults.standard.object(forKey: "lastWorkoutSync") as? Date
        let start = last ?? .now.addingTimeInterval(-90 * 24 * 3600)
        let descriptor = HKSampleQueryDescriptor(
            predicates: [
                .workout(
                    HKQuery.predicateForSamples(withStart: start, end: nil))  // finds timestamp-anchor
            ],
            sortDescriptors: [SortDescriptor(\.endDate)])
        let workouts = try await descriptor.result(for: store)
        try await server.send(workouts.map(Payload.init), deleted: [])
        UserDefaults.standard.set(Date.now, forKey: "lastWorkoutSync")
    }
}
