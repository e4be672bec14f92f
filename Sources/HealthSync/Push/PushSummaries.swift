public import Foundation
import HealthEngine

extension Push {
    /// Sends the activity summaries (rings) of days. The watcher can't deliver them, because they
    /// are no samples: call this after ``Watcher/sync()``, for example for the last seven days.
    ///
    /// A day that was sent before replaces the earlier one if its values differ.
    ///
    /// - Parameters:
    ///   - start: The first day; nil for all days.
    ///   - calendar: The calendar of the days. Its time zone is that of the person.
    /// - Returns: The number of days that were sent.
    /// - Throws: ``PushError``; errors of HealthKit.
    @discardableResult
    public func sendActivitySummaries(
        since start: Date? = nil, calendar: Calendar = .current
    ) async throws -> Int {
        try await sender.sendSummaries(since: start, calendar)
    }
}

extension PushSender {
    func sendSummaries(since start: Date?, _ calendar: Calendar) async throws -> Int {
        let lines = try await encoder.summaries(
            since: start, until: now(), calendar, journal.stream)
        var rest = lines[...]
        while !rest.isEmpty {
            let page = rest.prefix(1000)
            try await sendAlone(page)
            rest = rest.dropFirst(page.count)
        }
        return lines.count
    }
}

extension PushEncoder {
    /// Returns the lines of the summaries of days.
    fileprivate func summaries(
        since start: Date?, until end: Date, _ calendar: Calendar, _ stream: String
    ) async throws -> [Group] {
        var predicate: NSPredicate?
        if let start {
            let units: Set<Calendar.Component> = [.era, .year, .month, .day]
            var first = calendar.dateComponents(units, from: start)
            var last = calendar.dateComponents(units, from: max(start, end))
            first.calendar = calendar
            last.calendar = calendar
            predicate = HKQuery.predicate(forActivitySummariesBetweenStart: first, end: last)
        }
        let summaries = try await HKActivitySummaryQueryDescriptor(predicate: predicate)
            .result(for: store)
        let json = Self.lineEncoder()
        let type = HKObjectType.activitySummaryType().identifier
        return try summaries.compactMap { summary in
            guard let line = PushSummary(summary, calendar, stream) else { return nil }
            return Group(type: type, lines: [try json.encode(line)])
        }
    }
}

/// The activity summary of a day.
private struct PushSummary: Encodable {
    struct Detail: Encodable {
        var activitySummary: Rings
    }

    struct Rings: Encodable {
        let date: String
        let activeEnergyBurned: Double
        let activeEnergyBurnedGoal: Double
        let activeEnergyBurnedUnit = "kcal"
        let appleMoveTime: Double
        let appleMoveTimeGoal: Double
        let appleExerciseTime: Double
        let appleExerciseTimeGoal: Double?
        let appleStandHours: Double
        let appleStandHoursGoal: Double?
    }

    let kind = "sample"
    let uuid: String
    let type: String
    let detail: Detail

    /// Creates the record of a day; nil for a summary without a day.
    init?(_ summary: HKActivitySummary, _ calendar: Calendar, _ stream: String) {
        let day = summary.dateComponents(for: calendar)
        guard let year = day.year, let month = day.month, let number = day.day else { return nil }
        let date = CivilDate(year, month, number)
        guard date.isInCalendar else { return nil }
        type = HKObjectType.activitySummaryType().identifier
        uuid = Self.uuid(of: date, stream)
        detail = Detail(
            activitySummary: Rings(
                date: date.description,
                activeEnergyBurned: summary.activeEnergyBurned.doubleValue(for: .kilocalorie()),
                activeEnergyBurnedGoal: summary.activeEnergyBurnedGoal
                    .doubleValue(for: .kilocalorie()),
                appleMoveTime: summary.appleMoveTime.doubleValue(for: .minute()),
                appleMoveTimeGoal: summary.appleMoveTimeGoal.doubleValue(for: .minute()),
                appleExerciseTime: summary.appleExerciseTime.doubleValue(for: .minute()),
                appleExerciseTimeGoal: summary.exerciseTimeGoal?.doubleValue(for: .minute()),
                appleStandHours: summary.appleStandHours.doubleValue(for: .count()),
                appleStandHoursGoal: summary.standHoursGoal?.doubleValue(for: .count())))
    }

    /// Derives the UUID of a day, because HealthKit has none. It is of version 8 (RFC 9562).
    private static func uuid(of day: CivilDate, _ stream: String) -> String {
        var digest = SHA256()
        digest.update(Array("activitySummary/\(stream)/\(day)".utf8))
        var halves: (UInt64, UInt64) = (0, 0)
        for (index, byte) in digest.bytes().prefix(16).enumerated() {
            if index < 8 {
                halves.0 = halves.0 << 8 | UInt64(byte)
            } else {
                halves.1 = halves.1 << 8 | UInt64(byte)
            }
        }
        let high = halves.0 & ~0xF000 | 0x8000
        let low = halves.1 & ~(0b11 << 62) | 0b10 << 62
        return SampleUUID(high: high, low: low).description
    }
}
