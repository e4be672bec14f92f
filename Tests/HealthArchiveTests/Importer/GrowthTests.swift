import Foundation
import HealthArchive
import HealthStorage
import HealthTesting
import Testing

/// The time of an import is proportional to the file's size, its memory is bounded, and every
/// element is accounted for, whatever the file's content.
@Suite(.serialized, .inTestAll, .enabled(if: ImportProcess.command != nil))
struct GrowthTests {
    /// With `OPENHEALTH_TESTS=torture` the files are eight times as large.
    private static let factor = ImportModelTests.torture ? 8 : 1
    /// A generous estimate in seconds for a process that imports almost nothing.
    private static let minimumSeconds = 0.25
    private static let maximumMemory = 160 << 20

    private let folder: TemporaryFolder
    private let command: String

    init() throws {
        folder = try TemporaryFolder()
        command = try #require(ImportProcess.command)
    }

    @Test(
        "a file four times as long takes at most eight times the time, and bounded memory",
        arguments: AdversarialExport.allCases)
    func imports(_ shape: AdversarialExport) throws {
        let sizes = [1, 2, 4].map { $0 * shape.base * GrowthTests.factor }
        var runs: [MeasuredProcess] = []
        for size in sizes {
            let (export, store) = (folder.path + "/export.xml", folder.path + "/\(size).sqlite")
            try shape.write(export, size)
            let limit = 8 * max(runs.first?.seconds ?? 15, 2 * GrowthTests.minimumSeconds)
            let run = try MeasuredProcess(
                [command, "import", export, "--store", store, "--time-zone", "Europe/Berlin"],
                limit: limit)
            // Values above a limit mark the file as damaged, which isn't a failure.
            #expect(run.status == 0 || run.status == 2, "\(shape.rawValue), n = \(size)")
            if shape.isDamaged { #expect(run.status == 2) }
            runs.append(run)
            if ![0, 2].contains(run.status) { break }
            #expect(try StoreState.of(store).isValid)
        }
        let measurements = "\(shape.rawValue): \(runs.map { ($0.seconds, $0.peak >> 20) })"
        guard runs.count == sizes.count else { return }
        #expect(
            runs[2].seconds < 8 * max(runs[0].seconds, GrowthTests.minimumSeconds),
            "\(measurements)")
        #expect(runs[2].peak < GrowthTests.maximumMemory, "\(measurements)")
    }

    @Test("every record of a file beyond the limits is new, known or quarantined with its reason")
    func ledger() throws {
        let cases: [(AdversarialExport, String)] = [
            (.sources, "one source too many"), (.types, "one type too many"),
            (.longSourceName, "a text too long"),
        ]
        for (shape, reason) in cases {
            let export = folder.path + "/export.xml"
            let store = folder.path + "/\(shape).sqlite"
            try shape.write(export, 1200)
            for pass in 0..<2 {
                let report = try ExportImporter(
                    path: export, store: store, timeZone: "Europe/Berlin", systemTimeZone: "UTC",
                    now: 0
                ).run()
                let records = report.outcome.records
                #expect(records.read == report.elements["Record"])
                #expect(records.quarantined == report.quarantineReasons[reason], "\(shape)")
                #expect(records.quarantined > 0)
                #expect(records.new == (pass == 0 ? records.read - records.quarantined : 0))
                #expect(report.json.contains(reason))
            }
            #expect(try StoreState.of(store).isValid)
        }
    }

    @Test("a known source is accepted beyond the limit of new ones")
    func knownSources() throws {
        let (export, store) = (folder.path + "/export.xml", folder.path + "/health.sqlite")
        func run() throws -> ImportReport {
            try ExportImporter(
                path: export, store: store, timeZone: "Europe/Berlin", systemTimeZone: "UTC",
                now: 0, person: .confirmed
            ).run()
        }
        try AdversarialExport.sources.write(export, 700)
        #expect(try run().outcome.records.new == 700)
        // The first 700 again and 300 more: exactly the maximum.
        try AdversarialExport.sources.write(export, 1300)
        let report = try run()
        #expect(report.outcome.records.unchanged == 700)
        #expect(report.outcome.records.new == SourceQuota.maximum - 700)
        #expect(report.outcome.records.quarantined == 300)
    }
}
