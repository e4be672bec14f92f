public import Foundation

/// The app that a handle of a store acts for: the source of what it saves. Not Apple's.
///
/// ```swift
/// let phone = HKHealthStore.inMemory(identity: AppIdentity("com.example.walks", name: "Walks"))
/// let scale = phone.withIdentity(AppIdentity("com.example.scale", name: "Scale"))
/// ```
/// Handles of different identities on one store are different apps to it: each has its own
/// permissions and sees its own samples as its own.
public struct AppIdentity: Hashable, Sendable {
    /// "com.example.walks"; two identities with one bundle identifier are one app.
    public var bundleIdentifier: String
    /// The name people see.
    public var name: String
    /// The app's version, kept with what it saves.
    public var version: String?
    /// The device the app runs on. Its hardware and system go into the source revision of what the
    /// app saves; a sample's own device is what the app gives it, as with Apple.
    public var device: HKDevice?
    /// "iPhone14,2"; the device's hardware version unless given.
    public var productType: String?
    /// The system the app runs on; the device's software version unless given.
    public var operatingSystemVersion: OperatingSystemVersion {
        get { OperatingSystemVersion(text: systemVersion) }
        set { systemVersion = newValue.text }
    }

    private var systemVersion: String?

    /// An app, on a device or on this machine.
    ///
    /// - Parameter operatingSystemVersion: The device's software version if nil, and without a
    ///   device this machine's.
    public init(
        _ bundleIdentifier: String, name: String? = nil, version: String? = nil,
        device: HKDevice? = nil, productType: String? = nil,
        operatingSystemVersion: OperatingSystemVersion? = nil
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.name = name ?? bundleIdentifier
        self.version = version
        self.device = device
        self.productType = productType ?? device?.hardwareVersion
        systemVersion =
            operatingSystemVersion?.text ?? device?.softwareVersion
            ?? ProcessInfo.processInfo.operatingSystemVersion.text
    }

    /// The app that runs: in a handler that of the handle whose query or change it belongs to, inside
    /// ``withCurrent(_:_:)`` the one given, else this process.
    ///
    /// The process has the main bundle's identifier. On Linux that is `CFBundleIdentifier` of an
    /// `Info.plist` in the folder of the executable; without one it is the name of the executable.
    public static var current: AppIdentity { acting ?? process }

    /// The process itself.
    static let process = AppIdentity(
        Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName,
        name: ProcessInfo.processInfo.processName,
        version: Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String)

    /// The app that something is done for at present; nil for the process.
    @TaskLocal static var acting: AppIdentity?

    /// Runs code as an app: inside, ``current``, `HKSource.default()` and new handles of stores are this
    /// app's.
    ///
    /// ```swift
    /// let scale = AppIdentity("com.example.scale")
    /// try await AppIdentity.withCurrent(scale) { try await ScaleSync(HKHealthStore()).run() }
    /// ```
    /// It reaches as far as a task-local value does: into child tasks and `Task { }`, not into queues.
    public static func withCurrent<Result>(
        _ identity: AppIdentity, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $acting.withValue(identity, operation: body, isolation: isolation)
    }

    /// Runs code as an app, without waiting.
    public static func withCurrent<Result>(
        _ identity: AppIdentity, _ body: () throws -> Result
    ) rethrows -> Result {
        try $acting.withValue(identity, operation: body)
    }
}

extension AppIdentity {
    /// The app as a source; not Apple's.
    public var source: HKSource {
        HKSource(_name: name, bundleIdentifier: bundleIdentifier)
    }

    /// The app as what it saves will name it; not Apple's.
    public var sourceRevision: HKSourceRevision {
        HKSourceRevision(
            source: source, version: version, productType: productType,
            operatingSystemVersion: operatingSystemVersion)
    }
}
