import HealthEngine

/// Texts for the values of workouts.
package enum WorkoutText {
    /// Returns minutes and seconds, rounded to seconds: "5:42" for 342 seconds, "75:10" for 4,510.
    package static func minutes(_ seconds: Double) -> String {
        let whole = Int(clamping: seconds.rounded())
        let (minutes, rest) = whole.magnitude.quotientAndRemainder(dividingBy: 60)
        return (whole < 0 ? "-" : "") + NumberText.grouped(Double(minutes)) + ":"
            + (rest < 10 ? "0" : "") + String(rest)
    }

    /// Returns a distance in the reader's unit: "5.21 km", "3.24 mi".
    package static func distance(_ metres: Double, digits: Int = 2) -> String {
        let unit = DisplayUnit("km")
        return NumberText.grouped(unit.displayed(metres / 1000), digits: digits)
            + " \(unit.symbol)"
    }

    /// Returns a height in the reader's unit: "120 m", "394 ft".
    package static func height(_ metres: Double) -> String {
        let unit = DisplayUnit("m")
        return "\(NumberText.grouped(unit.displayed(metres))) \(unit.symbol)"
    }

    /// Returns the distance of a workout, else its duration: "5.21 km" or "0:45 h".
    package static func amount(of workout: WorkoutSummary) -> String {
        workout.distance.map { distance($0) } ?? "\(NumberText.hours(workout.duration)) h"
    }

    /// Returns the name of a record: "Longest distance", "Fastest pace".
    package static func title(of record: WorkoutRecord) -> String {
        switch record.kind {
        case .distance: "Longest distance"
        case .duration: "Longest duration"
        case .speed: "Fastest \(WorkoutSpeed(of: record.activity).title.lowercased())"
        case .energy: "Most energy"
        }
    }

    /// Returns the value of a record: "21.10 km", "2:10 h", "4:58 min/km", "1,240 kcal".
    package static func value(of record: WorkoutRecord) -> String {
        switch record.kind {
        case .distance: distance(record.value)
        case .duration: "\(NumberText.hours(record.value)) h"
        case .speed:
            WorkoutSpeed(of: record.activity).text(metres: record.value, seconds: 1) ?? "–"
        case .energy: "\(NumberText.grouped(record.value)) kcal"
        }
    }
}
