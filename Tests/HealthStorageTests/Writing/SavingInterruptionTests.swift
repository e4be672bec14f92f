import Foundation
import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

/// A process that saves and deletes until it is killed.
private enum KilledProcess {
    /// The environment variable with the store's path. It is set only in that process.
    static let variable = "OPENHEALTH_VICTIM"
    static let path = ProcessInfo.processInfo.environment[variable]
    static let batchSize = 40
}

/// The process's work. The tests start themselves with only this suite.
@Suite("The process that is killed", .enabled(if: KilledProcess.path != nil))
struct KilledSaverTests {
    @Test("saves and deletes whole batches")
    func run() throws {
        let store = try SampleStore(at: #require(KilledProcess.path), access: .writing)
        for round in 0..<1_000_000 {
            var saved = SavedBatch()
            for index in 0..<KilledProcess.batchSize {
                saved.add(
                    .steps, Double(round), Double(round) + 1, Double(round),
                    uuid: SampleUUID(number: round * KilledProcess.batchSize + index),
                    metadata: ["index": .number(Double(index))])
            }
            try store.save(saved)
            if round % 2 == 1 { try store.delete(saved.uuids, by: "com.example.walks") }
        }
    }
}

@Suite(
    "kill -9 while saving and deleting leaves all of a batch or nothing", .serialized, .inTestAll)
struct SavingInterruptionTests {
    private static let kills =
        TestTier.isTorture ? 60 : 3

    @Test("§9.4 after any kill the store is valid and holds whole batches")
    func kills() throws {
        let file = try TemporaryStore()
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        for _ in 0..<Self.kills {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: file.path + suffix)
            }
            try file.open(.creating).close()
            let delay = UInt32.random(in: 0...80_000, using: &random)
            let place: Comment = "seed \(seed), killed after \(delay) µs"
            try startAndKillProcess(of: file.path, after: delay)
            let store = try file.open()
            #expect(try store.check() == [], place)
            let counts = try store.read { db in
                try Int.fetchAll(
                    db,
                    sql: "SELECT count(*) FROM sample GROUP BY start_time UNION ALL "
                        + "SELECT count(*) FROM tombstone GROUP BY start_time")
            }
            #expect(counts.allSatisfy { $0 == KilledProcess.batchSize }, place)
            #expect(!counts.isEmpty, place)
            let (samples, tombstones) = try store.read { db in
                (
                    try Int64.fetchOne(db, sql: "SELECT count(*) FROM sample") ?? 0,
                    try Int64.fetchOne(db, sql: "SELECT count(*) FROM tombstone") ?? 0
                )
            }
            #expect(try store.lastSequence == samples + tombstones * 2, place)
            try store.close()
        }
    }

    /// Starts these tests again with only the child's suite, and kills the process after it began
    /// to save.
    private func startAndKillProcess(of path: String, after delay: UInt32) throws {
        let process = Process()
        let (program, arguments) = try ProgramRun.ofTests(only: "KilledSaverTests")
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment[KilledProcess.variable] = path
        process.environment = environment
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let deadline = Date().addingTimeInterval(60)
        let reader = try SampleStore(at: path, access: .reading)
        while try reader.lastSequence == 0, process.isRunning, Date() < deadline { usleep(1_000) }
        try reader.close()
        usleep(delay)
        try #require(process.isRunning, "the process ended by itself")
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
