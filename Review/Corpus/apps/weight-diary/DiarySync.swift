// Keeps the diary's entries equal to Health's weights.
import Foundation
import HealthKit
import SwiftData

@ModelActor
actor DiarySync {
    private static let weight = HKQuantityType(.bodyMass)

    private func savedAnchor() throws -> AnchorRecord? {
        let identifier = Self.weight.identifier
        return try modelContext.fetch(
            FetchDescriptor<AnchorRecord>(predicate: #Predicate { $0.type == identifier })
        ).first
    }

    func sync(with store: HKHealthStore) async throws {
        let record = try savedAnchor()
        let anchor = try record.flatMap {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: $0.data)
        }
        let changes = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: Self.weight)], anchor: anchor
        ).result(for: store)

        for sample in changes.addedSamples {
            modelContext.insert(Entry(sample: sample))
        }
        let gone = Set(changes.deletedObjects.map(\.uuid))
        try modelContext.delete(
            model: Entry.self, where: #Predicate { gone.contains($0.healthUUID) })

        let data = try NSKeyedArchiver.archivedData(
            withRootObject: changes.newAnchor, requiringSecureCoding: true)
        if let record {
            record.data = data
        } else {
            modelContext.insert(AnchorRecord(type: Self.weight.identifier, data: data))
        }
        try modelContext.save()
    }

    /// Compares the last ninety days of both sides.
    func reconcile(with store: HKHealthStore) async throws {
        guard let start = Calendar.current.date(byAdding: .day, value: -90, to: .now) else {
            return
        }
        let samples = try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: Self.weight,
                    predicate: HKQuery.predicateForSamples(withStart: start, end: .now))
            ],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
        let entries = try modelContext.fetch(
            FetchDescriptor<Entry>(predicate: #Predicate { $0.date >= start }))
        let known = Set(entries.map(\.healthUUID))
        let present = Set(samples.map(\.uuid))

        for sample in samples where !known.contains(sample.uuid) {
            if sample.sourceRevision.source == .default() {
                // The entry was deleted in the diary.
                try await store.delete(sample)  // finds mirror-deletes
            } else {
                modelContext.insert(Entry(sample: sample))
            }
        }
        for entry in entries where !present.contains(entry.healthUUID) {
            modelContext.delete(entry)
        }
        try modelContext.save()
    }

    func deleteEntry(_ id: PersistentIdentifier, from store: HKHealthStore) async throws {
        guard let entry = self[id, as: Entry.self] else { return }
        let own = HKQuery.predicateForObject(with: entry.healthUUID)
        _ = try await store.deleteObjects(of: Self.weight, predicate: own)
        modelContext.delete(entry)
        try modelContext.save()
    }
}
