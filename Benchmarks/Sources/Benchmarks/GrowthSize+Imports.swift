import Foundation

extension GrowthSize {
    /// Measures the first import, and the same file again, which is known by its checksums.
    ///
    /// - Returns: Whether imports at this size are short enough to be repeated.
    func imports(_ card: inout Scorecard) throws -> Bool {
        let program = context.openhealth("import", export, "--json", store: store)
        let first = BenchmarkProgram(
            name: "first import", program: program,
            prepare: { context.removeDatabase(store) },
            check: { try decoded(ImportResult.self, from: $0.output).expectFirst(of: records) })
        let firstRuns = try runs(first)
        card.add(figure(first.name, firstRuns, store: store))
        let before = try sampleCounts()
        let known = BenchmarkProgram(
            name: "import of the same file", program: program,
            check: {
                // The report of the first import follows, and says which one is repeated.
                let report = try decoded(KnownImport.self, from: $0.output)
                try expect(report.records.read == records, "the same file isn't known")
            })
        card.add(figure(known.name, try runs(known), store: store))
        try expect(sampleCounts() == before, "the same file again changes the number of samples")
        return firstRuns.count > 1
    }

    /// Measures an import of the export into a store with an earlier export, which lacks the
    /// records of the last 30 days.
    func laterImport(_ isRepeated: Bool, _ card: inout Scorecard) throws {
        let (earlierExport, earlier) = (file("earlier.zip"), file("earlier.sqlite"))
        let later = file("later.sqlite")
        show("making an earlier export")
        let script = "\(Session.package)/Python/earlier_export.py"
        _ = try Program("python3", script, export, earlierExport).succeed()
        show("importing it")
        _ = try context.openhealth("import", earlierExport, "--json", store: earlier).succeed()
        try FileManager.default.removeItem(atPath: earlierExport)
        let program = BenchmarkProgram(
            name: "import a month later",
            program: context.openhealth("import", export, "--json", store: later),
            prepare: {
                context.removeDatabase(later)
                let files = FileManager.default
                if isRepeated {
                    try files.copyItem(atPath: earlier, toPath: later)
                } else {
                    // A copy of the largest stores would need gigabytes.
                    try files.moveItem(atPath: earlier, toPath: later)
                }
            },
            check: { try decoded(ImportResult.self, from: $0.output).expectLater(of: records) })
        let runs = isRepeated ? try runs(program) : [try run(program, "only run")]
        card.add(figure(program.name, runs, store: later))
    }

    /// The output of an import whose file is known. An import that reads it has no `repeats`.
    private struct KnownImport: Decodable {
        struct Repeated: Decodable { var `import`: Int }
        var repeats: Repeated
        var records: ImportResult.Ledger
    }
}
