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

    /// Checks the import of the same file into the same store.
    func expectAgain(of count: Int) throws(Failure) {
        try expect(
            records.read == count && records.unchanged + records.repeated == count
                && vanished == 0, "the same file again is not all unchanged")
    }
}

extension Suite {
    /// Imports of the zip and of its XML, and a second import of the same file. The peers are
    /// healthkit-to-sqlite on the same zip, and a parser that stores nothing on the XML.
    static let imports = Suite(name: "imports") { course, card in
        let names = ImportNames(records: course.scale.records)
        var contestants = try importsOfOurs(course, names)
        if let peers = course.peers {
            let database = course.file("healthkit-to-sqlite.db")
            contestants.append(
                BenchmarkProgram(
                    name: names.peer, program: peers.healthkitToSQLite(course.export, to: database),
                    prepare: { course.removeDatabase(database) }))
        }
        let hasParser = (try? Program("xmllint", "--version").run())?.status == 0
        if hasParser {
            contestants.append(
                BenchmarkProgram(
                    name: names.parser,
                    program: Program("xmllint", "--stream", "--noout", try course.bareExport())))
        } else {
            card.skip("xmllint, which isn't there: apt-get install libxml2-utils")
        }
        let contest = try PairedMeasurement(rounds: course.scale.longRounds, contestants)
        card.record(contest.measurements)
        try checkAgainstPeers(contest, names, course, &card)
        if hasParser {
            card.find(
                "import ÷ xmllint, which keeps nothing",
                contest.ratio(names.parser, to: names.first), "×", .atLeast(1.2))
            card.find("the bare xml ÷ xmllint", contest.ratio(names.parser, to: names.bare), "×")
        }
        checkAlone(contest, names, course, &card)
    }

    private struct ImportNames {
        let first: String
        let bare = "import of the bare xml"
        let again = "the same file again"
        let peer = "healthkit-to-sqlite 1.0.1"
        let parser = "xmllint --stream on the bare xml"

        init(records: Int) { first = "import, \(Course.words(records)) records" }
    }

    private static func importsOfOurs(
        _ course: Course, _ names: ImportNames
    ) throws -> [BenchmarkProgram] {
        let count = course.scale.records
        let fresh = course.file("fresh.sqlite")
        let export = course.export
        let xml = try course.bareExport()
        return [
            BenchmarkProgram(
                name: names.first,
                program: course.openhealth("import", export, "--json", store: fresh),
                prepare: { course.removeDatabase(fresh) },
                check: { try decoded(ImportResult.self, from: $0.output).expectFirst(of: count) }),
            BenchmarkProgram(
                name: names.bare,
                program: course.openhealth("import", xml, "--json", store: fresh),
                prepare: { course.removeDatabase(fresh) },
                check: { try decoded(ImportResult.self, from: $0.output).expectFirst(of: count) }),
            BenchmarkProgram(
                name: names.again,
                program: course.openhealth("import", export, "--json", store: course.store),
                check: { try decoded(ImportResult.self, from: $0.output).expectAgain(of: count) }),
        ]
    }

    private static func checkAgainstPeers(
        _ contest: PairedMeasurement, _ names: ImportNames, _ course: Course,
        _ card: inout Scorecard
    ) throws {
        guard let peers = course.peers else {
            return card.skip("the import against healthkit-to-sqlite: it could not be installed")
        }
        card.find(
            "import ÷ healthkit-to-sqlite, wall", contest.ratio(names.peer, to: names.first), "×",
            .atLeast(12))
        card.find("the same, processor", contest.processorRatio(names.peer, to: names.first), "×")
        let ledger = try decoded(
            ImportResult.self,
            from: course.openhealth("import", course.export, "--json", store: course.store)
                .succeed().output)
        Progress.show("comparing both files")
        let database = course.file("healthkit-to-sqlite.db")
        try compare(
            try peers.python("compare_imports.py", course.store, database).succeed(), ledger, &card)
    }

    private static func checkAlone(
        _ contest: PairedMeasurement, _ names: ImportNames, _ course: Course,
        _ card: inout Scorecard
    ) {
        let count = course.scale.records
        card.find(
            "the same again ÷ the first import", contest.ratio(names.again, to: names.first), "×",
            .atMost(0.5))
        let peaks = contest.measured(names.first).peakBytes.values
        card.find(
            "peak memory, \(Course.words(count)) records", Spread(peaks.map { $0 / 1e6 }), "MB",
            .alwaysBelow(256))
        card.find(
            "records a second",
            Spread(
                contest.measured(names.first).wallSeconds.values.map {
                    Double(count) / $0
                }), "/s")
        card.find(
            "file size", Spread([course.bytes(ofDatabase: course.store) / Double(count)]),
            "B/record", .atMost(120))
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
        _ run: ProcessRun, _ answer: ImportResult, _ card: inout Scorecard
    ) throws {
        let comparison = try decoded(Comparison.self, from: run.output)
        let records = answer.records
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
        card.proved(
            "healthkit-to-sqlite's rows are our records read (\(Course.words(records.read))); "
                + "\(equal) of \(comparison.types.count) types have equally many rows, the others "
                + "lack exactly the \(Course.words(records.repeated)) repeated ones; the values of "
                + "\(summed) quantity types have equal exact sums, steps among them.")
    }

    /// An import whose memory, and time per record, must not grow with the file.
    static let manyRecords = Suite(name: "many-records") { course, card in
        let count = course.scale.manyRecords
        let (export, store) = (course.file("large.zip"), course.file("large.sqlite"))
        try course.simulate(count, to: export)
        course.removeDatabase(store)
        defer {
            course.removeDatabase(store)
            try? FileManager.default.removeItem(atPath: export)
        }
        Progress.show("importing \(Course.words(count)) records")
        let run = try course.openhealth("import", export, "--json", store: store).succeed()
        try decoded(ImportResult.self, from: run.output).expectFirst(of: count)
        let measured = Measured(name: "import, \(Course.words(count)) records", runs: [run])
        let size = course.bytes(ofDatabase: store) / Double(count)
        let usual = course.scale.records
        let few = Measured(
            name: "import, \(Course.words(usual)) records, beside",
            runs: try [0, 1].map { _ in
                course.removeDatabase(store)
                return try course.openhealth("import", course.export, "--json", store: store)
                    .succeed()
            })
        card.record([measured, few])
        card.find(
            "speed on \(Course.words(count)) ÷ \(Course.words(usual)) records",
            Spread([
                Double(count) / run.wall / (Double(usual) / few.wallSeconds.median)
            ]), "×", .atLeast(0.8))
        card.find(
            "peak memory, \(Course.words(count)) records",
            Spread([Double(run.peakMemory) / 1e6]), "MB", .alwaysBelow(256))
        card.find(
            "records a second, \(Course.words(count))", Spread([Double(count) / run.wall]), "/s")
        card.find(
            "file size, \(Course.words(count)) records", Spread([size]), "B/record", .atMost(120))
    }
}
