public import OpenHealthKit

extension AppIdentity {
    /// An Apple Watch, which writes as a source of its own: steps, heart rate, sleep.
    ///
    /// - Parameter name: What people see, and what its bundle identifier comes from: watches of
    ///   different names are different sources.
    public static func watch(named name: String) -> AppIdentity {
        device(named: name, model: "Watch", product: "Watch7,3", system: "26.1")
    }

    /// An iPhone, which writes as a source of its own: steps, flights climbed.
    ///
    /// - Parameter name: As for ``watch(named:)``.
    public static func phone(named name: String) -> AppIdentity {
        device(named: name, model: "iPhone", product: "iPhone15,2", system: "26.1")
    }

    /// The Health app, where people enter values by hand.
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

    /// The same for the same text on every machine: what a device's UUID is on a phone.
    private static func identifier(of text: String) -> String {
        // FNV-1a.
        let seed = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        var random = SeededGenerator(seed: seed)
        return Simulation.uuid(&random)
    }
}
