import Foundation
import HealthKit

class WorkoutLine {
    var workout: HKWorkout

    init(workout: HKWorkout) {
        self.workout = workout
    }

    lazy var durationFormatter: DateComponentsFormatter = {
        let f = DateComponentsFormatter()
        f.allowedUnits = [.hour, .minute]
        f.unitsStyle = .abbreviated
        return f
    }()

    func text(now: Date) -> String {
        let length = MeasurementFormatter()
        length.unitOptions = [.providedUnit]
        length.numberFormatter.maximumFractionDigits = 2
        length.locale = Locale(identifier: "en_US")
        let km = workout.totalDistance?.doubleValue(for: HKUnit.meterUnit(with: .kilo)) ?? 0
        let distance = length.string(from: Measurement(value: km, unit: UnitLength.kilometers))
        let relative = RelativeDateTimeFormatter()
        relative.unitsStyle = .full
        relative.locale = Locale(identifier: "en_US")
        let ago = relative.localizedString(for: workout.endDate, relativeTo: now)
        let duration = durationFormatter.string(from: workout.duration) ?? ""
        return "\(duration), \(distance), \(ago)"
    }
}
