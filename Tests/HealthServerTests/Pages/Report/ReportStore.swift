import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage
import OpenHealthKit
import Testing

@testable import HealthServer

/// A temporary store of hand-made samples, pairs of blood pressure and electrocardiogram files, in
/// March 2024 and UTC.
final class ReportStore {
    let path: String
    private let folder: URL
    private var batch = SampleBatch()
    private var files: [(recorded: Double, text: String)] = []

    /// 2024-03-01T00:00:00Z, in seconds since the reference date.
    private static let march = 730_944_000.0
    /// The days of the reports: 1 to 30 March 2024.
    static let days = CivilDate(2024, 3, 1)...CivilDate(2024, 3, 30)

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("HealthServerTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("health.sqlite").path
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Returns a time in seconds since the reference date.
    ///
    /// - Parameter day: The number of days after 1 March 2024.
    static func time(_ day: Int, _ hour: Double) -> Double {
        march + Double(day) * 86_400 + hour * 3600
    }

    /// Adds a sample.
    ///
    /// - Returns: Its index.
    @discardableResult
    func add(
        _ name: String, _ day: Int, _ hour: Double, value: Double = .nan, unit: String? = nil,
        hours: Double = 0, source: String = "Watch", metadata: Metadata = [:],
        detail: SampleDetail? = nil
    ) throws -> Int {
        let type = try #require(Catalogue.type(named: name))
        if !batch.sources.contains(where: { $0.name == source }) {
            batch.sources.append(Source(name: source, bundleIdentifier: ""))
        }
        let place = try #require(batch.sources.firstIndex { $0.name == source })
        let origin = Origin(source: Int32(place), version: "1", unit: unit ?? type.displayUnit)
        if !batch.origins.contains(origin) { batch.origins.append(origin) }
        let start = ReportStore.time(day, hour)
        var sample = Sample(
            type: type.code, origin: Int32(try #require(batch.origins.firstIndex(of: origin))),
            start: start, end: start + hours * 3600, created: start, value: value)
        if !metadata.isEmpty {
            sample.metadata = Int32(batch.metadata.count)
            batch.metadata.append(metadata)
        }
        batch.samples.append(sample)
        if let detail { batch.details[batch.samples.count - 1] = detail }
        return batch.samples.count - 1
    }

    /// Adds a blood pressure with its two quantities.
    func addPressure(
        _ systolic: Double, _ diastolic: Double, _ day: Int, _ hour: Double,
        unit: String = "mmHg", source: String = "Cuff"
    ) throws {
        let pair = try add("bloodPressure", day, hour, source: source)
        for (name, value) in [
            ("bloodPressureSystolic", systolic), ("bloodPressureDiastolic", diastolic),
        ] {
            let member = try add(name, day, hour, value: value, unit: unit, source: source)
            batch.parents[member] = pair
        }
    }

    /// Adds a file as an import keeps it.
    func addElectrocardiogram(_ day: Int, _ hour: Double, classification: String) {
        files.append(
            (
                ReportStore.time(day, hour),
                "Recorded Date,2024-03-01 08:00:00 +0000\nClassification,\(classification)\n"
                    + "Symptoms,\nUnit,µV\n\n-265.868\n"
            ))
    }

    /// Imports what was added.
    func write() throws {
        let description = SnapshotDescription(
            file: "export.zip", bytes: 1_000, exportDate: 790_000_000, importedAt: 790_000_100)
        let (batch, files) = (batch, files)
        try SampleStore.importSnapshot(into: path, description) { writer, _ in
            for code in Set(batch.samples.map(\.type)).sorted() {
                let type = try #require(Catalogue.type(code: code))
                _ = try writer.type(identifier: type.identifier)
            }
            try writer.write(batch)
            for (number, file) in files.enumerated() {
                _ = try writer.storeElectrocardiogram(
                    Array(file.text.utf8), name: "electrocardiograms/ecg_\(number).csv",
                    recorded: file.recorded, .complete)
            }
            _ = try writer.finish(.complete)
            try writer.record(ledger: "{}")
        }
    }

    func open(_ access: SampleStore.Access = .reading) throws -> SampleStore {
        try SampleStore(at: path, access: access)
    }

    /// Reads the report of 1 to 30 March 2024.
    ///
    /// - Parameter day: The current day, as the number of days after 1 March 2024.
    func page(today day: Int = 40) async throws -> ReportPage {
        let now = Date(timeIntervalSinceReferenceDate: ReportStore.time(day, 12))
        let context = PageContext(now: now, calendar: .gregorian(in: .gmt))
        let service = HealthKitService(
            store: try HKHealthStore(
                path: path, configuration: HealthStoreConfiguration(authorization: .assumed)),
            calendar: context.calendar, now: { now })
        var page = try await ReportPage(of: service, ReportStore.days, context: context)
        try page.add(open(), in: CalendarBuckets(calendar: context.calendar))
        return page
    }
}

extension ReportPage {
    /// Returns the value of the first line with a label.
    func value(_ label: String, of kind: Kind) throws -> String {
        let section = try #require(sections.first { $0.kind == kind })
        let fact = try #require(
            facts(of: section).first { $0.label.words == label }, "\(kind): no \(label)")
        return fact.value.map(\.words).joined()
    }
}
