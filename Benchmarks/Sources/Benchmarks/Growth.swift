import Foundation

extension Suite {
    /// The same measurements over stores of several sizes, from which
    /// `Python/render_performance.py` draws how each cost grows.
    static let growth = Suite(name: "growth") { context, card in
        for records in context.growthRecords {
            let size = try GrowthSize(records: records, context)
            defer { size.removeFolder() }
            try size.measure(&card)
            let words = BenchmarkContext.words(records)
            card.passed(
                "\(words) records: every import reads them all and keeps each once, steps are "
                    + "within 3 % of the truth, days of heart rate have the total's extremes, "
                    + "pages are the same kept as made, and saved samples are in the mirror.")
        }
    }
}

/// The cost of one operation at one size.
struct GrowthFigure: Encodable {
    var name: String
    var records: Int
    var wallSeconds: Spread
    /// Processor time, user and system, over all threads; without runs where it can't be read.
    var processorSeconds: Spread
    /// The peak memory of the process that does it.
    var peakBytes: Spread
    /// The store's size after it.
    var fileBytes: Spread
    /// The number of samples of the type that it is about, if it is about one.
    var samples: Int?
}

/// The measurements of the suite `growth` at one size.
struct GrowthSize {
    let context: BenchmarkContext
    let records: Int
    /// A folder of its own, so that only one size is on the disk.
    private let folder: String

    var export: String { file("export.zip") }
    var truth: String { file("truth.json") }
    var store: String { file("store.sqlite") }

    init(records: Int, _ context: BenchmarkContext) throws {
        self.context = context
        self.records = records
        folder = context.file("growth")
        removeFolder()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    func file(_ name: String) -> String { "\(folder)/\(name)" }

    func removeFolder() { try? FileManager.default.removeItem(atPath: folder) }

    func measure(_ card: inout Scorecard) throws {
        try context.simulate(records, to: export, truth: truth)
        let isRepeated = try imports(&card)
        try statistics(&card)
        try pages(&card)
        try watcher(&card)
        context.removeDatabase(store)
        try laterImport(isRepeated, &card)
    }

    /// Returns the figure of several runs of one program.
    func figure(_ name: String, _ runs: [ProcessRun], store: String) -> GrowthFigure {
        let measured = Measured(name: name, runs: runs)
        return GrowthFigure(
            name: name, records: records, wallSeconds: measured.wallSeconds,
            processorSeconds: measured.processorSeconds, peakBytes: measured.peakBytes,
            fileBytes: Spread([context.bytes(ofDatabase: store)]))
    }

    /// Returns the number of stored samples by type.
    func sampleCounts() throws -> [String: Int] {
        struct Contents: Decodable {
            struct TypeCount: Decodable {
                var type: String
                var samples: Int
            }
            var types: [TypeCount]
        }
        let run = try context.openhealth("types", "--json", store: store).succeed()
        let types = try decoded(Contents.self, from: run.output).types
        return Dictionary(types.map { ($0.type, $0.samples) }, uniquingKeysWith: +)
    }

    /// Runs a program once as a warm-up and then several times. If the first run takes over a
    /// minute, it is the only one, and counts.
    func runs(_ benchmark: BenchmarkProgram) throws -> [ProcessRun] {
        let first = try run(benchmark, "first run")
        guard first.wall <= 60 else { return [first] }
        let rounds = first.wall < 1 ? context.scale.shortRounds : context.scale.longRounds
        return try (1...rounds).map { try run(benchmark, "run \($0)") }
    }

    func run(_ benchmark: BenchmarkProgram, _ words: String) throws -> ProcessRun {
        show("\(benchmark.name), \(words)")
        try benchmark.prepare()
        let run = try benchmark.program.succeed()
        try benchmark.check(run)
        return run
    }

    func show(_ words: String) { Progress.show("\(BenchmarkContext.words(records)): \(words)") }
}
