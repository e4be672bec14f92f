// The anchor is stored whether the data was taken or not.
import HealthKit

protocol SampleServer {
    func send(_ samples: [HKSample], removing: [UUID]) async throws
}

final class UncheckedUploader {
    private let store: HKHealthStore
    private let server: SampleServer
    private let anchors: StoredAnchors

    init(store: HKHealthStore, server: SampleServer, anchors: StoredAnchors) {
        self.store = store
        self.server = server
        self.anchors = anchors
    }

    func syncLogged(_ type: HKSampleType) async throws {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.sample(type: type)], anchor: anchors.read(type.identifier)
        ).result(for: store)
        do {
            try await server.send(
                result.addedSamples, removing: result.deletedObjects.map(\.uuid))
        } catch {
            print("not uploaded: \(error)")
        }
        anchors.save(result.newAnchor, type.identifier)  // finds anchor-before-data
    }

    func syncQuietly(_ type: HKSampleType) async throws {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.sample(type: type)], anchor: anchors.read(type.identifier)
        ).result(for: store)
        let removed = result.deletedObjects.map(\.uuid)
        try? await server.send(result.addedSamples, removing: removed)
        anchors.save(result.newAnchor, type.identifier)  // finds anchor-before-data
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
