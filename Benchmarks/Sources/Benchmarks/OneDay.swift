import Foundation

extension Suite {
    /// One day's steps as a whole process, compared with the start of the command alone.
    static let oneDay = Suite(name: "one-day") { context, card in
        let (day, start) = ("steps of one day", "openhealth --version")
        let date = "2020-03-03"
        let years = try decoded(
            StatisticsResult.self,
            from: context.openhealth(
                "stats", "stepCount", "--by", "day", "--json", store: context.store
            ).succeed().output
        ).days
        try expect(years[date] != nil, "\(date) is not among ten years")
        let measurement = try PairedMeasurement(
            rounds: context.scale.shortRounds,
            [
                BenchmarkProgram(
                    name: day,
                    program: context.openhealth(
                        "stats", "stepCount", "--from", date, "--to", "2020-03-04", "--json",
                        store: context.store),
                    check: {
                        let days = try decoded(StatisticsResult.self, from: $0.output).days
                        // A proportional share at the day's boundary may be rounded differently.
                        let difference = abs((days[date] ?? .nan) - (years[date] ?? .nan))
                        try expect(
                            days.count == 1 && difference <= 1e-6,
                            "one day asked alone differs from the same day among ten years")
                    }),
                BenchmarkProgram(name: start, program: Program(context.openhealth, "--version")),
            ])
        card.record(measurement.measurements)
        card.addFinding(
            day, Spread(measurement.measured(day).wallSeconds.values.map { $0 * 1000 }), "ms")
        card.passed("one day asked alone is the same day among ten years.")
    }
}
