import Foundation
import HealthStorage

/// Everything that handles of one store share: the file, its clock, lock and listeners.
///
/// One per file and process. It lives as long as a handle or a running query does. Nothing of it
/// is public but its name, which a subclass of ``HKHealthStore`` inherits an initializer with.
public final class StoreConnection: Sendable {
    let options: HealthStoreConfiguration
    let protectedData: ProtectedDataState
    let diagnostics: Diagnostics
    let anchorReads = AnchorReads()
    let feed: ChangeFeed
    /// Writes, one after another in the order they were asked for.
    let writing = DispatchQueue(label: "org.openhealthkit.writing", qos: .userInitiated)
    /// Taken for as long as an answer about permission is kept: it is read, changed and written.
    let answering = Locked(())
    private let file: LazyStore
    private let running = Locked(WeakRunningQueries())
    private let deliveries = Locked<[String: BackgroundDelivery]>([:])

    var clock: any HealthStoreClock { options.clock }

    init(
        options: HealthStoreConfiguration, kind: Kind,
        open: @escaping @Sendable () throws -> SampleStore
    ) {
        let file = LazyStore(open)
        let protectedData = options.protectedData ?? ProtectedDataState(clock: options.clock)
        self.options = options
        diagnostics = Diagnostics(
            tally: options.diagnosticsSummary == .included ? .process : nil)
        self.file = file
        self.protectedData = protectedData
        feed = ChangeFeed(.of(file, kind), protectedData: protectedData)
    }

    /// Whether other processes can write to the store.
    enum Kind: Sendable { case file, memory }

    /// The store, for writing and for what a lock doesn't protect.
    ///
    /// - Throws: code 1 or 2 where there is no health data or the file can't be opened.
    var store: SampleStore {
        get throws(HKError) {
            switch options.availability {
            case .available: return try file()
            case .unavailable:
                throw HKError(
                    .errorHealthDataUnavailable, "Health data is unavailable on this device.")
            case .restricted:
                throw HKError(
                    .errorHealthDataRestricted, "Health data is restricted on this device.")
            }
        }
    }

    /// The store, for reading.
    ///
    /// - Throws: Also code 6 while the device is locked (Semantics §8.7).
    var readableStore: SampleStore {
        get throws(HKError) {
            let store = try store
            guard protectedData.isAccessible else {
                throw HKError(
                    .errorDatabaseInaccessible,
                    "The device is locked; read again once it is unlocked.")
            }
            return store
        }
    }

    /// The long-running queries; nil once the last handle is gone.
    var runningQueries: RunningQueries? { running { $0.queries } }

    /// The long-running queries, for a handle to hold.
    func sharedRunningQueries() -> RunningQueries {
        let queries = running { running in
            if let queries = running.queries { return queries }
            let queries = RunningQueries()
            running.queries = queries
            return queries
        }
        queries.ownerComes()
        return queries
    }

    private struct WeakRunningQueries {
        weak var queries: RunningQueries?
    }

    /// When the observers of an app are woken.
    func backgroundDelivery(of app: AppIdentity) -> BackgroundDelivery {
        deliveries { deliveries in
            if let met = deliveries[app.bundleIdentifier] { return met }
            let new = BackgroundDelivery(
                app: app.bundleIdentifier, clock: clock, diagnostics: diagnostics)
            deliveries[app.bundleIdentifier] = new
            return new
        }
    }
}

extension ChangeFeed.Origin {
    /// What a feed asks of a store. A store in memory has no other connection that could tell it of
    /// a change, so its own counter does.
    fileprivate static func of(_ file: LazyStore, _ kind: StoreConnection.Kind) -> Self {
        Self(
            head: { try file().lastSequence },
            changes: { after in
                let (types, sequence) = try file().changedTypes(after: after)
                return StoreChange(types: types, sequence: sequence)
            },
            version: {
                switch kind {
                case .file: Int64(try file().dataVersion())
                case .memory: try file().lastSequence
                }
            },
            watch: { body in
                switch kind {
                case .file: FileWatch(path: try file().path, body)
                case .memory: nil
                }
            })
    }
}
