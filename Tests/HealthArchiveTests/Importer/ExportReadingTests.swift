import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Synchronization
import Testing

@testable import HealthArchive

/// An import reads, parses and writes on separate threads. A failure of one ends the others.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ExportReadingTests {
    private static let records = 60_000

    private let folder: TemporaryFolder
    private let xml: String
    private var store: String { folder.path + "/health.sqlite" }

    init() throws {
        folder = try TemporaryFolder()
        xml = folder.path + "/export.xml"
        try LongExport.write(
            xml, records: ExportReadingTests.records, value: 1, date: "2024-05-01 10:00:00 +0200")
    }

    private func run(
        _ path: String, isCancelled: @escaping @Sendable () -> Bool = { false },
        progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
    ) throws -> ImportReport {
        try ExportImporter(
            path: path, store: store, timeZone: "Europe/Berlin", systemTimeZone: "UTC", now: 0,
            progress: progress, isCancelled: isCancelled
        ).run()
    }

    /// The names of this process's threads.
    private static var threads: [String] {
        let folder = "/proc/self/task"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return numbers.compactMap {
            (try? String(contentsOfFile: "\(folder)/\($0)/comm", encoding: .utf8))?
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    private func expectNothingLeft() throws {
        #expect(!Self.threads.contains("reading") && !Self.threads.contains("inflating"))
        #expect(try StoreState.of(store) == .absent)
        #expect(!FileManager.default.fileExists(atPath: store + ".importing"))
    }

    @Test("progress goes up in the order of the file, and ends at what has been written")
    func progress() throws {
        let reported = Mutex<[Int64]>([])
        let report = try run(xml, progress: { read, _ in reported.withLock { $0.append(read) } })
        #expect(report.outcome.records.new == ExportReadingTests.records)
        let offsets = reported.withLock { $0 }
        #expect(offsets == offsets.sorted() && offsets.count > 2)
        #expect(offsets.allSatisfy { $0 <= report.bytes })
    }

    @Test("a cancelled import ends and leaves no thread or file")
    func cancellation() throws {
        for checks in [1, 2, 3] {
            let left = Mutex(checks)
            let error = #expect(throws: StoreError.self) {
                try run(
                    xml,
                    isCancelled: {
                        left.withLock {
                            $0 -= 1
                            return $0 < 0
                        }
                    })
            }
            #expect(error?.code == .cancelled)
            try expectNothingLeft()
        }
    }

    @Test("a zip damaged or truncated in the XML is rejected and leaves no store")
    func damage() throws {
        let content = [UInt8](try Data(contentsOf: URL(fileURLWithPath: xml)))
        let good = CraftedZip.Entry("apple_health_export/export.xml", content)
        var damaged = good
        for index in 0..<64 { damaged.data[good.data.count * 2 / 3 + index] = 0xFF }
        var cut = good
        cut.data.removeLast(good.data.count / 3)
        for entry in [damaged, cut] {
            let path = try folder.write("export.zip", CraftedZip([entry]).bytes)
            #expect(throws: ArchiveError.self) { try run(path) }
            try expectNothingLeft()
        }
    }

    @Test("unknown types get the codes that the store assigns")
    func numbersOfTypes() throws {
        let names = [
            "HKQuantityTypeIdentifierZ", "HKDataTypeTomorrow", "HKQuantityTypeIdentifierA",
        ]
        func export(_ names: [String], day: Int) throws -> String {
            let records = names.map {
                "<Record type=\"\($0)\" sourceName=\"App\" unit=\"count\" "
                    + "startDate=\"2024-05-01 10:00:00 +0200\" value=\"1\"/>"
            }
            return try folder.write(
                "export.xml",
                "<HealthData><ExportDate value=\"2024-05-0\(day) 10:00:00 +0200\"/>"
                    + records.joined() + "</HealthData>")
        }
        _ = try run(try export(Array(names.prefix(2)), day: 1))
        _ = try run(try export(names + ["HKQuantityTypeIdentifierStepCount"], day: 2))
        let store = try SampleStore(at: store, access: .reading)
        let codes = try names.map { try store.type(named: $0).code }
        #expect(codes == [20_000, 20_001, 20_002])
        #expect(try store.check() == [])
    }
}
