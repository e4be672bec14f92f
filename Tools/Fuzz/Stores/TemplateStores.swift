import Foundation

/// The initial stores of fuzzers, created once with the tested command.
struct TemplateStores {
    enum Kind: String, CaseIterable {
        /// An import without samples: only the date of an export.
        case empty
        /// All kinds of generated elements from two exports, with a weight and its note, a grant
        /// and a source order.
        case rich
        /// Extreme values and dates.
        case extreme
        /// 3,000 records of a simulated person.
        case simulated
    }

    /// Values and texts in the rich store that no error may contain.
    static let secrets = ["73.8642", "738642", "48271", "61.4375", "zqmarkernote"]
    /// The name of a source in the rich store, which its pages show.
    static let source = "Zqsource"

    let folder: String
    private let command: TestedCommand

    init(_ command: TestedCommand, _ kinds: [Kind] = Kind.allCases) throws {
        self.command = command
        folder = command.folder + "/templates"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let catalogue = try Catalogue()
        for kind in kinds { try make(kind, catalogue) }
    }

    /// Copies a store and the files beside it to a path, except lock and shared-memory files.
    func place(_ kind: Kind, at path: String) {
        Folder.removeStore(path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let stem = (path as NSString).deletingPathExtension
        for name in names where name.hasPrefix(kind.rawValue + ".") {
            let rest = name.dropFirst(kind.rawValue.count)
            if rest.hasSuffix("-shm") || rest.hasSuffix(".lock") { continue }
            Folder.copy("\(folder)/\(name)", to: stem + rest)
        }
    }

    private func make(_ kind: Kind, _ catalogue: Catalogue) throws {
        // A fixed seed, so that the templates are the same in every run.
        var random = SeededRandom(seed: 14, fuzzer: kind.rawValue, number: 0)
        let store = "\(folder)/\(kind.rawValue).sqlite"
        let file = command.folder + "/template.zip"
        defer { Folder.remove(file) }
        switch kind {
        case .empty:
            let date = ("value", "2024-04-01 08:00:00 +0100")
            let root = ExportElement("HealthData", [], [ExportElement("ExportDate", [date])])
            try importDocument(root, store, &random)
        case .simulated:
            try run(["simulate", "--records", "3000", "--seed", "7", "--out", file])
            try run(["import", file, "--store", store])
        case .extreme:
            var grammar = ExportGrammar(catalogue)
            grammar.hostility = 15
            grammar.records = 300
            try importDocument(grammar.document(&random), store, &random)
        case .rich: try makeRich(catalogue, store, &random)
        }
    }

    private func makeRich(
        _ catalogue: Catalogue, _ store: String, _ random: inout SeededRandom
    ) throws {
        var grammar = ExportGrammar(catalogue)
        grammar.records = 300
        var first = grammar.document(&random)
        first.children += marked(grammar, &random)
        try importDocument(first, store, &random)
        var second = first
        second.children.removeSubrange(2..<min(30, second.children.count))
        second.children[0] = ExportElement("ExportDate", [("value", "2024-09-01 08:00:00 +0100")])
        second.children += (0..<40).map { _ in grammar.quantity(&random) }
        try importDocument(second, store, &random)
        let steps = "stepCount"
        try run([
            "weight", "log", "73.8642kg", "--at", "2024-03-12T07:30", "--note", "zqmarkernote",
            "--tag", "t", "--store", store,
        ])
        try run(["grants", "allow", "app.example", "--read", "all", "--store", store])
        try run(["sources", "order", steps, TemplateStores.source, "--store", store])
        try run(["summary", "--store", store])
    }

    private func marked(_ grammar: ExportGrammar, _ random: inout SeededRandom) -> [ExportElement] {
        let kinds = [
            ("BodyMass", "kg", "73.8642"), ("StepCount", "count", "48271"),
            ("HeartRate", "count/min", "61.4375"),
        ]
        return (0..<24).map { index in
            let (name, unit, value) = kinds[index % 3]
            let start = Double((8_470 + index) * 86_400 + 32_400)
            return ExportElement(
                "Record",
                [
                    ("type", "HKQuantityTypeIdentifier" + name), ("unit", unit),
                    ("sourceName", TemplateStores.source),
                    ("startDate", ExportGrammar.date(start, offset: 3600)),
                    ("endDate", ExportGrammar.date(start + 600, offset: 3600)), ("value", value),
                ],
                [
                    ExportElement(
                        "MetadataEntry", [("key", "zqkey"), ("value", "zqmarkernote")])
                ])
        }
    }

    private func importDocument(
        _ root: ExportElement, _ store: String, _ random: inout SeededRandom
    ) throws {
        let file = command.folder + "/template.xml"
        Folder.write(ExportDocument(root, isCorrupted: false, &random).bytes, to: file)
        defer { Folder.remove(file) }
        try run(["import", file, "--same-person", "--partial", "--store", store])
    }

    private func run(_ arguments: [String]) throws {
        let run = command.run(arguments)
        guard run.status == 0 else {
            throw SetupError(
                description: "\(command.shellLine(arguments)): \(run.errorText.prefix(300))")
        }
    }
}
