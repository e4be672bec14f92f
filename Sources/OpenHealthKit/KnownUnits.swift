import HealthEngine
import Synchronization

/// Units met before, by their strings, so that a string is read once.
enum KnownUnits {
    /// A store holds some hundred different units; more than this are strings of strangers.
    private static let capacity = 1_000
    private static let met = Mutex<[String: HKUnit]>([:])

    /// The unit of a string; nil if it is none.
    static func unit(_ string: String) -> HKUnit? {
        if let unit = met.withLock({ $0[string] }) { return unit }
        guard let value = try? HealthUnit(string) else { return nil }
        let unit = HKUnit(_unit: value)
        met.withLock { if $0.count < capacity { $0[string] = unit } }
        return unit
    }

    /// - Throws: `errorInvalidArgument` with the engine's words.
    static func parsed(_ string: String) throws(HKError) -> HealthUnit {
        do {
            return try unit(string)?.value ?? HealthUnit(string)
        } catch {
            throw HKError(.errorInvalidArgument, "Unable to parse \(error)")
        }
    }
}
