public import Foundation
import HealthEngine

/// The rings of one day, as the phone recorded them (Semantics §10.1).
///
/// Summaries come from imports; they are never computed here and can't be saved. Changing one that
/// was read changes nothing in the store.
// Unchecked, as with Apple: whoever shares one between threads doesn't change it meanwhile.
open class HKActivitySummary: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// A day in the Gregorian calendar, "2024-03-10"; nil for a summary made by hand.
    let day: String?

    /// What the move ring measures.
    open var activityMoveMode: HKActivityMoveMode = .activeEnergy
    /// Whether the rings were paused that day; not exported, so never.
    open var isPaused = false
    /// Active energy.
    open var activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: 0)
    /// The goal of the move ring, an energy.
    open var activeEnergyBurnedGoal = HKQuantity(unit: .kilocalorie(), doubleValue: 0)
    /// Time moved, where the move ring measures time.
    open var appleMoveTime = HKQuantity(unit: .minute(), doubleValue: 0)
    /// The goal of the move ring, a time.
    open var appleMoveTimeGoal = HKQuantity(unit: .minute(), doubleValue: 0)
    /// Time exercised.
    open var appleExerciseTime = HKQuantity(unit: .minute(), doubleValue: 0)
    /// The goal of the exercise ring; nil where the day has none.
    open var exerciseTimeGoal: HKQuantity?
    /// Hours stood in.
    open var appleStandHours = HKQuantity(unit: .count(), doubleValue: 0)
    /// The goal of the stand ring; nil where the day has none.
    open var standHoursGoal: HKQuantity?

    /// The goal of the exercise ring; 0 where the day has none.
    open var appleExerciseTimeGoal: HKQuantity {
        get { exerciseTimeGoal ?? HKQuantity(unit: .minute(), doubleValue: 0) }
        set { exerciseTimeGoal = newValue }
    }

    /// The goal of the stand ring; 0 where the day has none.
    open var appleStandHoursGoal: HKQuantity {
        get { standHoursGoal ?? HKQuantity(unit: .count(), doubleValue: 0) }
        set { standHoursGoal = newValue }
    }

    /// Empty rings of no day, for a view to show.
    public override init() { day = nil }

    /// A stored day's rings; not Apple's.
    init(_summary: ActivitySummary) {
        day = _summary.date
        super.init()
        let energy =
            _summary.activeEnergyBurnedUnit.flatMap { KnownUnits.unit($0) } ?? .kilocalorie()
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

    /// Reads an archived summary.
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

    /// Which day: era, year, month and day in a calendar, together with it. Without a day only the
    /// calendar.
    open func dateComponents(for calendar: Calendar) -> DateComponents {
        var components = DateComponents()
        let parts = (day ?? "").split(separator: "-").map { Int($0) }
        if parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] {
            // Noon, since some calendars' days and some zones' nights begin elsewhere.
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
