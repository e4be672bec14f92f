import ArgumentParser
import Foundation
import HealthCalendar
import HealthServer
import HealthStorage
import HealthSync
import OpenHealthKit

/// The weight diary: an app on a person's store, built on HealthKit's API and HealthSync.
///
/// A weight is a sample in the store. The mirror, kept in files beside the store, holds copies of
/// the weights and heights that the diary may read, and the notes, tags and photos of weights.
/// ``refresh()`` updates it with the changes of other programs.
struct WeightDiary: Sendable {
    /// The suffix of the mirror's file name.
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

    /// Opens the diary of a store, and requests permissions if they are undecided. Tests pass a
    /// probe, which is called at each step of reading and writing.
    init(_ context: CommandContext, probe: SyncProbe = .none) async throws {
        store = try context.store()
        var configuration = MirrorConfiguration()
        configuration.metadataKeys = [HKMetadataKeyWasUserEntered, HKMetadataKeyTimeZone]
        configuration.units = [.bodyMass: WeightUnit.kilogram.unit, .height: .meter()]
        mirror = try Mirror(
            at: URL(fileURLWithPath: SidecarFiles.path(context.path, Self.file)),
            configuration: configuration, probe: probe)
        writing = WriteThrough(store: store, mirror: mirror, probe: probe)
        var watching = Watcher.Configuration()
        watching.backgroundDelivery = .off
        watcher = Watcher(
            store: store, types: types, positions: mirror, configuration: watching,
            probe: probe)
        try await watcher.mirror(into: mirror)
        try await WeightPermissions(context).requestIfNeeded(store)
    }

    /// Completes writes that a crash interrupted, reads the changes, and compares the last 90 days
    /// of the mirror with the store.
    ///
    /// - Returns: Whether weights were added, deleted or changed.
    @discardableResult
    func refresh() async throws -> Bool {
        let before = try await entries()
        report(try await writing.recover())
        let summary = try await watcher.sync()
        if let failure = summary.failures.values.first { throw failure }
        let reconciliation = try await mirror.reconcile(types, with: store)
        report(reconciliation.recoveries)
        if let failure = reconciliation.failures.values.first { throw failure }
        return try await entries() != before
    }

    private func report(_ recoveries: [Recovery]) {
        for recovery in recoveries { Message.write(WeightMessages.sentence(recovery)) }
    }

    /// Returns every weight in the mirror, newest first, also those that the store no longer shows.
    func entries() async throws -> [MirrorEntry] {
        try await mirror.entries(of: Self.mass)
    }

    /// Returns the latest height that the store shows, in metres; nil if there is none or it isn't
    /// positive.
    func latestHeight() async throws -> (meters: Double, date: Date)? {
        var request = EntryRequest(of: Self.height)
        request.states = [.synced]
        request.limit = 1
        guard let entry = try await mirror.entries(request).first,
            let height = entry.value(in: "m")
        else { return nil }
        return height > 0 ? (height, entry.start) : nil
    }

    /// Returns the unit that the person prefers for weights, of kilograms, pounds and stones.
    func preferredUnit() async throws -> WeightUnit {
        WeightUnit(try await store.preferredUnits(for: [Self.mass])[Self.mass])
    }
}

extension WeightDiary {
    /// The store, the time zone and the output format of a command.
    struct CommandContext: Sendable {
        enum Access: Sendable { case existing, creating }

        let path: String
        let options: String
        let isJSON: Bool
        /// The calendar and time zone of days.
        let calendar: CalendarBuckets

        init(_ global: GlobalOptions, access: Access) throws {
            path = try global.path
            options = StoreOptions.text(global)
            isJSON = global.json
            let zone = try global.explicitTimeZone
            let exists = FileManager.default.fileExists(atPath: path)
            guard exists || access == .creating else {
                throw CommandError(
                    "There is no store at \(path.printable) yet. Add a weight to create it: "
                        + "openhealth weight log 82.4kg\(options)")
            }
            guard zone == nil, exists else {
                calendar = CalendarBuckets(timeZone: zone ?? .current)
                return
            }
            // The store is read and closed before the diary opens it: closing one of two
            // connections to a file in a process would release SQLite's locks.
            let store = try SampleStore(at: path, access: .reading)
            let home = try store.homeZone?.identifier
            try store.close()
            calendar = CalendarBuckets(
                timeZone: home.flatMap { TimeZone(identifier: $0) } ?? .current)
        }

        /// Opens the store as the diary. A first request for permission is granted, since the user
        /// of the command owns the store. A revoked permission stays revoked.
        func store() throws -> HKHealthStore {
            var configuration = HealthStoreConfiguration(authorization: .grant)
            configuration.region = Self.region(ProcessInfo.processInfo.environment)
            return try HKHealthStore(
                path: path, identity: WeightDiary.identity, configuration: configuration)
        }

        /// Returns the region that determines measurement units, from the environment variables of
        /// the locale: "en_US.UTF-8" is the United States. Foundation doesn't read these variables.
        private static func region(_ environment: [String: String]) -> Locale.Region? {
            let names = ["LC_ALL", "LC_MEASUREMENT", "LANG"].compactMap { environment[$0] }
            guard let name = names.first(where: { !$0.isEmpty }) else { return nil }
            let parts = name.prefix { $0 != "." && $0 != "@" }.split(separator: "_")
            return parts.count > 1 ? Locale.Region(String(parts[1])) : nil
        }
    }
}

extension MirrorEntry {
    /// Whether the diary wrote the entry.
    var isOwn: Bool { bundleIdentifier == WeightDiary.identity.bundleIdentifier }

    /// The mass in kilograms; NaN if the value isn't a mass.
    var kilograms: Double { value(in: "kg") ?? .nan }
}

/// The privacy notice of the diary and its request for permissions.
struct WeightPermissions {
    private let context: WeightDiary.CommandContext

    init(_ context: WeightDiary.CommandContext) { self.context = context }

    /// Requests permission to read and save body mass and to read height, unless all of it was
    /// requested before. Shows the notice first.
    func requestIfNeeded(_ store: HKHealthStore) async throws {
        let share: Set<HKSampleType> = [WeightDiary.mass]
        let read: Set<HKObjectType> = [WeightDiary.mass, WeightDiary.height]
        let status = try await store.statusForAuthorizationRequest(toShare: share, read: read)
        guard status == .shouldRequest else { return }
        Message.write(text)
        try await store.requestAuthorization(toShare: share, read: read)
    }

    var text: String {
        let app = WeightDiary.identity.bundleIdentifier
        return """
            About the weight diary, shown before the first weight:

              - It reads and saves your weight, and reads your height. Nothing else.
              - All data stays on this computer. There is no account, and nothing is sent.
              - Weights are saved in your store, where programs with permission can read
                them. Notes, tags and photos are kept in separate files beside the store.
              - Weights are deleted only by remove. Their notes are kept.

            Adding the weight grants these permissions. To revoke them:
              openhealth grants revoke \(app) --read bodyMass height --share bodyMass\(context.options)

            """
    }

    /// Returns the command that allows the diary to save weights again.
    static func sharing(_ options: String) -> String {
        "openhealth grants allow \(WeightDiary.identity.bundleIdentifier) --share bodyMass\(options)"
    }

    /// Returns the command that allows the diary to read weights and heights again.
    static func reading(_ options: String) -> String {
        "openhealth grants allow \(WeightDiary.identity.bundleIdentifier) --read bodyMass height"
            + options
    }
}
