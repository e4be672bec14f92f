/// The app or device that wrote a sample.
///
/// Two sources are equal if their bundle identifiers are equal (Semantics §9.9).
public struct Source: Sendable {
    /// The display name, exactly as recorded: "Sam’s Apple\u{00A0}Watch".
    public var name: String
    /// The bundle identifier. Exports do not contain it, so for imported data it is empty until the
    /// store derives one.
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

/// The device that a sample was measured with. The properties are those of `HKDevice`; nil means
/// not recorded.
public struct Device: Hashable, Sendable, Codable {
    /// The name of the device.
    public var name: String?
    /// The manufacturer.
    public var manufacturer: String?
    /// The model.
    public var model: String?
    /// The hardware version, "Watch6,1".
    public var hardwareVersion: String?
    /// The firmware version.
    public var firmwareVersion: String?
    /// The software version, "10.1".
    public var softwareVersion: String?
    /// An identifier that the phone or watch that received the device's data assigned to it, such
    /// as a Bluetooth identifier. Another phone can use a different one.
    public var localIdentifier: String?
    /// The device identifier part of the FDA's unique device identifier (UDI).
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

/// The source, its version, the device and the unit of a sample. Samples that agree in all of these
/// properties share one origin.
public struct Origin: Hashable, Sendable {
    /// An index into ``SampleBatch/sources``, or -1 for none.
    public var source: Int32
    /// The version of the source at the time of writing, "17.1" or "4.2.1".
    public var version: String?
    /// The device that the samples were measured with.
    public var device: Device?
    /// The unit of the values as written; nil for samples without a quantity.
    public var unit: String?
    /// The hardware that the source ran on, "iPhone14,2"; nil for imported samples.
    public var productType: String?
    /// The version of the operating system that the source ran on, "17.1.2"; nil for imported
    /// samples.
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
