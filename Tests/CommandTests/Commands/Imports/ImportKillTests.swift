import Foundation
import HealthStorage
import HealthTesting
import Testing

/// `kill -9` at any time during February's import over January's, and during its undo.
@Suite(.serialized, .inTestAll) struct ImportKillTests {
    private static let isLong = TestTier.isTorture

    private let folder: TemporaryFolder
    private var store: String { folder.path + "/health.sqlite" }
    private var january: String { folder.path + "/january.sqlite" }
    private var february: String { folder.path + "/february.sqlite" }
    private var second: [String] {
        ["import", folder.path + "/february.zip", "--time-zone", TwoMonths.zone]
    }

    init() throws {
        folder = try TemporaryFolder()
        try TwoMonths(seed: 11).write(
            january: folder.path + "/january.zip", february: folder.path + "/february.zip")
        let first = ["import", folder.path + "/january.zip", "--time-zone", TwoMonths.zone]
        for (arguments, store) in [(first, january), (first, february), (second, february)] {
            let run = try CommandRun(arguments, store: store)
            try #require(run.status == 0, "\(run.errors)")
        }
    }

    @Test("a re-import that is killed and repeated gives the results of an uninterrupted one")
    func reimport() throws {
        try kill(Self.isLong ? 200 : 6, second, from: january, to: february)
    }

    @Test("an undo that is killed and repeated restores every result")
    func undo() throws {
        try kill(
            Self.isLong ? 60 : 3, ["imports", "undo", "2", "--yes"], from: february, to: january)
    }

    /// Runs a command repeatedly on copies of a store until it ends by itself, and kills it `kills`
    /// times in total.
    private func kill(
        _ kills: Int, _ arguments: [String], from start: String, to end: String
    ) throws {
        let whole = try StoreDump(end)
        let (before, after) = (try StoreDump.summary(start), try StoreDump.summary(end))
        try #require(before != after)
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        var (killed, rounds, late) = (0, 0, 0)
        let length = try lengthUndisturbed(arguments, from: start)
        while killed < kills {
            try copy(start)
            rounds += 1
            var status: Int32?
            while status == nil {
                let place = "seed \(seed), kill \(killed)"
                let command = try RunningCommand(arguments, store: store)
                if killed < kills {
                    Thread.sleep(forTimeInterval: .random(in: 0...length * 1.1, using: &random))
                    status = command.kill()
                } else {
                    // The last run isn't killed.
                    status = command.end()
                }
                if let status {
                    #expect(status == 0, "\(place): \(command.errors)")
                } else {
                    killed += 1
                    let state = try StoreDump.summary(store)
                    try #require(state == before || state == after, "\(place)")
                    if state == before { continue }
                    late += 1
                    // An undo can't be repeated.
                    if arguments[0] == "imports" { status = 0 }
                }
            }
            #expect(try StoreDump(store) == whole, "seed \(seed), kill \(killed)")
        }
        guard Self.isLong else { return }
        print(
            "\(killed) kills of \(arguments[0]) (\(length) s) in \(rounds) rounds; after \(late) the "
                + "change stood")
    }

    private func lengthUndisturbed(_ arguments: [String], from start: String) throws -> Double {
        try copy(start)
        let begin = ContinuousClock.now
        try #require(CommandRun(arguments, store: store).status == 0)
        return (ContinuousClock.now - begin) / .seconds(1)
    }

    private func copy(_ ready: String) throws {
        for suffix in ["", "-wal", "-shm", ".importing", ".lock"] {
            try? FileManager.default.removeItem(atPath: store + suffix)
        }
        try FileManager.default.copyItem(atPath: ready, toPath: store)
    }
}
