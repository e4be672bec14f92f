// The anchor is stored only where the data was taken.
import HealthKit

protocol SampleServer {
    func send(_ samples: [HKSample], removing: [UUID]) async throws
}

final class CheckedUploader {
    private let store: HKHealthStore
    private let server: SampleServer
    private let anchors: StoredAnchors

    init(store: HKHealthStore, server: SampleServer, anchors: StoredAnchors) {
        self.store = store
        self.server = server
        self.anchors = anchors
    }

    func sync(_ type: HKSampleType) async {
        guard let result = try? await changes(type) else { return }
        do {
            try await server.send(
                result.addedSamples, removing: result.deletedObjects.map(\.uuid))
            anchors.save(result.newAnchor, type.identifier)
        } catch {
            print("not uploaded: \(error)")
        }
    }

    func syncMarked(_ type: HKSampleType) async throws {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.sample(type: type)], anchor: anchors.read(type.identifier)
        ).result(for: store)
        var isSent = false
        do {
            try await server.send(
                result.addedSamples, removing: result.deletedObjects.map(\.uuid))
            isSent = true
        } catch {
            print("not uploaded: \(error)")
        }
        if isSent { anchors.save(result.newAnchor, type.identifier) }
    }

    func syncOrLeave(_ type: HKSampleType) async throws {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.sample(type: type)], anchor: anchors.read(type.identifier)
        ).result(for: store)
        do {
            try await server.send(
                result.addedSamples, removing: result.deletedObjects.map(\.uuid))
        } catch {
            print("not uploaded: \(error)")
            return
        }
        anchors.save(result.newAnchor, type.identifier)
    }

    private func changes(
        _ type: HKSampleType
    ) async throws -> HKAnchoredObjectQueryDescriptor<HKSample>.Result {
        try await HKAnchoredObjectQueryDescriptor(
            predicates: [.sample(type: type)], anchor: anchors.read(type.identifier)
        ).result(for: store)
    }

}

final class StoredAnchors {
    private let folder: URL

    init(folder: URL) { self.folder = folder }

    func read(_ key: String) -> HKQueryAnchor? {
        guard let data = try? Data(contentsOf: folder.appending(path: key)) else { return nil }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
    }

    func save(_ anchor: HKQueryAnchor, _ key: String) {
        let data = try? NSKeyedArchiver.archivedData(
            withRootObject: anchor, requiringSecureCoding: true)
        try? data?.write(to: folder.appending(path: key))
    }
}
