import Foundation

// Opening stores and creating handles for apps. Not part of Apple's API.
extension HKHealthStore {
    /// Opens a new in-memory store, for tests. Not part of Apple's API.
    ///
    /// ```swift
    /// let store = HKHealthStore.inMemory()
    /// try await store.requestAuthorization(toShare: [steps], read: [steps])
    /// ```
    /// Each call creates a separate store. ``withIdentity(_:)`` creates further handles of the same
    /// store. The store is released with its last handle.
    ///
    /// - Parameters:
    ///   - identity: The app that the handle acts for.
    ///   - configuration: The behaviour of the store.
    /// - Returns: A handle of the store.
    public static func inMemory(
        identity: AppIdentity = .current, configuration: HealthStoreConfiguration = .init()
    ) -> HKHealthStore {
        HKHealthStore(
            _connection: StoreRegistry.inMemory(options: configuration),
            identity: identity)
    }

    /// Opens the store in a file, and creates it if it does not exist. Not part of Apple's API.
    ///
    /// All handles of one file in a process share a connection. The configuration of the first
    /// handle applies to all of them, as long as any of them exists.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - identity: The app that the handle acts for.
    ///   - configuration: The behaviour of the store.
    /// - Throws: `HKError` if the file cannot be created or opened or is not a store, or if the
    ///   configuration makes health data unavailable.
    public convenience init(
        path: String, identity: AppIdentity = .current,
        configuration: HealthStoreConfiguration = .init()
    ) throws {
        let connection = StoreRegistry.connection(path: path, options: configuration)
        _ = try connection.store
        self.init(_connection: connection, identity: identity)
    }

    /// Returns a handle of the same store for another app. Not part of Apple's API.
    ///
    /// - Parameter identity: The app that the handle acts for.
    /// - Returns: The handle.
    public func withIdentity(_ identity: AppIdentity) -> HKHealthStore {
        HKHealthStore(_connection: connection, identity: identity)
    }

    /// The configuration of stores that `HKHealthStore()` opens; nil for the default configuration,
    /// which for a file uses stored permissions. Not part of Apple's API.
    ///
    /// Set it before the first such handle is created. Setting it also releases the default
    /// in-memory store: later handles get a new one. With an availability other than `.available`,
    /// ``isHealthDataAvailable()`` returns false.
    public static var defaultConfiguration: HealthStoreConfiguration? {
        get { DefaultStore.configuration { $0 } }
        set {
            DefaultStore.configuration.exchange(newValue)
            DefaultStore.releaseMemory()
        }
    }

    /// The simulated lock state of the device, for tests. Not part of Apple's API.
    public var protectedData: ProtectedDataState { connection.protectedData }

    /// The findings about incorrect use of the store. Not part of Apple's API.
    public var diagnostics: Diagnostics { connection.diagnostics }

    /// The background delivery to the observers of the handle's app. Not part of Apple's API.
    public var backgroundDelivery: BackgroundDelivery {
        connection.backgroundDelivery(of: identity)
    }

    /// The behaviour of the store. Not part of Apple's API.
    public var configuration: HealthStoreConfiguration { connection.options }
}
