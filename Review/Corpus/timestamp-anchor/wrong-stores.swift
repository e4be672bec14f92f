// The date of the last sync goes through a store and comes back in another function or type.
import HealthKit
import SwiftData

final class SyncSettings {
    static let shared = SyncSettings()
    private let defaults = UserDefaults.standard

    func mark(_ date: Date) { defaults.set(date, forKey: "healthMark") }
    func marked() -> Date? { defaults.object(forKey: "healthMark") as? Date }
}

final class MarkedSync {
    private let store: HKHealthStore
    private let settings: SyncSettings

    init(store: HKHealthStore, settings: SyncSettings) {
        (self.store, self.settings) = (store, settings)
    }

    func run() async throws {
        let samples = try await fetch()
        print(samples.count)
        settings.mark(Date())
    }

    private func fetch() async throws -> [HKQuantitySample] {
        let start = settings.marked() ?? .distantPast
        let range = HKQuery.predicateForSamples(withStart: start, end: .now)  // finds timestamp-anchor
        return try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.bodyMass), predicate: range)],
            sortDescriptors: []
        ).result(for: store)
    }
}

struct SyncFile: Codable {
    var lastUploadedAt: Date
}

struct FileSync {
    let file: URL

    func range() throws -> NSPredicate {
        let state = try JSONDecoder().decode(SyncFile.self, from: Data(contentsOf: file))
        return HKQuery.predicateForSamples(withStart: state.lastUploadedAt, end: nil)  // finds timestamp-anchor
    }

    func done() throws {
        try JSONEncoder().encode(SyncFile(lastUploadedAt: .now)).write(to: file)
    }
}

@Model
final class SyncCursor {
    var cursor: Date?
    init() {}
}

struct ModelSync {
    let context: ModelContext

    func range() throws -> NSPredicate {
        let saved = try context.fetch(FetchDescriptor<SyncCursor>()).first
        return HKQuery.predicateForSamples(withStart: saved?.cursor, end: nil)  // finds timestamp-anchor
    }

    func finish(_ samples: [HKSample], _ model: SyncCursor) {
        model.cursor = samples.last?.endDate
    }
}

protocol SyncServer {
    func lastSyncDate() async throws -> Date?
}

struct ServerSync {
    let server: any SyncServer
    let keychain: Keychain

    func range() async throws -> NSPredicate {
        let since = try await server.lastSyncDate() ?? .distantPast
        return HKQuery.predicateForSamples(withStart: since, end: nil)  // finds timestamp-anchor
    }

    func keychainRange() -> NSPredicate {
        let seconds = keychain.string(for: "last_sync").flatMap(Double.init) ?? 0
        let start = Date(timeIntervalSince1970: seconds)
        return HKQuery.predicateForSamples(withStart: start, end: nil)  // finds timestamp-anchor
    }
}

final class WrappedSync {
    @AppStorage("healthProgress") private var progress = 0.0

    func next(_ execute: (NSPredicate) -> Void) {
        let start = Date(timeIntervalSince1970: progress)
        execute(HKQuery.predicateForSamples(withStart: start, end: nil))  // finds timestamp-anchor
        finish()
    }

    private func finish() { progress = Date().timeIntervalSince1970 }
}
