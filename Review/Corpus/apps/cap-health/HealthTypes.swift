import HealthKit

struct QuantityKind {
    let type: HKQuantityType
    let unit: HKUnit
    let options: HKStatisticsOptions
}

/// Names of the web side.
enum HealthTypes {

    static func quantity(named name: String) -> QuantityKind? {
        switch name {
        case "stepCount":
            return QuantityKind(type: HKQuantityType(.stepCount), unit: .count(), options: .cumulativeSum)
        case "flightsClimbed":
            return QuantityKind(type: HKQuantityType(.flightsClimbed), unit: .count(), options: .cumulativeSum)
        case "calories":
            return QuantityKind(
                type: HKQuantityType(.activeEnergyBurned), unit: .kilocalorie(), options: .cumulativeSum)
        case "distance":
            return QuantityKind(
                type: HKQuantityType(.distanceWalkingRunning), unit: .meter(), options: .cumulativeSum)
        case "weight":
            return QuantityKind(
                type: HKQuantityType(.bodyMass), unit: .gramUnit(with: .kilo), options: .discreteAverage)
        case "heartRate":
            return QuantityKind(
                type: HKQuantityType(.heartRate), unit: HKUnit(from: "count/min"), options: .discreteAverage)
        case "bloodGlucose":
            return QuantityKind(
                type: HKQuantityType(.bloodGlucose), unit: HKUnit(from: "mg/dL"), options: .discreteAverage)
        case "bodyFat":
            return QuantityKind(
                type: HKQuantityType(.bodyFatPercentage), unit: .percent(), options: .discreteAverage)
        default:
            return nil
        }
    }

    static func samples(named name: String) -> [HKSampleType] {
        switch name {
        case "sleep": return [HKCategoryType(.sleepAnalysis)]
        case "mindfulness": return [HKCategoryType(.mindfulSession)]
        case "workouts": return [HKObjectType.workoutType()]
        case "activity":
            return [HKQuantityType(.stepCount), HKQuantityType(.flightsClimbed), .workoutType()]
        default: return quantity(named: name).map { [$0.type] } ?? []
        }
    }

    static func objects(named name: String) -> [HKObjectType] {
        switch name {
        case "dateOfBirth": return [HKCharacteristicType(.dateOfBirth)]
        case "biologicalSex": return [HKCharacteristicType(.biologicalSex)]
        default: return samples(named: name)
        }
    }
}
