import Foundation

/// The measurements of one program over all its runs.
struct Measured: Encodable {
    var name: String
    var wallSeconds: Spread
    var processorSeconds: Spread
    var peakBytes: Spread

    init(name: String, runs: [ProcessRun]) {
        self.name = name
        wallSeconds = Spread(runs.map(\.wall))
        processorSeconds = Spread(runs.map(\.processor))
        peakBytes = Spread(runs.map { Double($0.peakMemory) })
    }
}

/// A result that is checked against a limit, or only reported if it has none.
struct Finding: Encodable {
    /// The limit of a result. In limits.json: `{"atLeast": 8}`, `{"atMost": 2}` or `{"below": 256}`.
    enum Bound: Decodable {
        /// The median must be at least this.
        case atLeast(Double)
        /// The median must be at most this.
        case atMost(Double)
        /// Every run must be below this.
        case alwaysBelow(Double)

        private enum Key: String, CodingKey { case atLeast, atMost, below }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            if let limit = try container.decodeIfPresent(Double.self, forKey: .atLeast) {
                self = .atLeast(limit)
            } else if let limit = try container.decodeIfPresent(Double.self, forKey: .atMost) {
                self = .atMost(limit)
            } else {
                self = .alwaysBelow(try container.decode(Double.self, forKey: .below))
            }
        }
    }

    /// A limit in limits.json. One that is known to be missed has the reason beside it:
    /// `{"atMost": 2, "missed": "the profile shows …"}`. It doesn't fail a session, so that other
    /// misses are noticed.
    struct Requirement: Decodable {
        var bound: Bound
        /// Why the limit is missed; nil if it should be met.
        var missed: String?

        private enum Key: String, CodingKey { case missed }

        init(from decoder: any Decoder) throws {
            bound = try Bound(from: decoder)
            missed = try decoder.container(keyedBy: Key.self)
                .decodeIfPresent(String.self, forKey: .missed)
        }
    }

    enum Verdict: String, Encodable {
        case met, missed
        case informational = "told"
    }

    var name: String
    var figure: Spread
    var unit: String
    var bound: Bound?
    /// Why the limit is known to be missed; nil if it should be met.
    var knownReason: String?

    var verdict: Verdict {
        let isMet: Bool
        switch bound {
        case nil: return .informational
        case .atLeast(let minimum): isMet = figure.median >= minimum
        case .atMost(let maximum): isMet = figure.median <= maximum
        case .alwaysBelow(let limit): isMet = figure.maximum < limit
        }
        return isMet ? .met : .missed
    }

    /// The limit as text: "≥ 8", or an empty string.
    var boundText: String {
        switch bound {
        case nil: ""
        case .atLeast(let minimum): "≥ \(Spread.short(minimum))"
        case .atMost(let maximum): "≤ \(Spread.short(maximum))"
        case .alwaysBelow(let limit): "< \(Spread.short(limit))"
        }
    }

    private enum Key: String, CodingKey { case name, figure, unit, bound, verdict }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(figure, forKey: .figure)
        try container.encode(unit, forKey: .unit)
        if bound != nil { try container.encode(boundText, forKey: .bound) }
        try container.encode(verdict, forKey: .verdict)
    }
}

extension Spread {
    /// Returns a limit in short form: 8, 0.5.
    fileprivate static func short(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }
}

/// All results of a session, as a table and as JSON.
struct Scorecard: Encodable {
    var machine = Machine()
    private(set) var measurements: [Measured] = []
    private(set) var findings: [Finding] = []
    /// The cost of each operation at each size.
    private(set) var growth: [GrowthFigure] = []
    /// Descriptions of the answers that were verified.
    private(set) var checks: [String] = []
    private(set) var skipped: [String] = []
    private(set) var failures: [String] = []
    /// The limits by the name of the finding. Findings without one are only reported.
    private let limits: [String: Finding.Requirement]

    private enum CodingKeys: String, CodingKey {
        case machine, measurements, findings, growth, checks, skipped, failures
    }

    /// - Parameter limits: The text of limits.json.
    init(limits: Data) throws(Failure) {
        self.limits = try decoded([String: Finding.Requirement].self, from: limits)
    }

    mutating func record(_ measured: [Measured]) { measurements += measured }

    mutating func addFinding(_ name: String, _ figure: Spread, _ unit: String) {
        findings.append(
            Finding(
                name: name, figure: figure, unit: unit, bound: limits[name]?.bound,
                knownReason: limits[name]?.missed))
    }

    mutating func add(_ figure: GrowthFigure) { growth.append(figure) }

    /// The limits that no finding had, in order of name. In a session of all suites with all peers
    /// there are none.
    var unused: [String] {
        Set(limits.keys).subtracting(findings.map(\.name)).sorted()
    }

    mutating func passed(_ words: String) { checks.append(words) }
    mutating func skip(_ words: String) { skipped.append(words) }
    /// Adds a failure, without the paths of this machine.
    mutating func fail(_ words: String) {
        let folder = FileManager.default.currentDirectoryPath + "/"
        failures.append(
            words.replacingOccurrences(of: Session.package, with: "Benchmarks")
                .replacingOccurrences(of: folder, with: ""))
    }

    private var missed: [Finding] { findings.filter { $0.verdict == .missed } }
    /// Whether a limit is missed that limits.json doesn't list as missed.
    var hasUnknownMiss: Bool { missed.contains { $0.knownReason == nil } }

    /// The missed limits by name, each with the measured and the required value, and the reason of
    /// those that limits.json lists as missed.
    var missedText: String {
        let lines = missed.map { finding in
            "  \(finding.name): \(finding.figure.text()) \(finding.unit), must be "
                + "\(finding.boundText)\(finding.knownReason.map { " (known: \($0))" } ?? "")"
        }
        let regained = findings.filter { $0.verdict == .met && $0.knownReason != nil }.map(\.name)
        let unlisted = missed.count { $0.knownReason == nil }
        let head = "Limits missed: \(missed.count), \(unlisted) of them not known to be."
        let tail = "Met, but listed as missed: \(regained.joined(separator: "; "))."
        return ([head] + lines + (regained.isEmpty ? [] : [tail])).joined(separator: "\n") + "\n"
    }

    /// The table, at most 80 columns wide.
    var text: String {
        var lines = [
            machine.text, "", Self.row(["", "wall", "cpu s", "peak MB"], [36, 27, 8, 8]),
        ]
        for measured in measurements {
            lines.append(
                Self.row(
                    [
                        measured.name, measured.wallSeconds.durationText,
                        Spread.digits(measured.processorSeconds.median),
                        Spread.digits(measured.peakBytes.maximum / 1e6),
                    ], [36, 27, 8, 8]))
        }
        lines += ["", Self.row(["", "measured", "must", ""], [38, 25, 7, 7])]
        for finding in findings {
            let verdict = ["met": "met", "missed": "MISSED"][finding.verdict.rawValue] ?? ""
            lines.append(
                Self.row(
                    [
                        finding.name, finding.figure.text() + " " + finding.unit,
                        finding.boundText, verdict,
                    ], [38, 25, 7, 7]))
        }
        lines += growthLines + [""]
        lines += checks.flatMap { Self.wrapped("checked: " + $0) }
        lines += skipped.flatMap { Self.wrapped("skipped: " + $0) }
        lines += failures.flatMap { Self.wrapped("FAILED: " + $0) }
        return lines.joined(separator: "\n") + "\n"
    }

    private var growthLines: [String] {
        if growth.isEmpty { return [] }
        let widths = [30, 11, 9, 5, 9, 8, 8]
        let head = ["", "records", "wall", "runs", "cpu s", "peak MB", "file MB"]
        let rows = growth.map { figure in
            [
                figure.name, BenchmarkContext.words(figure.records), figure.wallSeconds.medianText,
                String(figure.wallSeconds.values.count),
                Spread.digits(figure.processorSeconds.median),
                Spread.digits(figure.peakBytes.maximum / 1e6),
                Spread.digits(figure.fileBytes.median / 1e6),
            ]
        }
        return ["", Self.row(head, widths)] + rows.map { Self.row($0, widths) }
    }

    /// Returns a row with the first cell left-aligned and the others right-aligned.
    private static func row(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).enumerated().map { index, cell in
            let space = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
            return index == 0 ? cell.0 + space : space + cell.0
        }
        var line = padded.joined()
        while line.last == " " { line.removeLast() }
        return line
    }

    private static func wrapped(_ text: String) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + word.count + 1 <= 80 {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append("  " + word)
            }
        }
        return lines
    }
}
