/// Who wrote a sample: an app, a device of Apple's, or the Health app itself.
///
/// Two sources are equal when their bundle identifiers are
/// (Apple's `HKSource`; Semantics §9.9).
public struct Source: Sendable {
    /// The name a person sees, exactly as met: "Sam’s Apple\u{00A0}Watch".
    public var name: String
    /// Reverse-DNS identifier. For imported data it is derived, since an export has none.
    public var bundleIdentifier: String

    public init(name: String, bundleIdentifier: String) {
        self.name = name
        self.bundleIdentifier = bundleIdentifier
    }
}

extension Source: Hashable {
    public static func == (a: Source, b: Source) -> Bool {
        a.bundleIdentifier == b.bundleIdentifier
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(bundleIdentifier) }
}

/// The hardware a sample was measured with, as `HKDevice` describes it.
public struct Device: Hashable, Sendable, Codable {
    public var name: String?
    public var manufacturer: String?
    public var model: String?
    public var hardwareVersion: String?
    public var firmwareVersion: String?
    public var softwareVersion: String?
    public var localIdentifier: String?
    public var udiDeviceIdentifier: String?

    public init(
        name: String? = nil, manufacturer: String? = nil, model: String? = nil,
        hardwareVersion: String? = nil, firmwareVersion: String? = nil,
        softwareVersion: String? = nil, localIdentifier: String? = nil,
        udiDeviceIdentifier: String? = nil
    ) {
        self.name = name
        self.manufacturer = manufacturer
        self.model = model
        self.hardwareVersion = hardwareVersion
        self.firmwareVersion = firmwareVersion
        self.softwareVersion = softwareVersion
        self.localIdentifier = localIdentifier
        self.udiDeviceIdentifier = udiDeviceIdentifier
    }
}

/// Everything that samples written the same way share: source, its version, device and unit.
public struct Origin: Hashable, Sendable {
    /// Index into ``SampleBatch/sources``.
    public var source: Int32
    /// The source's version when it wrote, "17.1" or "4.2.1".
    public var version: String?
    public var device: Device?
    /// The unit the values came in, as written; nil for samples without a quantity.
    public var unit: String?
    /// What the source ran on when it wrote, "iPhone14,2"; nil for imported samples.
    public var productType: String?
    /// The version of the operating system it ran on, "17.1.2"; nil for imported samples.
    public var operatingSystemVersion: String?

    public init(
        source: Int32, version: String? = nil, device: Device? = nil, unit: String? = nil,
        productType: String? = nil, operatingSystemVersion: String? = nil
    ) {
        self.source = source
        self.version = version
        self.device = device
        self.unit = unit
        self.productType = productType
        self.operatingSystemVersion = operatingSystemVersion
    }
}
