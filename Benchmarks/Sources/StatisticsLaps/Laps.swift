import Foundation
import HealthEngine
import HealthStorage

/// The measurements, each with a check of its result.
struct Laps {
    let path: String
    let history: History
    let rounds: Int
    let beats: [Reading]
    let expectedBeats: [Statistics]
    let expectedSteps: [Statistics]
    let expectedWatchSteps: [Statistics]
    private let peer: [String]
    private(set) var figures: [String: [Double]] = [:]

    /// Creates the store if FOLDER has none, and computes the expected answers.
    init(folder: String, history: History, rounds: Int, peer: [String]) throws {
        self.history = history
        self.rounds = rounds
        self.peer = peer
        path = "\(folder)/history-\(history.years).sqlite"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let (beats, steps) = (history.beats(), history.steps())
        let plain = ReferenceStatistics(days: history.days)
        self.beats = beats
        expectedBeats = plain.averages(beats)
        expectedSteps = plain.sums(steps)
        expectedWatchSteps = plain.sums(steps.filter { $0.source == History.watch })
        guard beats.count == History.beatsPerYear * history.years else {
            throw LapError("\(beats.count) heart rates")
        }
        try history.makeStore(at: path)
    }

    mutating func run() throws {
        try timeQuery("stepCount", "ten years of steps", expectedSteps, beside: nil)
        try timeOneSource()
        try oneDay()
        var other: Peer?
        if !peer.isEmpty { other = try Peer(peer, store: path) }
        if let other { try compare(other) }
        try timeQuery("heartRate", "ten years of heart rate", expectedBeats, beside: other)
        try changing()
    }

    mutating func add(_ lap: String, _ value: Double) { figures[lap, default: []].append(value) }

    /// Prints a measurement's figures to standard error.
    func report(_ lap: String) {
        let values = (figures[lap] ?? []).sorted()
        guard let least = values.first, let most = values.last else { return }
        let words = [values[values.count / 2], least, most].map { value in
            lap.contains("÷")
                ? String(format: "%.3g", value)
                : String(format: "%.4g ms", value * 1000)
        }
        FileHandle.standardError.write(
            Data("\(lap): \(words[0]) [\(words[1])–\(words[2])]\n".utf8))
    }

    /// Times ten years by day: the first query of a new process, and repeated queries.
    private mutating func timeQuery(
        _ type: String, _ lap: String, _ expected: [Statistics], beside peer: Peer?
    ) throws {
        let digest = Digest(expected).value
        for round in 0...rounds {
            var theirs: Cost?
            if round % 2 == 0 { theirs = try peer?.ask() }
            let result = try FirstQuery(asking: path, type, years: history.years)
            if round % 2 == 1 { theirs = try peer?.ask() }
            guard result.digest == digest else { throw LapError("a wrong day: \(lap), first") }
            if round == 0 { continue }
            let own = result.answering
            add("\(lap), first", own.wall)
            add("opening the store", result.opening)
            add("the borders of ten years of days", result.borders)
            guard let theirs else { continue }
            add("DuckDB, plain averages", theirs.wall)
            add("\(lap) ÷ DuckDB", own.wall / theirs.wall)
            add("\(lap) ÷ DuckDB, processor", own.processor / theirs.processor)
        }
        let store = try SampleStore(at: path, access: .reading)
        let question = SampleQuery(try History.type(type))
        for round in 0...rounds {
            var result: [Statistics] = []
            let seconds = try seconds {
                result = try store.statistics(question, over: history.days).buckets
            }
            guard Digest(result).value == digest else { throw LapError("a wrong day: \(lap)") }
            if round > 0 { add("\(lap), again", seconds) }
        }
        try store.close()
        for lap in [
            "\(lap), first", "DuckDB, plain averages", "\(lap) ÷ DuckDB",
            "\(lap) ÷ DuckDB, processor", "\(lap), again",
        ] { report(lap) }
    }

    /// Times ten years of steps of one source by day, and of both sources merged, each in a new
    /// process.
    private mutating func timeOneSource() throws {
        let lap = "ten years of one source's steps"
        let digest = Digest(expectedWatchSteps).value
        for round in 0...rounds {
            let watch = History.sources[Int(History.watch)].name
            let one = try FirstQuery(
                asking: path, "stepCount", years: history.years, sources: [watch])
            let all = try FirstQuery(asking: path, "stepCount", years: history.years)
            guard one.digest == digest else { throw LapError("a wrong day: \(lap)") }
            if round == 0 { continue }
            add("\(lap), first", one.answering.wall)
            add("\(lap) ÷ merged", one.answering.wall / all.answering.wall)
        }
        report("\(lap), first")
        report("\(lap) ÷ merged")
    }

    /// Compares the peer's rows with the history, and our days with the peer's, to the last digit.
    private func compare(_ peer: Peer) throws {
        let starting = ReferenceStatistics(days: history.days).starting(beats)
        guard peer.days.count == starting.counts.count, peer.days.count == expectedBeats.count
        else { throw LapError("the peer has \(peer.days.count) days") }
        var alike = 0
        for (index, day) in peer.days.enumerated() {
            guard day.count == starting.counts[index], day.sum == starting.sums[index] else {
                throw LapError("the peer has other rows on day \(index)")
            }
            let values = expectedBeats[index].merged
            // One more reading is one that started the day before.
            if values.count != day.count { continue }
            guard values.minimum == day.least, values.maximum == day.most else {
                throw LapError("the peer has other extremes on day \(index)")
            }
            alike += 1
        }
        guard alike * 10 > peer.days.count * 9 else { throw LapError("\(alike) days alike") }
    }
}
