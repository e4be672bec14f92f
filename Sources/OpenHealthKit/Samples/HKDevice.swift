public import Foundation
public import HealthEngine

/// The hardware a sample was measured with.
///
/// Devices are equal when all their parts are (Semantics §9.9).
// Immutable.
open class HKDevice: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The engine's device; not Apple's.
    let value: Device

    /// A device by what is known of it.
    public convenience init(
        name: String?, manufacturer: String?, model: String?, hardwareVersion: String?,
        firmwareVersion: String?, softwareVersion: String?, localIdentifier: String?,
        udiDeviceIdentifier UDIDeviceIdentifier: String?
    ) {
        self.init(
            _device: Device(
                name: name, manufacturer: manufacturer, model: model,
                hardwareVersion: hardwareVersion, firmwareVersion: firmwareVersion,
                softwareVersion: softwareVersion, localIdentifier: localIdentifier,
                udiDeviceIdentifier: UDIDeviceIdentifier))
    }

    /// A device of the engine's; not Apple's.
    public init(_device: Device) { value = _device }

    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived device.
    public required init?(coder: NSCoder) {
        value = Device(
            name: coder.string("name"), manufacturer: coder.string("manufacturer"),
            model: coder.string("model"), hardwareVersion: coder.string("hardwareVersion"),
            firmwareVersion: coder.string("firmwareVersion"),
            softwareVersion: coder.string("softwareVersion"),
            localIdentifier: coder.string("localIdentifier"),
            udiDeviceIdentifier: coder.string("udiDeviceIdentifier"))
    }

    open func encode(with coder: NSCoder) {
        coder.encode(name, for: "name")
        coder.encode(manufacturer, for: "manufacturer")
        coder.encode(model, for: "model")
        coder.encode(hardwareVersion, for: "hardwareVersion")
        coder.encode(firmwareVersion, for: "firmwareVersion")
        coder.encode(softwareVersion, for: "softwareVersion")
        coder.encode(localIdentifier, for: "localIdentifier")
        coder.encode(udiDeviceIdentifier, for: "udiDeviceIdentifier")
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// This machine: its system's name and version, nothing that tells whose it is.
    open class func local() -> HKDevice { machine }

    /// The name its owner gave it: "Sam’s Apple Watch".
    open var name: String? { value.name }
    /// Who makes it: "Apple Inc."
    open var manufacturer: String? { value.manufacturer }
    /// What it is: "Watch".
    open var model: String? { value.model }
    /// Its hardware: "Watch6,2".
    open var hardwareVersion: String? { value.hardwareVersion }
    /// Its firmware.
    open var firmwareVersion: String? { value.firmwareVersion }
    /// Its software: "10.1".
    open var softwareVersion: String? { value.softwareVersion }
    /// How the machine it is paired with knows it.
    open var localIdentifier: String? { value.localIdentifier }
    /// The device part of its unique device identification.
    open var udiDeviceIdentifier: String? { value.udiDeviceIdentifier }

    private static let machine = HKDevice(
        _device: Device(
            model: systemName,
            softwareVersion: ProcessInfo.processInfo.operatingSystemVersion.text))

    private static var systemName: String {
        #if os(Linux)
            "Linux"
        #else
            "Mac"
        #endif
    }

    open override func isEqual(_ object: Any?) -> Bool { (object as? HKDevice)?.value == value }
    open override var hash: Int { value.hashValue }

    open override var description: String {
        let parts = [
            value.name, value.manufacturer, value.model, value.hardwareVersion,
            value.firmwareVersion, value.softwareVersion,
        ]
        return "HKDevice(\(parts.compactMap { $0 }.joined(separator: ", ")))"
    }
}
