// Deletes from stores that aren't HealthKit's, in functions that sync.
import CoreData
import HealthKit

final class RecordStore {
    private var records: [UUID: Data] = [:]

    func delete(_ uuid: UUID) {
        records[uuid] = nil
    }
}

final class CoreDataMirror {
    private let store: RecordStore
    private let context: NSManagedObjectContext

    init(store: RecordStore, context: NSManagedObjectContext) {
        self.store = store
        self.context = context
    }

    func sync(_ deleted: [HKDeletedObject]) {
        for object in deleted {
            store.delete(object.uuid)
        }
    }

    func reconcile(_ rows: [NSManagedObject], with samples: [HKSample]) throws {
        let present = Set(samples.map(\.uuid))
        for row in rows where (row.value(forKey: "uuid") as? UUID).map(present.contains) != true {
            context.delete(row)
        }
        try context.save()
    }

    func cleanupExports(in directory: URL) throws {
        for url in try FileManager.default.contentsOfDirectory(
            at: directory, includingPropertiesForKeys: nil)
        {
            try FileManager.default.removeItem(at: url)
        }
    }
}

struct EntryEditor {
    let healthStore: HKHealthStore

    func deleteTapped(_ workout: HKWorkout) {
        Task {
            try await healthStore.delete(workout)
        }
    }
}
