import Foundation
import HealthKit

/// A workout's row in a list, formatted as in iOS apps.
struct WorkoutCard {
    let duration: String
    let distance: String
    let energy: String
    let age: String

    private static let durations: DateComponentsFormatter = {
        let formatter = DateComponentsFormatter()
        formatter.allowedUnits = [.hour, .minute, .second]
        formatter.unitsStyle = .positional
        formatter.zeroFormattingBehavior = .pad
        return formatter
    }()

    init(_ workout: HKWorkout, now: Date, locale: Locale) {
        duration = Self.durations.string(from: workout.duration) ?? "–"

        let meters = workout.totalDistance?.doubleValue(for: .meter()) ?? 0
        let distances = MeasurementFormatter()
        distances.locale = locale
        distances.unitOptions = .naturalScale
        distances.numberFormatter.maximumFractionDigits = 1
        distance = distances.string(from: Measurement(value: meters, unit: UnitLength.meters))

        let burned = workout.totalEnergyBurned?.doubleValue(for: .kilocalorie()) ?? 0
        energy = Measurement(value: burned, unit: UnitEnergy.kilocalories)
            .formatted(.measurement(width: .abbreviated, usage: .workout).locale(locale))

        let ages = RelativeDateTimeFormatter()
        ages.locale = locale
        age = ages.localizedString(for: workout.endDate, relativeTo: now)
    }
}
