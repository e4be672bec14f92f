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
    /// The maximum number of days of a page.
    private static let daysOfPage = 1000

    func sendSummaries(since start: Date?, _ calendar: Calendar) async throws -> Int {
        let lines = try await encoder.summaries(
            since: start, until: now(), calendar, journal.stream)
        if lines.isEmpty { return 0 }
        return try await permit.withPermit {
            try requirePermission()
            if let count = try await sendSummaries(lines) { return count }
            // The server is another one, or was restored: it gets all days again.
            try await journal.forgetSummaries()
            state.update { $0.corrections += 1 }
            guard let count = try await sendSummaries(lines) else {
                throw fail(.unexpectedAnswer, nil)
            }
            return count
        }
    }

    /// Sends the days that the server doesn't have yet, or asks whether it still has its cursor if
    /// there are none.
    ///
    /// - Returns: The number of days sent; nil if the server has another cursor.
    private func sendSummaries(_ lines: [PushEncoder.SummaryLine]) async throws -> Int? {
        var sent = try await journal.sentSummaries()
        let new = lines.filter { sent.digests[$0.day] != $0.digest }
        var rest = new[...]
        repeat {
            let page = rest.prefix(Self.daysOfPage)
            let next = page.isEmpty ? sent.cursor : nil
            let header = PushHeader(
                stream: journal.stream + "/" + PushEncoder.summaryType, from: sent.cursor,
                to: next ?? "1-" + suffix(), complete: nil, timeZone: timeZone?.identifier)
            switch try await post(header, page.map(\.group)[...]) {
            case .confirmed(let receipt):
                let digests = Dictionary(
                    page.map { ($0.day, $0.digest) }, uniquingKeysWith: { $1 })
                try await journal.confirmSummaries(digests, cursor: header.to)
                sent.cursor = header.to
                if !page.isEmpty { state.update { $0.add(receipt, at: now()) } }
            case .conflict: return nil
            case .tooLarge: throw fail(.refused(status: 413), nil)
            }
            rest = rest.dropFirst(page.count)
        } while !rest.isEmpty
        return new.count
    }
}

extension PushEncoder {
    /// The line of a day.
    fileprivate struct SummaryLine {
        let day: String
        let group: Group
        /// The SHA-256 of the line.
        let digest: String
    }

    fileprivate static let summaryType = HKObjectType.activitySummaryType().identifier

    /// Returns the lines of the summaries of days.
    fileprivate func summaries(
        since start: Date?, until end: Date, _ calendar: Calendar, _ stream: String
    ) async throws -> [SummaryLine] {
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
        return try summaries.compactMap { summary in
            guard let record = PushSummary(summary, calendar, stream) else { return nil }
            let line = try json.encode(record)
            var digest = SHA256()
            digest.update(Array(line))
            return SummaryLine(
                day: record.detail.activitySummary.date,
                group: Group(type: Self.summaryType, lines: [line]),
                digest: Data(digest.bytes()).base64EncodedString())
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
