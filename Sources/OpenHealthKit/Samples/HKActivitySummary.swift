public import Foundation
import HealthEngine

/// The activity rings of one day, as recorded by the device (Semantics §10.1).
///
/// Summaries come from imports. They are not computed from samples, and `save` rejects them.
/// Changing an instance does not change the store.
// Unchecked: as in Apple's framework, callers must not mutate an instance that is shared between
// threads.
open class HKActivitySummary: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The date in the Gregorian calendar, such as "2024-03-10"; nil for a summary that an app
    /// created.
    let day: String?

    /// Whether the move ring measures energy or time. A stored day measures time if there is a goal
    /// for time and none for energy, otherwise energy.
    open var activityMoveMode: HKActivityMoveMode = .activeEnergy
    /// Whether the rings were paused that day. False for a stored day, because exports do not
    /// contain this value.
    open var isPaused = false
    /// The active energy burned.
    open var activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: 0)
    /// The energy goal of the move ring.
    open var activeEnergyBurnedGoal = HKQuantity(unit: .kilocalorie(), doubleValue: 0)
    /// The time moved, if the move ring measures time.
    open var appleMoveTime = HKQuantity(unit: .minute(), doubleValue: 0)
    /// The time goal of the move ring.
    open var appleMoveTimeGoal = HKQuantity(unit: .minute(), doubleValue: 0)
    /// The exercise time.
    open var appleExerciseTime = HKQuantity(unit: .minute(), doubleValue: 0)
    /// The goal of the exercise ring; nil if the day has none.
    open var exerciseTimeGoal: HKQuantity?
    /// The number of hours with standing.
    open var appleStandHours = HKQuantity(unit: .count(), doubleValue: 0)
    /// The goal of the stand ring; nil if the day has none.
    open var standHoursGoal: HKQuantity?

    /// The goal of the exercise ring; 0 minutes if the day has none.
    open var appleExerciseTimeGoal: HKQuantity {
        get { exerciseTimeGoal ?? HKQuantity(unit: .minute(), doubleValue: 0) }
        set { exerciseTimeGoal = newValue }
    }

    /// The goal of the stand ring; 0 if the day has none.
    open var appleStandHoursGoal: HKQuantity {
        get { standHoursGoal ?? HKQuantity(unit: .count(), doubleValue: 0) }
        set { standHoursGoal = newValue }
    }

    /// Creates a summary without a date whose values are 0, for display.
    public override init() { day = nil }

    /// Creates the summary of a stored day. Not part of Apple's API.
    init(_summary: ActivitySummary) {
        day = _summary.date
        super.init()
        let energy =
            _summary.activeEnergyBurnedUnit.flatMap { UnitCache.unit($0) } ?? .kilocalorie()
        func set(
            _ path: ReferenceWritableKeyPath<HKActivitySummary, HKQuantity>, _ value: Double?,
            _ unit: HKUnit
        ) {
            if let value { self[keyPath: path] = HKQuantity(_unit: unit, value: value) }
        }
        set(\.activeEnergyBurned, _summary.activeEnergyBurned, energy)
        set(\.activeEnergyBurnedGoal, _summary.activeEnergyBurnedGoal, energy)
        set(\.appleMoveTime, _summary.appleMoveTime, .minute())
        set(\.appleMoveTimeGoal, _summary.appleMoveTimeGoal, .minute())
        set(\.appleExerciseTime, _summary.appleExerciseTime, .minute())
        set(\.appleExerciseTimeGoal, _summary.appleExerciseTimeGoal, .minute())
        set(\.appleStandHours, _summary.appleStandHours, .count())
        set(\.appleStandHoursGoal, _summary.appleStandHoursGoal, .count())
        if _summary.activeEnergyBurnedGoal ?? 0 == 0, _summary.appleMoveTimeGoal ?? 0 > 0 {
            activityMoveMode = .appleMoveTime
        }
    }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a summary; missing values keep their defaults.
    public required init?(coder: NSCoder) {
        day = coder.string("day")
        super.init()
        activityMoveMode =
            HKActivityMoveMode(rawValue: coder.decodeInteger(forKey: "moveMode")) ?? .activeEnergy
        isPaused = coder.decodeBool(forKey: "isPaused")
        for (key, path) in HKActivitySummary.rings {
            if let quantity = coder.value(HKQuantity.self, key) { self[keyPath: path] = quantity }
        }
        exerciseTimeGoal = coder.value(HKQuantity.self, "exerciseTimeGoal")
        standHoursGoal = coder.value(HKQuantity.self, "standHoursGoal")
    }

    open func encode(with coder: NSCoder) {
        coder.encode(day, for: "day")
        coder.encode(activityMoveMode.rawValue, forKey: "moveMode")
        coder.encode(isPaused, forKey: "isPaused")
        for (key, path) in HKActivitySummary.rings {
            coder.encode(self[keyPath: path], forKey: key)
        }
        if let exerciseTimeGoal { coder.encode(exerciseTimeGoal, forKey: "exerciseTimeGoal") }
        if let standHoursGoal { coder.encode(standHoursGoal, forKey: "standHoursGoal") }
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = HKActivitySummary(_day: day)
        copy.activityMoveMode = activityMoveMode
        copy.isPaused = isPaused
        for (_, path) in HKActivitySummary.rings { copy[keyPath: path] = self[keyPath: path] }
        copy.exerciseTimeGoal = exerciseTimeGoal
        copy.standHoursGoal = standHoursGoal
        return copy
    }

    private init(_day: String?) { day = _day }

    private static var rings: [(String, ReferenceWritableKeyPath<HKActivitySummary, HKQuantity>)] {
        [
            ("activeEnergyBurned", \.activeEnergyBurned),
            ("activeEnergyBurnedGoal", \.activeEnergyBurnedGoal),
            ("appleMoveTime", \.appleMoveTime), ("appleMoveTimeGoal", \.appleMoveTimeGoal),
            ("appleExerciseTime", \.appleExerciseTime), ("appleStandHours", \.appleStandHours),
        ]
    }

    /// Returns the date as era, year, month and day in a calendar. The components include the
    /// calendar.
    ///
    /// - Parameter calendar: The calendar; its time zone does not shift the day.
    /// - Returns: The components; only the calendar is set for a summary without a date.
    open func dateComponents(for calendar: Calendar) -> DateComponents {
        var components = DateComponents()
        let parts = (day ?? "").split(separator: "-").map { Int($0) }
        if parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] {
            // Noon, because days of some calendars and time zones do not begin at midnight.
            var gregorian = Calendar(identifier: .gregorian)
            gregorian.timeZone = calendar.timeZone
            let noon = DateComponents(year: year, month: month, day: day, hour: 12)
            if let date = gregorian.date(from: noon) {
                components = calendar.dateComponents([.era, .year, .month, .day], from: date)
            }
        }
        components.calendar = calendar
        return components
    }
}
