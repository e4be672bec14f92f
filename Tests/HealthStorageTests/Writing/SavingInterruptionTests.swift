import Foundation
import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

/// A process that saves and deletes until it is killed.
private enum Victim {
    /// The environment variable with the store's path. It is set only in that process.
    static let variable = "OPENHEALTH_VICTIM"
    static let path = ProcessInfo.processInfo.environment[variable]
    static let batchSize = 40
}

/// The process's work. The tests start themselves with only this suite.
@Suite("the victim", .enabled(if: Victim.path != nil))
struct KilledSaverTests {
    @Test("saves and deletes whole batches")
    func run() throws {
        let store = try SampleStore(at: #require(Victim.path), access: .writing)
        for round in 0..<1_000_000 {
            var saved = SavedBatch()
            for index in 0..<Victim.batchSize {
                saved.add(
                    .steps, Double(round), Double(round) + 1, Double(round),
                    uuid: SampleUUID(number: round * Victim.batchSize + index),
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

    @Test("§9.4 after any kill the store is sound and holds whole batches")
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
            try killVictim(of: file.path, after: delay)
            let store = try file.open()
            #expect(try store.check() == [], place)
            let counts = try store.read { db in
                try Int.fetchAll(
                    db,
                    sql: "SELECT count(*) FROM sample GROUP BY start_time UNION ALL "
                        + "SELECT count(*) FROM tombstone GROUP BY start_time")
            }
            #expect(counts.allSatisfy { $0 == Victim.batchSize }, place)
            #expect(!counts.isEmpty, place)
            let (live, dead) = try store.read { db in
                (
                    try Int64.fetchOne(db, sql: "SELECT count(*) FROM sample") ?? 0,
                    try Int64.fetchOne(db, sql: "SELECT count(*) FROM tombstone") ?? 0
                )
            }
            #expect(try store.lastSequence == live + dead * 2, place)
            try store.close()
        }
    }

    /// Starts these tests again with only the child's suite, and kills the process after it began
    /// to save.
    private func killVictim(of path: String, after delay: UInt32) throws {
        let process = Process()
        let (program, arguments) = try ProgramRun.ofTests(only: "KilledSaverTests")
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment[Victim.variable] = path
        process.environment = environment
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let deadline = Date().addingTimeInterval(60)
        let reader = try SampleStore(at: path, access: .reading)
        while try reader.lastSequence == 0, process.isRunning, Date() < deadline { usleep(1_000) }
        try reader.close()
        usleep(delay)
        try #require(process.isRunning, "the victim ended by itself")
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
