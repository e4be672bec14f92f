import Foundation

/// The part of `openhealth import --json` that is checked.
struct ImportResult: Decodable {
    struct Ledger: Decodable {
        var read, new, unchanged, changed, repeated, quarantined: Int
    }

    var elements: [String: Int]
    var records: Ledger
    var vanished: Int

    /// Checks a first import: every element is imported, and nothing else.
    func expectFirst(of count: Int) throws(Failure) {
        try expect(elements["Record"] == count, "\(elements["Record"] ?? 0) of \(count) elements")
        try expect(records.read == count, "\(records.read) of \(count) records read")
        try expect(
            records.new + records.repeated == count && records.quarantined == 0,
            "records of a first import are neither new nor repeated")
    }

    /// Checks the import of the same file into the same store, read anew.
    func expectRepeated(of count: Int) throws(Failure) {
        try expect(
            records.read == count && records.unchanged + records.repeated == count
                && vanished == 0, "the same file again is not all unchanged")
    }

    /// Checks the import of a later export of the same person: nothing changed or vanished.
    func expectLater(of count: Int) throws(Failure) {
        try expect(
            records.read == count && records.new > 0
                && records.new + records.unchanged + records.repeated == count && vanished == 0,
            "a later export does not only add records")
    }
}

extension Suite {
    /// Imports of the zip and of its XML, and a second import of the same file. The peers are
    /// healthkit-to-sqlite on the same zip, and a parser that stores nothing on the XML.
    static let imports = Suite(name: "imports") { context, card in
        let names = ImportNames(records: context.scale.records)
        var programs = try importsOfOurs(context, names)
        if let peers = context.peers {
            let database = context.file("healthkit-to-sqlite.db")
            programs.append(
                BenchmarkProgram(
                    name: names.peer,
                    program: peers.healthkitToSQLite(context.export, to: database),
                    prepare: { context.removeDatabase(database) }))
        }
        let hasParser = (try? Program("xmllint", "--version").run())?.status == 0
        if hasParser {
            programs.append(
                BenchmarkProgram(
                    name: names.parser,
                    program: Program("xmllint", "--stream", "--noout", try context.bareExport())))
        } else {
            card.skip("xmllint, which isn't there: apt-get install libxml2-utils")
        }
        let limit = try limitProgram(context)
        if let limit {
            let database = context.file("limit.sqlite")
            programs.append(
                BenchmarkProgram(
                    name: names.limit, program: Program(limit, context.export, database),
                    prepare: { context.removeDatabase(database) }))
        } else {
            card.skip("the limit of an import: cc, zlib.h or sqlite3.h isn't there")
        }
        let measurement = try PairedMeasurement(rounds: context.scale.longRounds, programs)
        card.record(measurement.measurements)
        if limit != nil {
            card.addFinding(
                "import ÷ the limit of C and SQLite",
                measurement.ratio(names.first, to: names.limit), "×")
            card.addFinding(
                "import ÷ that limit, processor",
                measurement.processorRatio(names.first, to: names.limit), "×")
        }
        try checkAgainstPeers(measurement, names, context, &card)
        if hasParser {
            card.addFinding(
                "import ÷ xmllint, which keeps nothing",
                measurement.ratio(names.parser, to: names.first), "×")
            card.addFinding(
                "the bare xml ÷ xmllint", measurement.ratio(names.parser, to: names.bare), "×")
        }
        checkAlone(measurement, names, context, &card)
    }

    private struct ImportNames {
        let first: String
        let bare = "import of the bare xml"
        let again = "the same file again, read anew"
        let known = "the same file again"
        let later = "a month later"
        let limit = "C and SQLite alone"
        let peer = "healthkit-to-sqlite 1.0.1"
        let parser = "xmllint --stream on the bare xml"

        init(records: Int) { first = "import, \(BenchmarkContext.words(records)) records" }
    }

    private static func importsOfOurs(
        _ context: BenchmarkContext, _ names: ImportNames
    ) throws -> [BenchmarkProgram] {
        let count = context.scale.records
        let fresh = context.file("fresh.sqlite")
        let export = context.export
        let xml = try context.bareExport()
        let (earlier, later) = (try earlierStore(context), context.file("later.sqlite"))
        return [
            BenchmarkProgram(
                name: names.first,
                program: context.openhealth("import", export, "--json", store: fresh),
                prepare: { context.removeDatabase(fresh) },
                check: { try decoded(ImportResult.self, from: $0.output).expectFirst(of: count) }),
            BenchmarkProgram(
                name: names.bare,
                program: context.openhealth("import", xml, "--json", store: fresh),
                prepare: { context.removeDatabase(fresh) },
                check: { try decoded(ImportResult.self, from: $0.output).expectFirst(of: count) }),
            BenchmarkProgram(
                name: names.again,
                program: context.openhealth(
                    "import", export, "--again", "--json", store: context.store),
                check: { try decoded(ImportResult.self, from: $0.output).expectRepeated(of: count) }
            ),
            BenchmarkProgram(
                name: names.known,
                program: context.openhealth("import", export, "--json", store: context.store)),
            BenchmarkProgram(
                name: names.later,
                program: context.openhealth("import", export, "--json", store: later),
                prepare: {
                    context.removeDatabase(later)
                    try FileManager.default.copyItem(atPath: earlier, toPath: later)
                },
                check: { try decoded(ImportResult.self, from: $0.output).expectLater(of: count) }),
        ]
    }

    /// Returns a store with the export as it was a month earlier: without the records of its last
    /// 30 days.
    private static func earlierStore(_ context: BenchmarkContext) throws -> String {
        let (export, store) = (context.file("earlier.zip"), context.file("earlier.sqlite"))
        let script = "\(Session.package)/Python/earlier_export.py"
        _ = try Program("python3", script, context.export, export).succeed()
        _ = try context.openhealth("import", export, "--json", store: store).succeed()
        return store
    }

    /// Compiles `limits/import_limit.c`, which inflates, scans and inserts, and nothing else.
    ///
    /// - Returns: The program's path; nil without a C compiler or its libraries.
    private static func limitProgram(_ context: BenchmarkContext) throws -> String? {
        let source = "\(Session.package)/limits/import_limit.c"
        let program = context.file("import_limit")
        let compiler = Program("cc", "-O2", "-o", program, source, "-lz", "-lsqlite3")
        return (try? compiler.run())?.status == 0 ? program : nil
    }

    private static func checkAgainstPeers(
        _ measurement: PairedMeasurement, _ names: ImportNames, _ context: BenchmarkContext,
        _ card: inout Scorecard
    ) throws {
        guard let peers = context.peers else {
            return card.skip("the import against healthkit-to-sqlite: it could not be installed")
        }
        card.addFinding(
            "import ÷ healthkit-to-sqlite, wall", measurement.ratio(names.peer, to: names.first),
            "×")
        card.addFinding(
            "import ÷ healthkit-to-sqlite, processor",
            measurement.processorRatio(names.peer, to: names.first), "×")
        let ledger = try decoded(
            ImportResult.self,
            from: context.openhealth(
                "import", context.export, "--again", "--json", store: context.store
            )
            .succeed().output)
        Progress.show("comparing both files")
        let database = context.file("healthkit-to-sqlite.db")
        try compare(
            try peers.python("compare_imports.py", context.store, database).succeed(), ledger, &card
        )
    }

    private static func checkAlone(
        _ measurement: PairedMeasurement, _ names: ImportNames, _ context: BenchmarkContext,
        _ card: inout Scorecard
    ) {
        let count = context.scale.records
        card.addFinding(
            "the same export again, known",
            Spread(measurement.measured(names.known).wallSeconds.values), "s")
        card.addFinding(
            "the same read anew ÷ the first import",
            measurement.ratio(names.again, to: names.first), "×")
        card.addFinding(
            "a month later ÷ the first import", measurement.ratio(names.later, to: names.first),
            "×")
        let peaks = measurement.measured(names.first).peakBytes.values
        card.addFinding(
            "peak memory, \(BenchmarkContext.words(count)) records", Spread(peaks.map { $0 / 1e6 }),
            "MB")
        card.addFinding(
            "records a second",
            Spread(
                measurement.measured(names.first).wallSeconds.values.map {
                    Double(count) / $0
                }), "/s")
        card.addFinding(
            "file size", Spread([context.bytes(ofDatabase: context.store) / Double(count)]),
            "B/record")
    }

    private struct Comparison: Decodable {
        struct Pair: Decodable {
            var ours, theirs: Int
            var equalSums: Bool?
        }

        var total: Int
        var types: [String: Pair]
    }

    /// Compares row counts. healthkit-to-sqlite has a row for every Record element, so its rows
    /// correspond to `read`. Its additional rows of a type are records that the export repeats
    /// inside a correlation.
    private static func compare(
        _ run: ProcessRun, _ result: ImportResult, _ card: inout Scorecard
    ) throws {
        let comparison = try decoded(Comparison.self, from: run.output)
        let records = result.records
        try expect(
            comparison.total == records.read,
            "healthkit-to-sqlite has \(comparison.total) records, we read \(records.read)")
        var more = 0
        for (name, pair) in comparison.types {
            try expect(pair.theirs >= pair.ours, "more \(name) than the file holds")
            try expect(pair.equalSums != false, "values of \(name) add up to something else")
            more += pair.theirs - pair.ours
        }
        try expect(more == records.repeated, "\(more) rows less, \(records.repeated) repeated")
        let summed = comparison.types.values.count { $0.equalSums == true }
        let equal = comparison.types.values.count { $0.ours == $0.theirs }
        try expect(comparison.types["StepCount"]?.equalSums == true, "steps were not compared")
        card.passed(
            "healthkit-to-sqlite's rows are our records read (\(BenchmarkContext.words(records.read))); "
                + "\(equal) of \(comparison.types.count) types have equally many rows, the others "
                + "lack exactly the \(BenchmarkContext.words(records.repeated)) repeated ones; the values of "
                + "\(summed) quantity types have equal exact sums, steps among them.")
    }

    /// An import whose memory, and time per record, must not grow with the file.
    static let manyRecords = Suite(name: "many-records") { context, card in
        let count = context.scale.manyRecords
        let (export, store) = (context.file("large.zip"), context.file("large.sqlite"))
        try context.simulate(count, to: export)
        context.removeDatabase(store)
        defer {
            context.removeDatabase(store)
            try? FileManager.default.removeItem(atPath: export)
        }
        Progress.show("importing \(BenchmarkContext.words(count)) records")
        let run = try context.openhealth("import", export, "--json", store: store).succeed()
        try decoded(ImportResult.self, from: run.output).expectFirst(of: count)
        let measured = Measured(
            name: "import, \(BenchmarkContext.words(count)) records", runs: [run])
        let size = context.bytes(ofDatabase: store) / Double(count)
        let usual = context.scale.records
        let few = Measured(
            name: "import, \(BenchmarkContext.words(usual)) records, beside",
            runs: try [0, 1].map { _ in
                context.removeDatabase(store)
                return try context.openhealth("import", context.export, "--json", store: store)
                    .succeed()
            })
        card.record([measured, few])
        card.addFinding(
            "speed on \(BenchmarkContext.words(count)) ÷ \(BenchmarkContext.words(usual)) records",
            Spread([
                Double(count) / run.wall / (Double(usual) / few.wallSeconds.median)
            ]), "×")
        card.addFinding(
            "peak memory, \(BenchmarkContext.words(count)) records",
            Spread([Double(run.peakMemory) / 1e6]), "MB")
        card.addFinding(
            "records a second, \(BenchmarkContext.words(count))",
            Spread([Double(count) / run.wall]), "/s")
        card.addFinding(
            "file size, \(BenchmarkContext.words(count)) records", Spread([size]), "B/record")
    }
}
