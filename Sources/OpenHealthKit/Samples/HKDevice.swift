public import Foundation
public import HealthEngine

/// The hardware that recorded a sample.
///
/// Devices are equal if all their properties are equal (Semantics §9.9).
// `@unchecked Sendable`: all stored properties are immutable.
open class HKDevice: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The engine's device. Not part of Apple's API.
    let value: Device

    /// Creates a device.
    ///
    /// - Parameters:
    ///   - name: The name given by the owner.
    ///   - manufacturer: The manufacturer.
    ///   - model: The model.
    ///   - hardwareVersion: The hardware version.
    ///   - firmwareVersion: The firmware version.
    ///   - softwareVersion: The software version.
    ///   - localIdentifier: The identifier that a phone or watch uses for the device, such as a
    ///     Bluetooth identifier. It is valid only on that phone or watch.
    ///   - UDIDeviceIdentifier: The device identifier (DI) in the unique device identification
    ///     (UDI).
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

    /// Creates a device from the engine's device. Not part of Apple's API.
    ///
    /// - Parameter _device: The engine's device.
    public init(_device: Device) { value = _device }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a device.
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

    /// Returns this machine. Only two properties are set: the model, "Linux" or "Mac", and the
    /// software version, which is the version of the operating system.
    ///
    /// - Returns: The device.
    open class func local() -> HKDevice { machine }

    /// The name given by the owner, such as "Sam’s Apple Watch".
    open var name: String? { value.name }
    /// The manufacturer, such as "Apple Inc."
    open var manufacturer: String? { value.manufacturer }
    /// The model, such as "Watch".
    open var model: String? { value.model }
    /// The hardware version, such as "Watch6,2".
    open var hardwareVersion: String? { value.hardwareVersion }
    /// The firmware version.
    open var firmwareVersion: String? { value.firmwareVersion }
    /// The software version, such as "10.1".
    open var softwareVersion: String? { value.softwareVersion }
    /// The identifier that a phone or watch uses for this device, such as a Bluetooth identifier.
    /// It is valid only on that phone or watch.
    open var localIdentifier: String? { value.localIdentifier }
    /// The device identifier (DI) in the unique device identification (UDI).
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
