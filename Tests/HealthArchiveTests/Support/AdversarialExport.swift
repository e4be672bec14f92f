import Foundation
import Testing

/// Exports that are extreme in one respect, unlike any that a phone writes.
enum AdversarialExport: String, CaseIterable, CustomTestStringConvertible {
    case longSourceName = "one source name of n kilobytes"
    case longSourceNames = "six source names of n kilobytes"
    case sources = "n sources"
    case sourcesAtOnce = "n sources at one moment"
    case longSamples = "n samples of two years from many sources"
    case versions = "n versions of a source"
    case devices = "n devices"
    case units = "n units"
    case types = "n types"
    case values = "n values of a category"
    case equalRecords = "n equal records"
    case equalTimes = "n records that differ in their value alone"
    case equalMembers = "a correlation of n equal members"
    case correlations = "correlations with n equal members in all"
    case unknownElements = "n unknown elements"
    case unknownInRecord = "a record with n unknown elements"
    case invalidRecords = "n invalid records"
    case metadataEntries = "a record with n metadata entries"
    case metadataSets = "n sets of metadata"
    case longMetadata = "metadata of n kilobytes in values of 100"
    case longAttributes = "n unknown attributes of 4 kilobytes"
    case activities = "a workout with n activities"
    case events = "a workout with n events"
    case summaries = "n activity summaries"
    case malformedLines = "n lines that are no markup"
    case openWorkout = "a workout without an end before n records"

    var testDescription: String { rawValue }

    /// The size of the smallest file.
    var base: Int {
        switch self {
        case .longSourceName, .longSourceNames: 1000
        case .units, .devices, .activities: 1000
        case .longSamples: 500
        case .longMetadata: 2000
        case .longAttributes: 200
        case .unknownElements, .unknownInRecord, .metadataEntries, .events: 4000
        default: 2000
        }
    }

    /// Whether the file counts as damaged, with exit status 2.
    var isDamaged: Bool { [.malformedLines, .openWorkout].contains(self) }

    /// Writes the file in pieces.
    func write(_ path: String, _ n: Int) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw CocoaError(.fileWriteUnknown) }
        defer { try? file.close() }
        var text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<HealthData locale=\"de_DE\">\n"
            + " <ExportDate value=\"2024-03-12 10:00:00 +0100\"/>\n"
        try forEachPiece(n) { piece in
            text += piece
            if text.utf8.count > 1 << 18 {
                try file.write(contentsOf: Data(text.utf8))
                text = ""
            }
        }
        try file.write(contentsOf: Data((text + "</HealthData>\n").utf8))
    }

    private func forEachPiece(_ n: Int, _ body: (String) throws -> Void) throws {
        switch self {
        case .longSourceName:
            return try body(record(0, source: String(repeating: "s", count: n * 1000)))
        case .longSourceNames:
            for index in 0..<6 {
                let letter = String("abcdef".dropFirst(index).prefix(1))
                try body(record(index, source: String(repeating: letter, count: n * 1000)))
            }
            return
        case .equalMembers: try body(correlation(0, members: n))
        case .correlations:
            for index in 0..<n / 500 { try body(correlation(index, members: 500)) }
        case .unknownInRecord, .metadataEntries, .activities, .events:
            try body(head)
            for index in 0..<n { try body(part(index)) }
            try body(self == .activities || self == .events ? "</Workout>" : "</Record>")
        case .openWorkout:
            try body(head)
            for index in 0..<n { try body(record(index)) }
        case .longMetadata:
            for index in 0..<n / 100 {
                let value = "\(index)" + String(repeating: "v", count: 100_000)
                try body(record(index, "<MetadataEntry key=\"k\" value=\"\(value)\"/>"))
            }
        case .longAttributes:
            for index in 0..<n {
                let value = String(repeating: "v", count: 4096)
                try body(
                    record(index).replacing(" unit=", with: " u\(index)=\"\(value)\" unit="))
            }
        default: for index in 0..<n { try body(piece(index)) }
        }
    }

    private func piece(_ index: Int) -> String {
        switch self {
        case .sources: record(index, source: "source \(index)")
        case .sourcesAtOnce: record(0, source: "source \(index)")
        case .longSamples:
            " <Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"s\(index % 600)\" "
                + "unit=\"count\" startDate=\"\(time(index % 50))\" "
                + "endDate=\"2012-06-01 00:00:00 +0100\" value=\"5\"/>\n"
        case .versions: record(index, more: "sourceVersion=\"v\(index)\"")
        case .devices:
            record(
                index,
                more: "device=\"&lt;&lt;HKDevice: 0x1&gt;, name:d\(index), hardware:Watch1,1&gt;\"")
        case .units: record(index, unit: "u\(index)")
        case .types: record(index, type: "HKQuantityTypeIdentifierX\(index)")
        case .values:
            record(index, type: "HKCategoryTypeIdentifierSleepAnalysis", value: "V\(index)")
        case .equalTimes: record(0, value: "\(index)")
        case .unknownElements: "<Halo\(index)/>\n"
        case .invalidRecords: record(index, value: "x")
        case .metadataSets:
            record(index, "<MetadataEntry key=\"k\(index)\" value=\"v\(index)\"/>")
        case .summaries:
            " <ActivitySummary dateComponents=\"\(day(index))\" activeEnergyBurned=\"1\"/>\n"
        case .malformedLines: "<Record type=\"a\" = \"\(index)\"\n"
        default: record(0)
        }
    }

    private func part(_ index: Int) -> String {
        switch self {
        case .metadataEntries: "<MetadataEntry key=\"k\(index)\" value=\"v\(index)\"/>\n"
        case .activities:
            "<WorkoutActivity uuid=\"u\(index)\" startDate=\"\(time(index))\" "
                + "endDate=\"\(time(index))\" duration=\"1\"/>\n"
        case .events:
            "<WorkoutEvent type=\"HKWorkoutEventTypePause\" date=\"\(time(index))\"/>\n"
        default: "<Halo number=\"\(index)\"/>\n"
        }
    }

    /// The start of the element that contains the parts.
    private var head: String {
        switch self {
        case .activities, .events, .openWorkout:
            " <Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" sourceName=\"W\" "
                + "startDate=\"\(time(0))\" endDate=\"\(time(60))\">\n"
        default: record(0, "").replacing("</Record>\n", with: "")
        }
    }

    private func correlation(_ index: Int, members: Int) -> String {
        " <Correlation type=\"HKCorrelationTypeIdentifierFood\" sourceName=\"W\" "
            + "startDate=\"\(time(index))\" endDate=\"\(time(index))\">\n"
            + String(repeating: record(0), count: members) + " </Correlation>\n"
    }

    private func record(
        _ index: Int, _ body: String? = nil, source: String = "W",
        type: String = "HKQuantityTypeIdentifierStepCount", unit: String = "count",
        value: String = "1", more: String = ""
    ) -> String {
        " <Record type=\"\(type)\" sourceName=\"\(source)\" \(more) unit=\"\(unit)\" "
            + "creationDate=\"\(time(index))\" startDate=\"\(time(index))\" "
            + "endDate=\"\(time(index))\" value=\"\(value)\""
            + (body.map { ">\($0)</Record>\n" } ?? "/>\n")
    }

    private func time(_ index: Int) -> String {
        "\(day(index / 1440)) \(twoDigits(index / 60 % 24)):\(twoDigits(index % 60)):00 +0100"
    }

    private func day(_ index: Int) -> String {
        "\(1900 + index / 336 % 200)-\(twoDigits(1 + index / 28 % 12))-\(twoDigits(1 + index % 28))"
    }

    private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
