// The anchor is kept last: after the data, in its transaction, or in its task.
import HealthKit
import SwiftData

final class CarefulSync {
    private let store: HKHealthStore
    private let server: ChangeServer
    private let anchors: AnchorFile
    private var current: HKQueryAnchor?

    init(store: HKHealthStore, server: ChangeServer, anchors: AnchorFile) {
        self.store = store
        self.server = server
        self.anchors = anchors
    }

    func steps() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.stepCount), predicate: nil, anchor: anchors.load("steps"),
            limit: 0
        ) { _, samples, deleted, newAnchor, _ in
            guard let samples, let deleted, let newAnchor else { return }
            self.server.apply(samples, deleted)
            self.anchors.save(newAnchor, "steps")
        }
        store.execute(query)
    }

    func weight() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.bodyMass), predicate: nil, anchor: anchors.load("weight"),
            limit: 0
        ) { _, samples, deleted, newAnchor, _ in
            Task {
                try await self.server.upload(samples ?? [], removing: deleted ?? [])
                self.anchors.save(newAnchor, "weight")
            }
        }
        store.execute(query)
    }

    func heartRate() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.heartRate), predicate: nil, anchor: anchors.load("heart"),
            limit: 0
        ) { _, samples, deleted, newAnchor, _ in
            self.server.send(samples ?? [], deleted ?? []) { accepted in
                guard accepted else { return }
                self.anchors.save(newAnchor, "heart")
            }
        }
        store.execute(query)
    }

    func workouts(into context: ModelContext) async throws {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.workout()], anchor: current
        ).result(for: store)
        try context.transaction {
            result.addedSamples.forEach { context.insert(WorkoutRow($0)) }
            let gone = Set(result.deletedObjects.map(\.uuid))
            try context.delete(model: WorkoutRow.self, where: #Predicate { gone.contains($0.uuid) })
            context.insert(AnchorRow(type: "workout", anchor: result.newAnchor))
        }
        try context.save()
        current = result.newAnchor
    }

    func glucose() async throws {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.bloodGlucose))],
            anchor: anchors.load("glucose")
        ).result(for: store)
        try await server.upload(result.addedSamples, removing: result.deletedObjects)
        anchors.save(result.newAnchor, "glucose")
    }

    func pages() async throws {
        var anchor = anchors.load("oxygen")
        while true {
            let page = try await HKAnchoredObjectQueryDescriptor(
                predicates: [.quantitySample(type: HKQuantityType(.oxygenSaturation))],
                anchor: anchor, limit: 500
            ).result(for: store)
            if page.newAnchor == anchor { return }
            anchor = page.newAnchor
            try await server.upload(page.addedSamples, removing: page.deletedObjects)
            anchors.save(page.newAnchor, "oxygen")
        }
    }
}
