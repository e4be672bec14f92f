import Foundation
import HealthArchive
import HealthStorage
import HealthTesting
import Testing

/// An import that is killed, stopped or out of disk space leaves the store as it was before or
/// after.
@Suite(.serialized, .inTestAll, .enabled(if: ImportProcess.command != nil))
struct ImportInterruptionTests {
    private static let torture = ImportModelTests.torture
    private static let kills = torture ? 100 : 3
    private static let records = torture ? 25_000 : 3_000

    private let folder: TemporaryFolder
    private let command: String
    private let first: String
    private let second: String

    init() throws {
        folder = try TemporaryFolder()
        command = try #require(ImportProcess.command)
        first = folder.path + "/first.xml"
        second = folder.path + "/second.xml"
        let records = ImportInterruptionTests.records
        try LongExport.write(
            first, records: records, value: 1, date: "2024-05-01 10:00:00 +0200")
        // Every record changes, so the second import rewrites the whole store.
        try LongExport.write(
            second, records: records - 500, value: 2, date: "2024-06-01 10:00:00 +0200")
    }

    @Test("kill -9 at any moment of a first import leaves no store or a whole one")
    func killsOfFirst() throws { try interrupt(SIGKILL, import: first, over: nil) }

    @Test("kill -9 at any moment of a later import leaves the store as before or as after")
    func killsOfLater() throws { try interrupt(SIGKILL, import: second, over: first) }

    @Test(
        "Ctrl-C or SIGTERM at any moment leaves the store as before or as after",
        arguments: [SIGINT, SIGTERM])
    func stops(signal: Int32) throws {
        try interrupt(signal, import: first, over: nil)
        try interrupt(signal, import: second, over: first)
    }

    private func interrupt(_ signal: Int32, import export: String, over base: String?) throws {
        let store = folder.path + "/health.sqlite"
        let ready = folder.path + "/ready.sqlite"
        for path in [ready, store] { try removeStore(path) }
        if let base { #expect(try run(base, ready).status == 0) }
        let before = try StoreState.of(ready)
        if base != nil { try FileManager.default.copyItem(atPath: ready, toPath: store) }
        let begin = ContinuousClock.now
        #expect(try run(export, store).status == 0)
        let length = (ContinuousClock.now - begin) / .microseconds(1)
        let after = try StoreState.of(store)
        try #require(before != after && before.isValid && after.isValid)
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        for _ in 0..<ImportInterruptionTests.kills {
            try removeStore(store)
            if base != nil { try FileManager.default.copyItem(atPath: ready, toPath: store) }
            let delay = UInt32.random(in: 0...UInt32(length * 1.1), using: &random)
            let place: Comment = "seed \(seed), killed after \(delay) µs"
            let process = try ImportProcess(export, store: store, command: command)
            usleep(delay)
            process.send(signal)
            let (status, errorText) = process.wait()
            let state = try StoreState.of(store)
            try #require(state == before || state == after, place)
            if signal != SIGKILL, status == 1 { #expect(errorText.contains("openhealth:")) }
            // The files of killed imports don't affect the next one.
            #expect(try run(export, store).status == 0, place)
            let again = try StoreState.of(store)
            #expect(again == after || state == after, place)
        }
    }

    @Test("kill -9 at any moment of an undo leaves the store as before or as after")
    func killsOfUndo() throws {
        let (ready, store) = (folder.path + "/ready.sqlite", folder.path + "/health.sqlite")
        #expect(try run(first, ready).status == 0)
        #expect(try run(second, ready).status == 0)
        let undo = ["imports", "undo", "2", "--yes", "--json", "--store", store]
        func copy() throws {
            try removeStore(store)
            try FileManager.default.copyItem(atPath: ready, toPath: store)
        }
        try copy()
        let before = try StoreState.of(store)
        let begin = ContinuousClock.now
        #expect(try ImportProcess(undo, command: command).wait().status == 0)
        let length = (ContinuousClock.now - begin) / .microseconds(1)
        let after = try StoreState.of(store)
        try #require(before != after && before.isValid && after.isValid)
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        for _ in 0..<ImportInterruptionTests.kills {
            try copy()
            let delay = UInt32.random(in: 0...UInt32(length * 1.1), using: &random)
            let place: Comment = "seed \(seed), killed after \(delay) µs"
            let process = try ImportProcess(undo, command: command)
            usleep(delay)
            process.send(SIGKILL)
            _ = process.wait()
            let state = try StoreState.of(store)
            try #require(state == before || state == after, place)
            if state == before {
                #expect(try ImportProcess(undo, command: command).wait().status == 0)
                #expect(try StoreState.of(store) == after, place)
            }
        }
    }

    @Test("a full disk stops the import with a clear error and leaves the store unchanged")
    func fullDisk() throws {
        let store = folder.path + "/health.sqlite"
        for (export, limit) in [(first, 64), (first, 300)] {
            try removeStore(store)
            let (status, errorText) = try ImportProcess(
                export, store: store, command: command, fileLimit: limit
            ).wait()
            #expect(status == 1)
            #expect(errorText.contains("ulimit -f"), "\(errorText)")
            #expect(try StoreState.of(store) == .absent)
            #expect(!FileManager.default.fileExists(atPath: store + ".importing"))
        }
        #expect(try run(first, store).status == 0)
        let before = try StoreState.of(store)
        let (status, errorText) = try ImportProcess(
            second, store: store, command: command, fileLimit: 300
        ).wait()
        #expect(status == 1)
        #expect(errorText.contains("ulimit -f"), "\(errorText)")
        #expect(try StoreState.of(store) == before)
    }

    @Test("memory does not grow with the file", .enabled(if: torture))
    func memory() throws {
        var peaks: [Int] = []
        for records in [20_000, 400_000] {
            let export = folder.path + "/long.xml"
            try LongExport.write(
                export, records: records, value: 1, date: "2024-05-01 10:00:00 +0200")
            let process = try ImportProcess(
                export, store: folder.path + "/\(records).sqlite", command: command)
            let (status, bytes) = process.waitWatchingMemory()
            #expect(status == 0)
            peaks.append(bytes)
        }
        #expect(peaks[1] < peaks[0] + (48 << 20), "\(peaks)")
        #expect(peaks[1] < 256 << 20, "\(peaks)")
    }

    private func run(_ export: String, _ store: String) throws -> (status: Int32, errorText: String)
    {
        try ImportProcess(export, store: store, command: command).wait()
    }

    private func removeStore(_ path: String) throws {
        for suffix in ["", "-wal", "-shm", ".importing", ".lock"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
    }
}
