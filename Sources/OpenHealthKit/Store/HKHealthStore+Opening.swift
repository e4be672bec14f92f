import Foundation

// Which store a handle belongs to, and for which app it acts. Not Apple's.
extension HKHealthStore {
    /// A store that lives in memory alone, for tests. Not Apple's.
    ///
    /// ```swift
    /// let store = HKHealthStore.inMemory()
    /// try await store.requestAuthorization(toShare: [steps], read: [steps])
    /// ```
    /// Each call makes a store of its own; ``withIdentity(_:)`` gives further handles of one. It is
    /// gone with its last handle.
    public static func inMemory(
        identity: AppIdentity = .current, configuration: HealthStoreConfiguration = .init()
    ) -> HKHealthStore {
        HKHealthStore(
            _connection: StoreRegistry.inMemory(options: configuration),
            identity: identity)
    }

    /// The store in a file, which is made if there is none. Not Apple's.
    ///
    /// Handles of one file share everything but their identity, and the configuration of the first
    /// counts while any is open.
    ///
    /// - Throws: `HKError`, if the file can't be made or opened or is no store.
    public convenience init(
        path: String, identity: AppIdentity = .current,
        configuration: HealthStoreConfiguration = .init()
    ) throws {
        let connection = StoreRegistry.connection(path: path, options: configuration)
        _ = try connection.store
        self.init(_connection: connection, identity: identity)
    }

    /// The same store as another app or device sees it. Not Apple's.
    public func withIdentity(_ identity: AppIdentity) -> HKHealthStore {
        HKHealthStore(_connection: connection, identity: identity)
    }

    /// How stores behave that `HKHealthStore()` opens; nil for what is usual. Not Apple's.
    ///
    /// Set it before the first such handle. With an availability other than `.available`
    /// ``isHealthDataAvailable()`` is false.
    public static var defaultConfiguration: HealthStoreConfiguration? {
        get { DefaultStore.configuration { $0 } }
        set {
            DefaultStore.configuration.exchange(newValue)
            DefaultStore.forgetMemory()
        }
    }

    /// Whether the device is locked, to be set by tests. Not Apple's.
    public var protectedData: ProtectedDataState { connection.protectedData }

    /// What is wrong in how the store is used. Not Apple's.
    public var diagnostics: Diagnostics { connection.diagnostics }

    /// When this app's observers are woken. Not Apple's.
    public var backgroundDelivery: BackgroundDelivery {
        connection.backgroundDelivery(of: identity)
    }

    /// How the store behaves. Not Apple's.
    public var configuration: HealthStoreConfiguration { connection.options }
}
