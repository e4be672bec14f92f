import ArgumentParser
import Foundation
import HealthServer
import HealthStorage
import HealthSync
import OpenHealthKit

/// The diary of weights: one app of many on a person's store, made of HealthSync alone.
///
/// A weight is a sample in the store; the mirror beside it holds what the app may see and what hangs on
/// it. ``refresh()`` first, and the diary shows what every other program did meanwhile.
struct WeightDiary: Sendable {
    /// The mirror, beside the store.
    static let file = "weight-mirror.sqlite"
    static let mass = HKQuantityType(.bodyMass)
    static let height = HKQuantityType(.height)
    static let identity = AppIdentity(
        "org.openhealthkit.weight", name: "openhealth weight",
        version: OpenHealth.configuration.version)

    let store: HKHealthStore
    let mirror: Mirror
    let writing: WriteThrough
    private let watcher: Watcher
    private let types = [TrackedType(Self.mass), TrackedType(Self.height)]

    /// Opens the diary of a store, and asks for what it may do if nobody has.
    init(_ asked: Asked) async throws {
        store = try asked.store()
        var configuration = MirrorConfiguration()
        configuration.metadataKeys = [HKMetadataKeyWasUserEntered, HKMetadataKeyTimeZone]
        configuration.units = [.bodyMass: WeightUnit.kilogram.unit, .height: .meter()]
        mirror = try Mirror(
            at: URL(fileURLWithPath: BesideStore.path(asked.path, Self.file)),
            configuration: configuration)
        writing = WriteThrough(store: store, mirror: mirror)
        var watching = Watcher.Configuration()
        watching.backgroundDelivery = .off
        watcher = Watcher(
            store: store, types: types, positions: mirror, configuration: watching)
        try await watcher.mirror(into: mirror)
        try await WeightPromise(asked).ask(store)
    }

    /// Settles what a crash left over, takes in what others did, and compares the last 90 days.
    ///
    /// - Returns: Whether weights came, went or changed.
    @discardableResult
    func refresh() async throws -> Bool {
        let before = try await entries()
        tell(try await writing.recover())
        let summary = try await watcher.sync()
        if let failure = summary.failures.values.first { throw failure }
        let report = try await mirror.reconcile(types, with: store)
        tell(report.recoveries)
        if let failure = report.failures.values.first { throw failure }
        return try await entries() != before
    }

    private func tell(_ recoveries: [Recovery]) {
        for recovery in recoveries { Message.write(WeightWords.sentence(recovery)) }
    }

    /// Every weight, the newest first.
    func entries() async throws -> [Entry] {
        try await mirror.entries(of: Self.mass)
    }

    /// The latest height that the diary may see, in meters.
    func latestHeight() async throws -> (meters: Double, date: Date)? {
        var request = EntryRequest(of: Self.height)
        request.states = [.synced]
        request.limit = 1
        guard let entry = try await mirror.entries(request).first,
            let height = entry.value(in: "m")
        else { return nil }
        return height > 0 ? (height, entry.start) : nil
    }

    /// The unit that the person reads weights in.
    func usualUnit() async throws -> WeightUnit {
        WeightUnit(try await store.preferredUnits(for: [Self.mass])[Self.mass])
    }
}

extension WeightDiary {
    /// Whose diary, and how the answer is to look.
    struct Asked: Sendable {
        enum Access: Sendable { case existing, creating }

        let path: String
        let options: String
        let isJSON: Bool
        /// The calendar that the person lives by.
        let calendar: CalendarBuckets

        init(_ global: GlobalOptions, access: Access) throws {
            path = try global.path
            options = StoreOptions.words(global)
            isJSON = global.json
            let zone = try global.givenZone
            let isThere = FileManager.default.fileExists(atPath: path)
            guard isThere || access == .creating else {
                throw NotDone(
                    "There is no store at \(path.printable) yet. The first weight makes it: "
                        + "openhealth weight log 82.4kg\(options)")
            }
            guard zone == nil, isThere else {
                calendar = CalendarBuckets(timeZone: zone ?? .current)
                return
            }
            // Read before the diary opens the store, and closed: a process that opens one file twice
            // and closes one of them loses SQLite's locks on it.
            let store = try SampleStore(at: path, access: .reading)
            let home = try store.homeZone?.identifier
            try store.close()
            calendar = CalendarBuckets(
                timeZone: home.flatMap { TimeZone(identifier: $0) } ?? .current)
        }

        /// A handle of the diary's own. What it asks for first is granted, since the person who types
        /// the command owns the store; what was taken back stays so.
        func store() throws -> HKHealthStore {
            var configuration = HealthStoreConfiguration(authorization: .grant)
            configuration.region = Self.region(ProcessInfo.processInfo.environment)
            return try HKHealthStore(
                path: path, identity: WeightDiary.identity, configuration: configuration)
        }

        /// Where people measure as this person does, by the locale of the surroundings:
        /// "en_US.UTF-8" is the United States. Foundation doesn't look there.
        private static func region(_ environment: [String: String]) -> Locale.Region? {
            let names = ["LC_ALL", "LC_MEASUREMENT", "LANG"].compactMap { environment[$0] }
            guard let name = names.first(where: { !$0.isEmpty }) else { return nil }
            let parts = name.prefix { $0 != "." && $0 != "@" }.split(separator: "_")
            return parts.count > 1 ? Locale.Region(String(parts[1])) : nil
        }
    }
}

extension Entry {
    /// Whether the diary wrote it.
    var isOwn: Bool { bundleIdentifier == WeightDiary.identity.bundleIdentifier }

    /// NaN for what is no mass.
    var kilograms: Double { value(in: "kg") ?? .nan }
}
