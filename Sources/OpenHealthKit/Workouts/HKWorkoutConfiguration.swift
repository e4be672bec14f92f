public import Foundation
import HealthEngine

/// What a workout will be: the activity, and where it takes place.
///
/// Configurations are equal when all their parts are; a copy is one of its own.
open class HKWorkoutConfiguration: NSObject, NSSecureCoding, NSCopying {
    /// What is done; `.other` until said otherwise.
    open var activityType: HKWorkoutActivityType = .other
    /// Indoors or outdoors.
    open var locationType: HKWorkoutSessionLocationType = .unknown
    /// In a pool or in open water.
    open var swimmingLocationType: HKWorkoutSwimmingLocationType = .unknown
    /// The length of a pool, a length.
    open var lapLength: HKQuantity?

    /// An activity of which nothing is known.
    public override init() {}

    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived configuration.
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
    /// The configuration as stores keep it: a value that the object's owner can't change.
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
        if let length = stored.lapLength, let unit = stored.lapLengthUnit.flatMap(KnownUnits.unit) {
            lapLength = HKQuantity(unit: unit, doubleValue: length)
        }
    }
}

extension HKWorkoutActivityType {
    /// The activity of a stored number; `.other` for one that HealthKit doesn't have.
    init(stored number: Int) {
        self = UInt(exactly: number).flatMap(HKWorkoutActivityType.init(rawValue:)) ?? .other
    }
}
