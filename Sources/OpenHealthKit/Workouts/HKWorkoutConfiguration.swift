public import Foundation
import HealthEngine

/// The activity type and location of a workout.
///
/// Configurations are equal if all their properties are equal. A copy is independent.
open class HKWorkoutConfiguration: NSObject, NSSecureCoding, NSCopying {
    /// The activity type; `.other` by default.
    open var activityType: HKWorkoutActivityType = .other
    /// Whether the workout takes place indoors or outdoors; `.unknown` by default.
    open var locationType: HKWorkoutSessionLocationType = .unknown
    /// Whether a swim takes place in a pool or in open water; `.unknown` by default.
    open var swimmingLocationType: HKWorkoutSwimmingLocationType = .unknown
    /// The length of a lap in a pool, in a unit of length; nil by default.
    open var lapLength: HKQuantity?

    /// Creates a configuration with the default values.
    public override init() {}

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a configuration. Missing and unknown values become the default values.
    public required init?(coder: NSCoder) {
        super.init()
        let activity = coder.decodeInteger(forKey: "activityType")
        activityType = HKWorkoutActivityType(stored: activity)
        let location = coder.decodeInteger(forKey: "locationType")
        locationType = HKWorkoutSessionLocationType(rawValue: location) ?? .unknown
        let swimming = coder.decodeInteger(forKey: "swimmingLocationType")
        swimmingLocationType = HKWorkoutSwimmingLocationType(rawValue: swimming) ?? .unknown
        lapLength = coder.value(HKQuantity.self, "lapLength")
    }

    open func encode(with coder: NSCoder) {
        coder.encode(Int(activityType.rawValue), forKey: "activityType")
        coder.encode(locationType.rawValue, forKey: "locationType")
        coder.encode(swimmingLocationType.rawValue, forKey: "swimmingLocationType")
        if let lapLength { coder.encode(lapLength, forKey: "lapLength") }
    }

    open func copy(with zone: NSZone? = nil) -> Any { HKWorkoutConfiguration(stored) }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKWorkoutConfiguration else { return false }
        return activityType == other.activityType && locationType == other.locationType
            && swimmingLocationType == other.swimmingLocationType && lapLength == other.lapLength
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(activityType)
        hasher.combine(locationType)
        hasher.combine(swimmingLocationType)
        return hasher.finalize()
    }
}

extension HKWorkoutConfiguration {
    /// The stored form, an immutable copy of the configuration.
    var stored: WorkoutActivityConfiguration {
        WorkoutActivityConfiguration(
            activityType: Int(activityType.rawValue), locationType: locationType.rawValue,
            swimmingLocationType: swimmingLocationType.rawValue, lapLength: lapLength?.value,
            lapLengthUnit: lapLength?.unit.unitString)
    }

    convenience init(_ stored: WorkoutActivityConfiguration) {
        self.init()
        activityType = HKWorkoutActivityType(stored: stored.activityType)
        locationType = HKWorkoutSessionLocationType(rawValue: stored.locationType) ?? .unknown
        swimmingLocationType =
            HKWorkoutSwimmingLocationType(rawValue: stored.swimmingLocationType) ?? .unknown
        if let length = stored.lapLength, let unit = stored.lapLengthUnit.flatMap(UnitCache.unit) {
            lapLength = HKQuantity(unit: unit, doubleValue: length)
        }
    }
}

extension HKWorkoutActivityType {
    /// Creates the activity type of a stored number; `.other` for an unknown one.
    init(stored number: Int) {
        self = UInt(exactly: number).flatMap(HKWorkoutActivityType.init(rawValue:)) ?? .other
    }
}
