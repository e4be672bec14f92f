import HealthEngine

/// What no body does in a day, or never measures: generous, so that what is beyond is a mistake.
struct CheckUpLimits {
    /// In the type's display unit.
    var lowest = -Double.infinity
    var highest = Double.infinity

    /// The bounds of a day's amount or of a reading; nil for types without any.
    static func of(_ type: SampleType) -> CheckUpLimits? { byName[type.name] }

    private static let byName: [String: CheckUpLimits] = [
        "stepCount": .init(highest: 200_000),
        "distanceWalkingRunning": .init(highest: 300),
        "distanceCycling": .init(highest: 1000),
        "flightsClimbed": .init(highest: 2000),
        "activeEnergyBurned": .init(highest: 20_000),
        "basalEnergyBurned": .init(highest: 8000),
        "heartRate": .init(lowest: 20, highest: 250),
        "restingHeartRate": .init(lowest: 20, highest: 200),
        "respiratoryRate": .init(lowest: 2, highest: 100),
        "bodyMass": .init(lowest: 2, highest: 500),
        "bodyTemperature": .init(lowest: 25, highest: 45),
        "oxygenSaturation": .init(lowest: 0.4, highest: 1.0001),
    ]

    /// Two days' average weights farther apart than this share of the first, within
    /// ``jumpDays``, are a jump.
    static let jumpShare = 0.1
    static let jumpDays = 7
}
