/// How the speed of an activity is written: as a pace or as a speed.
package enum WorkoutSpeed: Hashable, Sendable {
    /// The time for a kilometre or mile: walking, running and hiking.
    case pace
    /// The time for 100 metres: swimming.
    case swimmingPace
    /// Kilometres or miles in an hour: all other activities.
    case speed

    /// Returns the form for an activity.
    ///
    /// - Parameter activity: The activity's display name, as in ``WorkoutSummary/activity``.
    package init(of activity: String) {
        switch activity {
        case "walking", "running", "hiking": self = .pace
        case "swimming": self = .swimmingPace
        default: self = .speed
        }
    }

    /// The name of the quantity: "Pace" or "Speed".
    package var title: String { self == .speed ? "Speed" : "Pace" }

    /// Returns the unit: "min/km", "min/mi", "min/100 m", "km/h" or "mph".
    package func unit(per unit: WorkoutSplit.Unit = .kilometre) -> String {
        switch self {
        case .pace: unit == .kilometre ? "min/km" : "min/mi"
        case .swimmingPace: "min/100 m"
        case .speed: unit == .kilometre ? "km/h" : "mph"
        }
    }

    /// Returns the number without its unit: "5:42" or "21.4"; nil without a distance or a duration.
    ///
    /// - Parameters:
    ///   - metres: The distance.
    ///   - seconds: The duration.
    ///   - unit: The unit of distance, except for swimming.
    package func number(
        metres: Double, seconds: Double, per unit: WorkoutSplit.Unit = .kilometre
    ) -> String? {
        guard metres.isFinite, metres > 0, seconds.isFinite, seconds > 0 else { return nil }
        switch self {
        case .pace: return WorkoutText.minutes(seconds / (metres / unit.metres))
        case .swimmingPace: return WorkoutText.minutes(seconds / (metres / 100))
        case .speed:
            return NumberText.grouped(metres / unit.metres / (seconds / 3600), digits: 1)
        }
    }

    /// Returns the number with the reader's unit: "5:42 min/km", "9:10 min/mi"; nil without a distance or a duration.
    package func text(metres: Double, seconds: Double) -> String? {
        let unit = WorkoutSplit.Unit.ofReader
        return number(metres: metres, seconds: seconds, per: unit).map {
            "\($0) \(self.unit(per: unit))"
        }
    }
}
