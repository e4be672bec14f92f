import Foundation
import GRDB
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthArchive

/// Imports that don't read the chunks of text that the store knows, compared with imports of the
/// same exports that read every record.
@Suite struct KnownChunksTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let small = RecordChunks(
        minimumByteCount: 1, meanByteCount: 512, maximumByteCount: 4096, maximumRecords: 4)

    private func importFile(
        _ path: String, into store: String, _ chunks: RecordChunks?,
        _ known: ExportImporter.KnownText = .passed
    ) throws -> ImportReport {
        var importer = ExportImporter(
            path: path, store: store, timeZone: "Europe/Berlin", systemTimeZone: "UTC", now: 0,
            person: .confirmed)
        importer.chunks = chunks
        importer.knownText = known
        var report = try importer.run()
        report.seconds = 0
        return report
    }

    /// Imports an export into a new store. Returns the store's path and the number of its chunks.
    private func imported(_ xml: String) throws -> (store: String, chunks: Int) {
        let store = folder.path + "/health.sqlite"
        _ = try importFile(try folder.write("a.xml", xml), into: store, Self.small)
        return (store, try chunkCount(store))
    }

    private func chunkCount(_ store: String) throws -> Int {
        let queue = try DatabaseQueue(path: store)
        defer { try? queue.close() }
        return try queue.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM export_chunk") ?? 0
        }
    }

    private func dump(_ path: String) throws -> StoreQueryDump {
        let store = try SampleStore(at: path, access: .reading)
        defer { try? store.close() }
        return try StoreQueryDump(store)
    }

    /// Returns the chunks of a store that an import of `xml` would pass.
    private func knownChunks(of store: String, in xml: String) throws -> Int {
        let copy = folder.path + "/copy.sqlite"
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: copy + suffix)
        }
        try FileManager.default.copyItem(atPath: store, toPath: copy)
        let path = try folder.write("again.xml", xml)
        var passed = 0
        let source = try ExportLocator.locate(path)
        let description = SnapshotDescription(file: "again.xml", bytes: 0, importedAt: 0)
        try SampleStore.importSnapshot(into: copy, description) { writer, _ in
            let reading = try ExportReading.run(source, into: writer, chunks: Self.small) {
                passed += $0.knownChunks.count
            }
            return try writer.finish(reading.completeness)
        }
        return passed
    }

    @Test(
        "any sequence of exports, edits and undos gives the same with and without known chunks",
        arguments: 0..<(TestTier.isTorture ? 2000 : TestTier.current == .quick ? 4 : 40))
    func sequences(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let stores = ["known", "read"].map { "\(folder.path)/\($0).sqlite" }
        var export = GeneratedExport(naming: seed % 2 == 0 ? .fresh : .reused)
        for _ in 0..<10 { export.edit(using: &random) }
        for step in 0..<10 {
            let place: Comment = "seed \(seed), step \(step)"
            for _ in 0..<Int.random(in: 0...2, using: &random) { export.edit(using: &random) }
            export.date += 86_400 * Int.random(in: -1...5, using: &random)
            export.readableCount =
                Int.random(in: 0..<6, using: &random) == 0
                ? Int.random(in: 0...export.records.count, using: &random) : nil
            let path = try folder.write("export.xml", export.xml)
            let reports = try zip(stores, [Self.small, nil]).map {
                try importFile(path, into: $0, $1)
            }
            #expect(reports[0].json == reports[1].json, place)
            try change(stores, &random)
            let lines = try stores.map { try inMetres(dump($0).lines) }
            try #require(Array(lines[0].difference(from: lines[1])).isEmpty, place)
        }
    }

    /// Returns lines with distances in metres. Which unit a sample has among several with equal
    /// content isn't defined.
    private func inMetres(_ lines: [String]) -> [String] {
        lines.map { line in
            (0...3).reduce(line) { line, value in
                line.replacing(
                    "\"value\":\(value == 0 ? "0" : "0.00\(value)"),\"unit\":\"km\"",
                    with: "\"value\":\(value),\"unit\":\"m\"")
            }
        }
    }

    /// Changes both stores in the same way: another program deletes or changes a sample, or the last
    /// import is undone; or not at all.
    private func change(_ stores: [String], _ random: inout SeededRandom) throws {
        let choice = Int.random(in: 0..<6, using: &random)
        let place = Int.random(in: 0..<12, using: &random)
        for path in stores {
            switch choice {
            case 0: try edit(path, "DELETE FROM sample", place)
            case 1: try edit(path, "UPDATE sample SET created = created + 1", place)
            case 2:
                let store = try SampleStore(at: path, access: .writing)
                defer { try? store.close() }
                if let last = try store.imports().first { try store.undoImport(last.number) }
            default: break
            }
        }
    }

    private func edit(_ path: String, _ statement: String, _ place: Int) throws {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        try queue.write { db in
            try db.execute(
                sql: """
                    \(statement) WHERE sequence = (
                        SELECT sequence FROM sample ORDER BY type, start_time, key
                        LIMIT 1 OFFSET ?)
                    """, arguments: [place])
        }
    }

    @Test("a later export of the same records and more passes nearly all chunks")
    func laterExport() throws {
        let store = folder.path + "/health.sqlite"
        let first = xml(0..<4000)
        let report = try importFile(try folder.write("a.xml", first), into: store, Self.small)
        #expect(report.outcome.records.new == 4000)
        let chunks = try chunkCount(store)
        #expect(chunks > 1000)
        let second = xml(0..<4100, date: "2024-08-01", address: "0x99")
        #expect(try knownChunks(of: store, in: second) > chunks * 95 / 100)
        let next = try importFile(try folder.write("b.xml", second), into: store, Self.small)
        #expect(next.outcome.records.unchanged == 4000)
        #expect(next.outcome.records.new == 100)
        #expect(next.elements["Record"] == 4100)
        #expect(next.elements["MetadataEntry"] == 820)
        #expect(next.homeZone.identifier == "Europe/Berlin")
    }

    @Test("a chunk is forgotten when any program changes or deletes one of its rows")
    func forgotten() throws {
        let text = xml(0..<400)
        let (store, chunks) = try imported(text)
        try edit(store, "UPDATE sample SET value = 9", 17)
        #expect(try chunkCount(store) == chunks - 1)
        try edit(store, "DELETE FROM sample", 300)
        #expect(try chunkCount(store) == chunks - 2)
        #expect(try knownChunks(of: store, in: text) == chunks - 2)
        let again = try importFile(
            try folder.write("b.xml", xml(0..<400, date: "2024-08-01")), into: store, Self.small)
        #expect(again.outcome.records.changed == 1)
        #expect(again.outcome.records.new == 1)
        #expect(try chunkCount(store) >= chunks - 1)
    }

    @Test("records with anything to report are read again, and reported again")
    func reported() throws {
        let store = folder.path + "/health.sqlite"
        let odd = [
            record(1, unit: "lengths"), record(2, more: " mystery=\"1\""),
            record(3, value: "many"), record(4, type: "HKQuantityTypeIdentifierUnheardOf"),
            record(5).replacing("/>", with: ">\n  <Halo/>\n </Record>"),
        ]
        var lines: [String] = []
        for index in 0..<100 {
            lines.append(record(100 + index))
            if index % 20 == 0 { lines.append(odd[index / 20]) }
        }
        let first = try importFile(
            try folder.write("a.xml", document(lines.joined())), into: store, Self.small)
        let second = try importFile(
            try folder.write("b.xml", document(lines.joined(), date: "2024-08-01")), into: store,
            Self.small)
        #expect(try knownChunks(of: store, in: document(lines.joined())) > 20)
        #expect(first.unknownUnits == ["lengths": 1])
        #expect(second.unknownUnits == first.unknownUnits)
        #expect(second.unknownAttributes == first.unknownAttributes)
        #expect(second.unknownTypes == first.unknownTypes)
        #expect(second.unknownElements == first.unknownElements)
        #expect(second.quarantineReasons == first.quarantineReasons)
        #expect(second.elements == first.elements)
    }

    @Test("a record with heartbeats that comes again before a known chunk keeps them in both")
    func repeatedHeartbeats() throws {
        let type = "HKQuantityTypeIdentifierHeartRateVariabilitySDNN"
        let beats =
            ">\n  <HeartRateVariabilityMetadataList>\n   <InstantaneousBeatsPerMinute bpm=\"72\" "
            + "time=\"00:00:01.50\"/>\n  </HeartRateVariabilityMetadataList>\n </Record>"
        let records = (0..<40).map { index in
            record(index, type: type, unit: "ms").replacing("/>", with: beats)
        }
        let first = document(records.joined())
        let second = document(
            record(900) + records[20..<26].joined() + record(901) + records.joined(),
            date: "2024-08-01")
        var dumps: [[String]] = []
        for (name, chunks) in [("known", Self.small), ("read", nil)] {
            let store = "\(folder.path)/\(name).sqlite"
            _ = try importFile(try folder.write("a.xml", first), into: store, chunks)
            if chunks != nil {
                let known = try knownChunks(of: store, in: second)
                #expect(known > 5)
            }
            let report = try importFile(try folder.write("b.xml", second), into: store, chunks)
            #expect(report.outcome.records.unchanged == 40)
            #expect(report.outcome.records.changed == 0)
            dumps.append(try dump(store).lines)
        }
        #expect(dumps[0] == dumps[1])
        #expect(dumps[0].count { $0.contains("\"bpm\":72") } == 46)
    }

    @Test("after the undo of a source's new name, its records are those of another source again")
    func undoneName() throws {
        let records = (0..<400).map { record($0) }.joined()
        let renamed = records.replacing("\"Phone\"", with: "\"New phone\"")
        var dumps: [[String]] = []
        for (name, chunks) in [("known", Self.small), ("read", nil)] {
            let path = "\(folder.path)/\(name).sqlite"
            func load(_ text: String, _ date: String) throws -> ImportReport {
                let file = try folder.write("a.xml", document(text, date: date))
                return try importFile(file, into: path, chunks)
            }
            _ = try load(records, "2024-07-01")
            #expect(try load(renamed, "2024-08-01").outcome.renamed.count == 1)
            _ = try load(renamed, "2024-09-01")
            let store = try SampleStore(at: path, access: .writing)
            try store.undoImport(3)
            try store.undoImport(2)
            try store.close()
            let report = try load(renamed, "2024-10-01")
            #expect(report.outcome.renamed.count == 1)
            #expect(report.outcome.records.unchanged == 400)
            dumps.append(try dump(path).lines)
        }
        #expect(dumps[0] == dumps[1])
    }

    @Test(
        "an address in a metadata entry counts, also in what looks like a record's tag",
        arguments: ["\n device=", "\n <Record device=", "\n  <Record type='' device="])
    func addressInMetadata(start: String) throws {
        let text = { (address: String) in
            (0..<200).map { index in
                record(index).replacing(
                    "/>",
                    with: ">\n  <MetadataEntry key=\"note\" value='x\(start)"
                        + "\"&lt;&lt;HKDevice: \(address)&gt;, name:W\"'/>\n </Record>")
            }.joined()
        }
        var dumps: [[String]] = []
        for (name, chunks) in [("known", Self.small), ("read", nil)] {
            let store = "\(folder.path)/\(name).sqlite"
            for (address, date) in [("0x1111", "2024-07-01"), ("0x2222", "2024-08-01")] {
                let file = try folder.write("a.xml", document(text(address), date: date))
                _ = try importFile(file, into: store, chunks)
            }
            dumps.append(try dump(store).lines)
        }
        #expect(dumps[0] == dumps[1])
        if start == "\n device=" { #expect(dumps[0].contains { $0.contains("0x2222") }) }
    }

    @Test("an import that reads known text corrects rows that REPLACE has replaced")
    func replaced() throws {
        let store = folder.path + "/health.sqlite"
        func load(
            _ date: String, _ known: ExportImporter.KnownText = .passed
        ) throws -> ImportReport {
            let path = try folder.write("a.xml", xml(0..<400, date: date))
            return try importFile(path, into: store, Self.small, known)
        }
        _ = try load("2024-07-01")
        let chunks = try chunkCount(store)
        let queue = try DatabaseQueue(path: store)
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO sample (sequence, type, start_time, key, end_time,
                        created, origin, metadata, value)
                    SELECT sequence, type, start_time, key, end_time, created, origin, metadata, 7
                    FROM sample WHERE sequence = (SELECT max(first) FROM export_chunk_run)
                    """)
        }
        try queue.close()
        #expect(try load("2024-07-02").outcome.records.changed == 0)
        #expect(try load("2024-07-03", .read).outcome.records.changed == 1)
        let recorded = try chunkCount(store)
        #expect(recorded > chunks * 8 / 10)
    }

    @Test("a program that moves or adds to rows makes their chunks unknown")
    func moved() throws {
        let (store, chunks) = try imported(xml(0..<400))
        let queue = try DatabaseQueue(path: store)
        defer { try? queue.close() }
        let rows = try queue.read { db in
            try Int.fetchAll(
                db,
                sql: "SELECT first FROM export_chunk_run ORDER BY first LIMIT 3 OFFSET 40")
        }
        try queue.write { db in
            try db.execute(
                sql: "UPDATE OR REPLACE sample SET sequence = ? WHERE sequence = ?",
                arguments: [rows[0], rows[2]])
        }
        #expect(try chunkCount(store) == chunks - 2)
        try queue.write { db in
            try db.execute(
                sql: "INSERT INTO detail (sequence, content) VALUES (?, '{}')",
                arguments: [rows[1]])
        }
        #expect(try chunkCount(store) == chunks - 3)
    }

    @Test("an export that isn't the latest leaves the known chunks as they are")
    func olderExport() throws {
        let store = folder.path + "/health.sqlite"
        let latest = xml(0..<400)
        _ = try importFile(try folder.write("a.xml", latest), into: store, Self.small)
        let known = try knownChunks(of: store, in: latest)
        let older = xml(200..<300, date: "2020-01-01")
        _ = try importFile(try folder.write("b.xml", older), into: store, Self.small)
        #expect(try knownChunks(of: store, in: latest) == known)
    }

    // MARK: - Exports

    private func xml(
        _ indices: Range<Int>, date: String = "2024-07-01", address: String = "0x1"
    ) -> String {
        document(
            indices.map { index in
                let device = " device=\"&lt;&lt;HKDevice: \(address)\(index % 7)&gt;, name:W&gt;\""
                let plain = record(index, more: device)
                if index % 5 > 0 { return plain }
                return plain.replacing(
                    "/>",
                    with: ">\n  <MetadataEntry key=\"HKTimeZone\" value=\"Europe/Berlin\"/>"
                        + "\n </Record>")
            }.joined(), date: date)
    }

    private func document(_ records: String, date: String = "2024-07-01") -> String {
        "<HealthData locale=\"en_US\">\n <ExportDate value=\"\(date) 12:00:00 +0000\"/>"
            + records + "\n</HealthData>\n"
    }

    private func record(
        _ index: Int, type: String = "HKQuantityTypeIdentifierStepCount", unit: String = "count",
        value: String? = nil, more: String = ""
    ) -> String {
        let day = String(format: "2024-%02d-%02d", 1 + index / 1000, 1 + index / 100 % 10)
        let time = String(format: "%02d:%02d", index / 4 % 24, index % 4 * 15)
        return "\n <Record type=\"\(type)\" sourceName=\"Phone\" unit=\"\(unit)\"\(more) "
            + "startDate=\"\(day) \(time):00 +0000\" endDate=\"\(day) \(time):30 +0000\" "
            + "value=\"\(value ?? "\(index)")\"/>"
    }
}
