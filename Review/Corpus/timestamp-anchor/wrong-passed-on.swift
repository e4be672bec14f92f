// The stored date goes through parameters, models and a margin of safety.
import HealthKit
import SwiftData

@Model
final class SyncState {
    var lastSyncDate: Date?
    init() {}
}

struct PassedOn {
    let store: HKHealthStore

    func sync() async throws {
        let last = UserDefaults.standard.object(forKey: "lastFetchDate") as? Date
        try await fetch(since: last ?? .distantPast)
        UserDefaults.standard.set(Date(), forKey: "lastFetchDate")
    }

    private func fetch(since date: Date) async throws {
        let predicate = HKQuery.predicateForSamples(
            withStart: date,  // finds timestamp-anchor
            end: nil)
        print(predicate)
    }

    func model(_ state: SyncState) -> NSPredicate {
        let predicate = HKQuery.predicateForSamples(
            withStart: state.lastSyncDate,  // finds timestamp-anchor
            end: .now)
        state.lastSyncDate = .now
        return predicate
    }

    func margin() -> NSPredicate? {
        guard let last = UserDefaults.standard.object(forKey: Keys.lastUpload) as? Date else {
            return nil
        }
        let start = last.addingTimeInterval(-300)
        return HKQuery.predicateForSamples(withStart: start, end: nil)  // finds timestamp-anchor
    }

    enum Keys {
        static let lastUpload = "lastUpload"
    }
}

final class NewestDate {
    private var newest: Date?

    func next(_ store: HKHealthStore) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate),
            predicate: HKQuery.predicateForSamples(withStart: newest, end: nil),  // finds timestamp-anchor
            limit: 100, sortDescriptors: nil  // finds newest-sample
        ) { _, samples, _ in
            self.newest = samples?.last?.endDate
        }
        store.execute(query)
    }
}

final class RangeReader {
    private var lastUpdate = Date.distantPast

    private func range(from start: Date, to end: Date) -> NSPredicate {
        HKQuery.predicateForSamples(
            withStart: start,  // finds timestamp-anchor
            end: end)
    }

    func whole() -> NSPredicate { range(from: Calendar.current.startOfDay(for: .now), to: .now) }
    func new() -> NSPredicate { range(from: lastUpdate, to: .now) }
    func finish() { lastUpdate = Date() }
}

struct Branches {
    let floor: Date

    private var lastSyncDate: Date? {
        get { UserDefaults.standard.object(forKey: "lastSyncDate") as? Date }
        nonmutating set { UserDefaults.standard.set(newValue, forKey: "lastSyncDate") }
    }

    func bounded() -> NSPredicate {
        let start = max(lastSyncDate ?? .distantPast, floor)
        return HKQuery.predicateForSamples(withStart: start, end: nil)  // finds timestamp-anchor
    }

    func assigned() -> NSPredicate {
        var start = Date.distantPast
        if let last = UserDefaults.standard.object(forKey: "LastHealthKitSync") as? Date {
            start = last
        }
        return HKQuery.predicateForSamples(withStart: start, end: Date())  // finds timestamp-anchor
    }

    func chosen() -> NSPredicate {
        let seconds = UserDefaults.standard.double(forKey: "kLastUploadedAt")
        let start = seconds > 0 ? Date(timeIntervalSince1970: seconds) : Date.distantPast
        return HKQuery.predicateForSamples(withStart: start, end: nil)  // finds timestamp-anchor
    }
}
