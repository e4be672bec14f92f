import Foundation
import HealthDashboard
import HealthEngine
import HealthTesting
import Testing

/// A scenario of Tests/Scenarios/nights: the recordings of trackers, and the expected nights.
struct SleepScenario: Decodable, Sendable, CustomTestStringConvertible {
    struct Night: Decodable, Sendable {
        var morning: String
        var from: String
        var to: String
        /// The time asleep, or "–" if it is unknown.
        var asleep: String
        var inBed: String?
        var mergedIntervals: [[String]]?
        var naps: [[[String]]]?
        var parts: [[String]]?
    }

    struct InvalidScenario: Error, CustomStringConvertible {
        var description: String
    }

    var story: String
    var zone: String
    var cut: Int?
    var horizon: String?
    var sources: [String]
    var samples: [[String]]
    var skipped: [String: Int]?
    var nights: [Night]

    var testDescription: String { story }

    static func all() throws -> [SleepScenario] {
        let folder = ProjectFiles.scenarios.appendingPathComponent("nights")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".json") }.sorted()
            .map { file in
                do {
                    let data = try Data(contentsOf: folder.appendingPathComponent(file))
                    return try JSONDecoder().decode(SleepScenario.self, from: data)
                } catch {
                    throw InvalidScenario(description: "\(file): \(error)")
                }
            }
    }

    func rules() throws -> SleepNights.Rules {
        let calendar = try calendar()
        return SleepNights.Rules(
            calendar: calendar, cut: cut ?? 18, horizon: try horizon.map(time) ?? .distantPast)
    }

    /// Returns the records. A stage that isn't known here stands for a value of a later system.
    func records() throws -> [SleepRecord] {
        try samples.map { fields in
            guard fields.count == 4 || fields.count == 5 else {
                throw InvalidScenario(
                    description: "a sample is [source, stage, start, end, saved]: \(fields)")
            }
            return SleepRecord(
                start: try time(fields[2]), end: try time(fields[3]),
                stage: SleepStage(rawValue: fields[1]),
                source: sources.firstIndex(of: fields[0]) ?? -1,
                saved: fields.count == 5 ? try time(fields[4]) : nil)
        }
    }

    func mergedIntervals(_ rows: [[String]]) throws -> [SleepNight.MergedInterval] {
        try rows.map { row in
            guard row.count == 4, let stage = SleepStage(rawValue: row[1]) else {
                throw InvalidScenario(
                    description: "a merged interval is [source, stage, start, end]: \(row)")
            }
            return SleepNight.MergedInterval(
                start: try time(row[2]), end: try time(row[3]), stage: stage, source: row[0])
        }
    }

    /// Parses "2024-03-10 23:00" or "23:00:01" in the scenario's zone, or "23:00+02:00" with an
    /// offset.
    func time(_ text: String) throws -> Date {
        if text == "undetermined" { return .distantFuture }
        let error = InvalidScenario(description: "“\(text)” is no time")
        guard text.count >= 16, let day = CivilDate(String(text.prefix(10))) else { throw error }
        var clock = text.dropFirst(11)
        var offset: Int?
        if let sign = clock.firstIndex(where: { "+-".contains($0) }) {
            let parts = clock[sign...].dropFirst().split(separator: ":").compactMap { Int($0) }
            guard parts.count == 2 else { throw error }
            offset = (clock[sign] == "-" ? -1 : 1) * (parts[0] * 3600 + parts[1] * 60)
            clock = clock[..<sign]
        }
        let parts = clock.split(separator: ":").compactMap { Int($0) }
        guard parts.count == 2 || parts.count == 3 else { throw error }
        let seconds = parts[0] * 3600 + parts[1] * 60 + (parts.count == 3 ? parts[2] : 0)
        if let offset {
            let reference = day.dayNumber * 86_400 + seconds - offset
            return Date(timeIntervalSinceReferenceDate: Double(reference))
        }
        let components = DateComponents(
            year: day.year, month: day.month, day: day.day, hour: parts[0], minute: parts[1],
            second: seconds % 60)
        guard let date = try calendar().date(from: components) else { throw error }
        return date
    }

    private func calendar() throws -> Calendar {
        guard let zone = TimeZone(identifier: zone) else {
            throw InvalidScenario(description: "“\(zone)” is no zone")
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }
}
