import Foundation

/// One record of a generated export, as plain values.
struct GeneratedRecord: Hashable {
    var type: Int
    var source: String
    /// Seconds since 2001-01-01T00:00:00Z.
    var start: Int
    var end: Int
    var created: Int
    /// A whole number of metres or counts, or a sleep stage, so that units cause no rounding.
    var value: Int
    var note: String?
    /// Whether it is printed in kilometres instead of metres, which changes nothing.
    var isInKilometres = false

    static let types = [
        "HKQuantityTypeIdentifierStepCount", "HKQuantityTypeIdentifierDistanceWalkingRunning",
        "HKCategoryTypeIdentifierSleepAnalysis",
    ]
    static let stages = ["InBed", "AsleepUnspecified", "Awake", "AsleepCore"]
}

/// A generated export, and random edits as they occur on a phone.
struct GeneratedExport {
    var records: [GeneratedRecord] = []
    /// The UTC offset of all its dates, in hours east.
    var offset = 0
    var date = 700_000_000
    /// The number of records in a truncated file; nil for a complete one.
    var readableCount: Int?
    /// The current names of the sources.
    private var names = ["Source 0", "Source 1", "Source 2"]
    private var renamings = 0
    private let naming: Naming

    /// Whether a source may get the former name of another one.
    enum Naming { case fresh, reused }

    init(naming: Naming) { self.naming = naming }

    /// The records that can be read.
    var readable: [GeneratedRecord] { readableCount.map { Array(records.prefix($0)) } ?? records }

    mutating func edit(using random: inout some RandomNumberGenerator) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1, 2:
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                records.append(record(using: &random))
            }
        case 3:
            if let index = records.indices.randomElement(using: &random) {
                records.remove(at: index)
            }
        case 4:
            if let index = records.indices.randomElement(using: &random) {
                records[index].value = Int.random(in: 0...3, using: &random)
            }
        case 5:
            if let record = records.randomElement(using: &random) {
                for _ in 0..<Int.random(in: 1...7, using: &random) { records.append(record) }
            }
        case 6:
            if let index = records.indices.randomElement(using: &random) {
                records[index].note = Bool.random(using: &random) ? "n" : nil
            }
        case 7: rename(using: &random)
        case 8: records.shuffle(using: &random)
        default:
            for index in records.indices { records[index].isInKilometres.toggle() }
        }
    }

    private mutating func rename(using random: inout some RandomNumberGenerator) {
        let place = Int.random(in: 0..<3, using: &random)
        renamings += 1
        let old = names[place]
        let number = naming == .fresh ? 2 + renamings : Int.random(in: 0..<5, using: &random)
        let new = "Source \(number)"
        names[place] = new
        for index in records.indices where records[index].source == old {
            records[index].source = new
        }
    }

    /// Returns a random record. Times, values and sources are few, so that identities collide.
    private func record(using random: inout some RandomNumberGenerator) -> GeneratedRecord {
        let start = 650_000_000 + 600 * Int.random(in: 0..<6, using: &random)
        return GeneratedRecord(
            type: Int.random(in: 0..<3, using: &random),
            source: names[Int.random(in: 0..<3, using: &random)], start: start,
            end: start + 300 * Int.random(in: 0...1, using: &random),
            created: start + 900 + Int.random(in: 0...1, using: &random),
            value: Int.random(in: 0...3, using: &random),
            note: Int.random(in: 0..<5, using: &random) == 0 ? "n" : nil,
            isInKilometres: Bool.random(using: &random))
    }

    var xml: String {
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<HealthData locale=\"en_US\">",
            " <ExportDate value=\"\(text(date))\"/>",
        ]
        for record in readable { lines.append(line(record)) }
        if let readableCount {
            let rest =
                readableCount < records.count ? line(records[readableCount]) : "</HealthData>"
            lines.append(String(rest.prefix(rest.count / 2)))
            return lines.joined(separator: "\n")
        }
        return lines.joined(separator: "\n") + "\n</HealthData>\n"
    }

    private func line(_ record: GeneratedRecord) -> String {
        let unit: String
        let value: String
        switch record.type {
        case 0: (unit, value) = (" unit=\"count\"", String(record.value))
        case 1:
            unit = record.isInKilometres ? " unit=\"km\"" : " unit=\"m\""
            value = record.isInKilometres ? "\(Double(record.value) / 1000)" : String(record.value)
        default:
            unit = ""
            value = "HKCategoryValueSleepAnalysis" + GeneratedRecord.stages[record.value]
        }
        let tag =
            " <Record type=\"\(GeneratedRecord.types[record.type])\" sourceName=\"\(record.source)\""
            + "\(unit) creationDate=\"\(text(record.created))\" startDate=\"\(text(record.start))\""
            + " endDate=\"\(text(record.end))\" value=\"\(value)\""
        guard let note = record.note else { return tag + "/>" }
        return tag + ">\n  <MetadataEntry key=\"Note\" value=\"\(note)\"/>\n </Record>"
    }

    private func text(_ seconds: Int) -> String {
        let style = Date.VerbatimFormatStyle(
            format: """
                \(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \
                \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\
                \(minute: .twoDigits):\(second: .twoDigits)
                """, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt,
            calendar: Calendar(identifier: .gregorian))
        let date = Date(timeIntervalSinceReferenceDate: Double(seconds + offset * 3600))
        return style.format(date) + String(format: " %+03d00", offset)
    }
}
