import Foundation

/// The part of `openhealth stats --json` that is checked.
struct StatisticsResult: Decodable {
    struct Bucket: Decodable {
        var start: String
        var sum: Double

        /// "2024-03-10"
        var day: String { String(start.prefix(10)) }
    }

    var timeZone: String
    var buckets: [Bucket]

    var days: [String: Double] {
        Dictionary(buckets.map { ($0.day, $0.sum) }, uniquingKeysWith: +)
    }
}

private struct SourcesResult: Decodable {
    struct Row: Decodable {
        var name, bundleIdentifier: String
        var excluded: Bool
    }

    var sources: [Row]
}

private struct TruthResult: Decodable {
    struct Day: Decodable {
        var date: String
        var steps: Double
    }

    var days: [Day]
}

/// The output of `make_steps.py`, computed independently.
private struct PeerSteps: Decodable {
    struct Source: Decodable {
        var total: Double
        var days: [String: Double]
    }

    var rows: Int
    var sources: [String: Source]
}

extension Suite {
    /// Daily steps of ten years, as whole processes: merged by openhealth, summed without merge by
    /// DuckDB.
    static let dailySteps = Suite(name: "daily-steps") { context, card in
        let (ours, theirs) = ("steps of ten years by day, merged", "DuckDB 2.0.0 in Python, added")
        let program = context.openhealth(
            "stats", "stepCount", "--by", "day", "--json", store: context.store)
        let expectedOutput = try program.succeed().output
        try checkMerged(expectedOutput, context, &card)
        var programs = [
            BenchmarkProgram(
                name: ours, program: program,
                check: {
                    try expect($0.output == expectedOutput, "the same question, another answer")
                })
        ]
        if let peers = context.peers {
            let file = context.file("steps.duckdb")
            let zone = try decoded(StatisticsResult.self, from: expectedOutput).timeZone
            Progress.show("giving DuckDB the same rows")
            let steps = try decoded(
                PeerSteps.self,
                from: peers.python("make_steps.py", context.store, zone, file).succeed().output)
            try checkSources(steps, context, &card)
            let total = steps.sources.values.reduce(0) { $0 + $1.total }
            programs.append(
                BenchmarkProgram(
                    name: theirs, program: peers.python("daily_steps.py", file),
                    check: { try expect(added($0.output) == total, "DuckDB lost steps") }))
        } else {
            card.skip("ten years of steps against DuckDB: it could not be installed")
        }
        let measurement = try PairedMeasurement(rounds: context.scale.shortRounds, programs)
        card.record(measurement.measurements)
        guard context.peers != nil else { return }
        card.addFinding(
            "ten years of steps ÷ DuckDB", measurement.ratio(ours, to: theirs), "×")
    }

    /// Returns the sum of the second column of "day,sum" lines.
    private static func added(_ output: Data) -> Double {
        String(decoding: output, as: UTF8.self).split(separator: "\n").reduce(0) { sum, line in
            sum + (line.split(separator: ",").last.flatMap { Double($0) } ?? .nan)
        }
    }

    /// Checks merged days against the simulated person's actual steps.
    private static func checkMerged(
        _ output: Data, _ context: BenchmarkContext, _ card: inout Scorecard
    ) throws {
        let merged = try decoded(StatisticsResult.self, from: output).days
        let (close, all) = try closeDays(merged, truth: context.truth)
        card.passed("merged steps are within 3 % of the truth on \(close) of \(all) days.")
    }

    /// Compares days with the truth in a file, and requires 95 % of them to be within 3 % of it.
    ///
    /// - Returns: The number of these days, and of all.
    static func closeDays(
        _ merged: [String: Double], truth file: String
    ) throws -> (close: Int, all: Int) {
        let truth = try decoded(
            TruthResult.self, from: FileManager.default.contents(atPath: file) ?? Data()
        ).days
        try expect(truth.count > 3600, "the truth has only \(truth.count) days")
        let close = truth.count { abs((merged[$0.date] ?? 0) - $0.steps) <= 0.03 * $0.steps }
        let share = Double(close) / Double(truth.count)
        try expect(
            share >= 0.95,
            "\(close) of \(truth.count) days are within 3 % of the truth")
        return (close, truth.count)
    }

    /// Checks the steps of single sources, which need no merge. Totals must be equal to the last
    /// digit, and so must days whose midnights no sample crosses, since steps are whole numbers.
    private static func checkSources(
        _ steps: PeerSteps, _ context: BenchmarkContext, _ card: inout Scorecard
    ) throws {
        let sources = try decoded(
            SourcesResult.self,
            from: context.openhealth("sources", "stepCount", "--json", store: context.store)
                .succeed().output
        ).sources.filter { !$0.excluded }
        try expect(sources.count >= 2, "fewer than two sources count")
        var compared = 0
        for source in sources {
            guard let theirs = steps.sources[source.name] else {
                throw Failure("Wrong answer: a source has no rows.")
            }
            func statistics(by interval: String) throws -> StatisticsResult {
                try decoded(
                    StatisticsResult.self,
                    from: context.openhealth(
                        "stats", "stepCount", "--by", interval, "--source",
                        source.bundleIdentifier, "--json", store: context.store
                    ).succeed().output)
            }
            let total = try statistics(by: "total").buckets.reduce(0) { $0 + $1.sum }
            try expect(total == theirs.total, "one source's total is \(total - theirs.total) off")
            let ours = try statistics(by: "day").days
            for (day, sum) in theirs.days {
                try expect(
                    ours[day] == sum, "one source has \(ours[day] ?? 0) steps on \(day), not \(sum)"
                )
            }
            compared += theirs.days.count
        }
        card.passed(
            "\(BenchmarkContext.words(compared)) day sums and \(sources.count) totals of single sources are "
                + "exactly DuckDB's, from \(BenchmarkContext.words(steps.rows)) rows.")
    }
}
