public import Foundation

/// The app that a handle of a store acts for: the source of its saves. Not part of Apple's API.
///
/// ```swift
/// let phone = HKHealthStore.inMemory(identity: AppIdentity("com.example.walks", name: "Walks"))
/// let scale = phone.withIdentity(AppIdentity("com.example.scale", name: "Scale"))
/// ```
/// Handles with different identities on one store act as different apps. Each has its own
/// permissions and owns the samples that it saves.
///
/// The default source priority depends on the bundle identifier and ``productType``, not on the
/// name (Semantics §1.2). The identifier "com.apple.Health" is the Health app. An identifier that
/// begins with "com.apple.health." is an Apple Watch, iPhone or iPod touch if the product type
/// begins with "Watch", "iPhone" or "iPod". Every other identity is an app. The product
/// HealthSimulator has such identities of devices: `.watch(named:)` and `.phone(named:)`.
public struct AppIdentity: Hashable, Sendable {
    /// The bundle identifier, such as "com.example.walks". Identities with the same identifier are
    /// the same app.
    public var bundleIdentifier: String
    /// The name shown to people.
    public var name: String
    /// The version of the app, stored with its samples.
    public var version: String?
    /// The device that the app runs on; nil if it is not known.
    ///
    /// The initializer takes the defaults of ``productType`` and ``operatingSystemVersion`` from
    /// this device. A later change of the device does not affect them. A live workout builder uses
    /// it as the device of the workout. Other samples have the device that the app sets, as in
    /// HealthKit.
    public var device: HKDevice?
    /// The product type, such as "iPhone14,2"; by default the hardware version of the device that
    /// the initializer receives, or nil.
    ///
    /// With a bundle identifier that begins with "com.apple.health.", a product type that begins
    /// with "Watch", "iPhone" or "iPod" makes the source rank as that device. If it is nil, the
    /// hardware version of a saved sample's device is used instead. A source that is recognized
    /// once keeps its rank. With any other identifier except "com.apple.Health", the source ranks
    /// as an app.
    public var productType: String?
    /// The version of the operating system that the app runs on. The default is the software
    /// version of the device that the initializer receives, otherwise the version of this machine.
    public var operatingSystemVersion: OperatingSystemVersion {
        get { OperatingSystemVersion(text: systemVersion) }
        set { systemVersion = newValue.text }
    }

    private var systemVersion: String?

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - bundleIdentifier: The bundle identifier.
    ///   - name: The name shown to people; nil for the bundle identifier.
    ///   - version: The version of the app, or nil.
    ///   - device: The device that the app runs on, or nil.
    ///   - productType: The product type; nil for the device's hardware version.
    ///   - operatingSystemVersion: The version of the operating system. If it is nil, the device's
    ///     software version is used, otherwise the version of this machine.
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

    /// The current app.
    ///
    /// Inside the handler of a query or a save, this is the app of the store handle that executed
    /// it. Inside ``withCurrent(_:_:)``, it is the given app. Elsewhere it is this process.
    ///
    /// The process is identified by the bundle identifier of the main bundle. On Linux that is
    /// `CFBundleIdentifier` in an `Info.plist` beside the executable. Without such a file, the
    /// process is identified by the name of the executable.
    public static var current: AppIdentity { acting ?? process }

    /// The identity of the process.
    static let process = AppIdentity(
        Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName,
        name: ProcessInfo.processInfo.processName,
        version: Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String)

    /// The app that ``withCurrent(_:_:)`` set for the current task; nil if none was set, so that
    /// ``current`` is the process.
    @TaskLocal static var acting: AppIdentity?

    /// Runs a closure as an app. Inside, ``current``, `HKSource.default()` and new handles of
    /// stores use this app.
    ///
    /// ```swift
    /// let scale = AppIdentity("com.example.scale")
    /// try await AppIdentity.withCurrent(scale) { try await ScaleSync(HKHealthStore()).run() }
    /// ```
    /// The identity is a task-local value: child tasks and `Task { }` inherit it, dispatch queues
    /// do not.
    ///
    /// - Parameters:
    ///   - identity: The app.
    ///   - isolation: The actor to run on.
    ///   - body: The closure.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    public static func withCurrent<Result>(
        _ identity: AppIdentity, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $acting.withValue(identity, operation: body, isolation: isolation)
    }

    /// Runs a synchronous closure as an app.
    ///
    /// - Parameters:
    ///   - identity: The app.
    ///   - body: The closure.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    public static func withCurrent<Result>(
        _ identity: AppIdentity, _ body: () throws -> Result
    ) rethrows -> Result {
        try $acting.withValue(identity, operation: body)
    }
}

extension AppIdentity {
    /// The app as a source. Not part of Apple's API.
    public var source: HKSource {
        HKSource(_name: name, bundleIdentifier: bundleIdentifier)
    }

    /// The source revision of samples that the app saves. Not part of Apple's API.
    public var sourceRevision: HKSourceRevision {
        HKSourceRevision(
            source: source, version: version, productType: productType,
            operatingSystemVersion: operatingSystemVersion)
    }
}
