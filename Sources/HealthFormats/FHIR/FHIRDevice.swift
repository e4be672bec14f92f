import HealthEngine
import HealthStorage

/// A source of samples, or a device with which it measured.
struct FHIRDevice: Hashable, Sendable {
    /// The properties of a device that don't change with its software. Its Bluetooth identifier is
    /// left out.
    struct Hardware: Hashable, Sendable {
        var name: String?
        var manufacturer: String?
        var model: String?
        var hardwareVersion: String?
        var udi: String?
    }

    var name: String
    var bundleIdentifier: String
    var hardware: Hardware?

    init(source: Source, hardware: Hardware?) {
        (name, bundleIdentifier) = (source.name, source.bundleIdentifier)
        self.hardware = hardware
    }

    init(source: Source, _ device: Device?) {
        let hardware = device.map {
            Hardware(
                name: $0.name, manufacturer: $0.manufacturer, model: $0.model,
                hardwareVersion: $0.hardwareVersion, udi: $0.udiDeviceIdentifier)
        }
        self.init(source: source, hardware: hardware == Hardware() ? nil : hardware)
    }

    var source: Source { Source(name: name, bundleIdentifier: bundleIdentifier) }

    /// What identifies the device within a store.
    var key: String {
        let parts =
            [bundleIdentifier, bundleIdentifier.isEmpty ? name : nil]
            + (hardware.map { [$0.name, $0.manufacturer, $0.model, $0.hardwareVersion, $0.udi] }
                ?? [])
        return JSONText.array(parts.map { JSONText.text($0) }).text
    }

    func json(id: String, patient: String, parent: String?) -> JSONText {
        let name = FHIRText.string(hardware == nil ? self.name : hardware?.name)
        let identifier = FHIRText.string(bundleIdentifier)
        let model = FHIRText.string(hardware?.hardwareVersion) ?? FHIRText.string(hardware?.model)
        return .object([
            "resourceType": .string("Device"), "id": .string(id),
            "identifier": identifier.map {
                .array([.object(["system": .string(FHIRSystem.source), "value": .string($0)])])
            },
            "udiCarrier": FHIRText.string(hardware?.udi).map {
                .array([.object(["deviceIdentifier": .string($0)])])
            },
            "manufacturer": FHIRText.string(hardware?.manufacturer).map(JSONText.string),
            "deviceName": name.map {
                .array([
                    .object(["name": .string($0), "type": .string("user-friendly-name")])
                ])
            },
            "modelNumber": model.map(JSONText.string),
            "patient": .object(["reference": .string(patient)]),
            "parent": parent.map { .object(["reference": .string($0)]) },
        ])
    }
}
