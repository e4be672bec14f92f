import HealthEngine
public import OpenHealthKit

extension AppIdentity {
    /// Returns the identity of an Apple Watch as a source.
    ///
    /// - Parameter name: The display name. The bundle identifier is derived from it, so watches
    ///   with different names are different sources.
    /// - Returns: An identity with the Watch's device and version.
    public static func watch(named name: String) -> AppIdentity {
        device(named: name, model: "Watch", product: "Watch7,3", system: "26.1")
    }

    /// Returns the identity of an iPhone as a source.
    ///
    /// - Parameter name: The display name. The bundle identifier is derived from it, so phones with
    ///   different names are different sources.
    /// - Returns: An identity with the iPhone's device and version.
    public static func phone(named name: String) -> AppIdentity {
        device(named: name, model: "iPhone", product: "iPhone15,2", system: "26.1")
    }

    /// The identity of the Health app, the source of values entered manually.
    public static let healthApp = AppIdentity("com.apple.Health", name: "Health")

    private static func device(
        named name: String, model: String, product: String, system: String
    ) -> AppIdentity {
        AppIdentity(
            "com.apple.health.\(identifier(of: name + model))", name: name, version: system,
            device: HKDevice(
                name: model == "Watch" ? "Apple Watch" : model, manufacturer: "Apple Inc.",
                model: model, hardwareVersion: product, firmwareVersion: nil,
                softwareVersion: system, localIdentifier: nil, udiDeviceIdentifier: nil))
    }

    /// Returns a UUID that depends only on a text. It corresponds to the UUID in the bundle
    /// identifier of a real device.
    private static func identifier(of text: String) -> String {
        var random = SeededGenerator(seed: FNV1a.hash(of: text))
        return Simulation.uuid(&random)
    }
}
