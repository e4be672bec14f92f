// One file for the anchors of three types.
import HealthKit

enum AnchorFile {
    static let url = URL.documentsDirectory.appending(path: "anchor.data")

    static func load() -> HKQueryAnchor? {
        guard let data = try? Data(contentsOf: url) else { return nil }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
    }

    static func save(_ anchor: HKQueryAnchor?) {
        guard let anchor,
            let data = try? NSKeyedArchiver.archivedData(
                withRootObject: anchor, requiringSecureCoding: true)
        else { return }
        try? data.write(to: url)
    }
}

struct FileSync {
    let store: HKHealthStore
    let sink: ChangeSink

    func sleep() async throws {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.categorySample(type: HKCategoryType(.sleepAnalysis))],
            anchor: AnchorFile.load()
        ).result(for: store)
        sink.apply(result.addedSamples, result.deletedObjects)
        AnchorFile.save(result.newAnchor)
    }

    func mindful() async throws {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.categorySample(type: HKCategoryType(.mindfulSession))],
            anchor: AnchorFile.load()  // finds shared-anchor
        ).result(for: store)
        sink.apply(result.addedSamples, result.deletedObjects)
        AnchorFile.save(result.newAnchor)
    }

    func workouts() async throws {
        let anchor = AnchorFile.load()
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.workout()],
            anchor: anchor  // finds shared-anchor
        ).result(for: store)
        sink.apply(result.addedSamples, result.deletedObjects)
        AnchorFile.save(result.newAnchor)
    }
}
