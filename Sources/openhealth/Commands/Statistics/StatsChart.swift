import ArgumentParser
import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

/// The file of `stats --chart`.
struct ChartDestination: ExpressibleByArgument {
    enum Format: String { case svg, png }

    let path: String
    let format: Format

    init?(argument: String) {
        guard let format = Format(rawValue: (argument as NSString).pathExtension.lowercased())
        else { return nil }
        (path, self.format) = (argument, format)
    }

    /// Writes a chart that only the owner can read, replacing an earlier file as a whole.
    ///
    /// - Throws: ``CommandError`` if the converter is missing or fails, and ``StoreError`` if the file
    ///   can't be written or is a store.
    func write(_ chart: ChartFile) throws {
        let svg = Array(chart.svg.utf8)
        let bytes = format == .svg ? svg : try Self.png(svg)
        let file = try StagedFile(at: path, over: .file)
        var output = try Output(to: file.temporaryPath, named: path.printable)
        try output.write(bytes)
        try output.flush()
        try file.commit()
        Message.write("Chart: \(path.printable)")
    }

    /// Converts with librsvg's command, at twice the size for dense screens.
    private static func png(_ svg: [UInt8]) throws -> [UInt8] {
        guard let program = InstalledProgram.path(of: "rsvg-convert") else {
            throw CommandError(
                "rsvg-convert is missing, which makes PNG from SVG. Install librsvg2-bin (Debian) or "
                    + "librsvg (Homebrew), or write an .svg file.")
        }
        let folder = FileManager.default.temporaryDirectory.path
        let source = "\(folder)/openhealth-chart-\(UUID().uuidString).svg"
        let target = source + ".png"
        defer { for path in [source, target] { unlink(path) } }
        guard
            FileManager.default.createFile(
                atPath: source, contents: Data(svg), attributes: [.posixPermissions: 0o600]),
            FileManager.default.createFile(
                atPath: target, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CommandError("The chart can't be written to \(folder.printable).") }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["--zoom", "2", "--output", target, source]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CommandError("rsvg-convert ended with status \(process.terminationStatus).")
        }
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: target)))
    }
}

extension ChartFile {
    /// The chart of the answer of `stats`, with the buckets without data as gaps.
    ///
    /// - Parameters:
    ///   - unit: The unit that was asked for; nil for the one that the pages use.
    ///   - now: The current time in reference seconds, whose bucket is hatched.
    init(_ result: StatsResult, by step: CalendarStep, unit: String?, now: Double) {
        var metric = Metric(result.type) ?? Metric(counting: result.type)
        if case .times? = result.buckets.first?.values { metric = Metric(counting: result.type) }
        let known = Dictionary(
            result.buckets.map { ($0.start, $0) }, uniquingKeysWith: { first, _ in first })
        let points = zip(result.edges, result.edges.dropFirst()).map { start, end in
            HealthSeries.Point(
                start, end, known[start]?.values, isCurrent: start <= now && now < end)
        }
        self.init(
            HealthSeries(metric: metric, step: step, points: points),
            unit: unit ?? (metric.kind != .state && metric.unit != result.unit ? result.unit : nil),
            range: nil, calendar: result.calendar.calendar)
    }

    /// The chart of nights.
    ///
    /// - Parameter query: What was asked for, whose range the axis shows.
    init(
        _ result: SleepStatsResult, of query: SampleQuery, by step: CalendarStep, now: Double
    ) {
        let points = result.buckets.map { bucket in
            HealthSeries.Point(
                start: Date(timeIntervalSinceReferenceDate: bucket.start),
                end: Date(timeIntervalSinceReferenceDate: bucket.end),
                value: step == .hour ? bucket.amounts.asleep : bucket.amounts.average,
                isCurrent: bucket.start <= now && now < bucket.end)
        }
        self.init(
            HealthSeries(metric: .sleep, step: step, points: points), unit: nil,
            range: query.from > -.infinity && query.to < .infinity && query.from < query.to
                ? DateInterval(
                    start: Date(timeIntervalSinceReferenceDate: query.from),
                    end: Date(timeIntervalSinceReferenceDate: query.to)) : nil,
            calendar: result.calendar.calendar)
    }
}

extension HealthSeries.Point {
    fileprivate init(
        _ start: Double, _ end: Double, _ values: StatsResult.Values?, isCurrent: Bool
    ) {
        self.init(
            start: Date(timeIntervalSinceReferenceDate: start),
            end: Date(timeIntervalSinceReferenceDate: end), value: values?.height,
            isCurrent: isCurrent)
        if case .readings(let values)? = values {
            (minimum, maximum) = (values.minimum, values.maximum)
        }
    }
}
