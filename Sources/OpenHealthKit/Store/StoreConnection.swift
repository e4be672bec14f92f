import Foundation
import HealthStorage

/// The state that all handles of one store share: the file, its clock, lock state and subscribers.
///
/// There is one connection for each file in a process. It lives as long as a handle or a running
/// query. Only the name of the class is public, because a public initializer of ``HKHealthStore``,
/// which subclasses inherit, uses it.
public final class StoreConnection: Sendable {
    let options: HealthStoreConfiguration
    let protectedData: ProtectedDataState
    let diagnostics: Diagnostics
    let anchorReadTracker = AnchorReadTracker()
    let feed: ChangeFeed
    /// The serial queue for writes.
    let writeQueue = DispatchQueue(label: "org.openhealthkit.writing", qos: .userInitiated)
    /// Locked while a permission is read, changed and written back.
    let authorizationLock = Locked(())
    /// The apps that receive mirrored workout sessions, for a store in memory.
    let mirrors = MirrorList()
    private let file: LazyStore
    private let kind: Kind
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
            counter: options.diagnosticsSummary == .included ? .process : nil)
        self.file = file
        self.kind = kind
        self.protectedData = protectedData
        feed = ChangeFeed(.of(file, kind), protectedData: protectedData)
    }

    /// Creates another change feed of the store. If no file system events arrive, it checks for
    /// changes every `idlePollInterval` milliseconds.
    func makeFeed(idlePollInterval: Int) -> ChangeFeed {
        ChangeFeed(
            .of(file, kind), protectedData: protectedData, idlePollInterval: idlePollInterval)
    }

    /// Whether other processes can write to the store.
    enum Kind: Sendable { case file, memory }

    /// The path of the store; nil for one in memory, and if the file can't be opened.
    var filePath: String? {
        switch kind {
        case .file: try? store.path
        case .memory: nil
        }
    }

    /// The store, for writes and for data that is available while the device is locked.
    ///
    /// - Throws: `errorHealthDataUnavailable` or `errorHealthDataRestricted` according to the
    ///   configuration; another `HKError` if the file cannot be opened.
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

    /// The store, for reads.
    ///
    /// - Throws: `errorDatabaseInaccessible` while the device is locked (Semantics §8.7); otherwise
    ///   as ``store``.
    var readableStore: SampleStore {
        get throws(HKError) {
            let store = try store
            guard protectedData.isAccessible else {
                throw HKError(
                    .errorDatabaseInaccessible,
                    "The device is locked: read again after it is unlocked.")
            }
            return store
        }
    }

    /// The running queries; nil once the last handle is released.
    var runningQueries: RunningQueries? { running { $0.queries } }

    /// Returns the object that keeps the running queries, and counts a new handle. The handle must
    /// retain the object.
    func sharedRunningQueries() -> RunningQueries {
        let queries = running { running in
            if let queries = running.queries { return queries }
            let queries = RunningQueries()
            running.queries = queries
            return queries
        }
        queries.addOwner()
        return queries
    }

    private struct WeakRunningQueries {
        weak var queries: RunningQueries?
    }

    /// Returns the background delivery of an app.
    func backgroundDelivery(of app: AppIdentity) -> BackgroundDelivery {
        deliveries { deliveries in
            if let existing = deliveries[app.bundleIdentifier] { return existing }
            let new = BackgroundDelivery(
                app: app.bundleIdentifier, clock: clock, diagnostics: diagnostics)
            deliveries[app.bundleIdentifier] = new
            return new
        }
    }
}

extension ChangeFeed.Origin {
    /// The changes of a store. An in-memory store has no other connection whose commits must be
    /// detected, so its last sequence number serves as the version.
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
                case .file: FileWatch(path: try file().path, body).map { [$0] }
                case .memory: nil
                }
            })
    }
}

/// A store that is opened on first use, so that creating a handle is cheap and cannot fail.
final class LazyStore: Sendable {
    private let opened: Locked<SampleStore?>
    private let open: @Sendable () throws -> SampleStore

    init(_ open: @escaping @Sendable () throws -> SampleStore) {
        self.opened = Locked(nil)
        self.open = open
    }

    /// Returns the store. A failed attempt to open it is repeated by the next call.
    func callAsFunction() throws(HKError) -> SampleStore {
        do {
            return try opened { store in
                if let store { return store }
                let new = try open()
                store = new
                return new
            }
        } catch {
            throw HKError(reporting: error)
        }
    }
}
