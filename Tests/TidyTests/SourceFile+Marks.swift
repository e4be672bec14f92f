import Foundation

/// Marks of unfinished work, concatenated so that this file doesn't violate its own rule.
let unfinishedMarks = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]

/// Hosts that the repository may mention, including their paths.
let knownHosts = [
    "apache.org", "apple.com", "example", "example.com", "example.org", "github.com", "hl7.org",
    "loinc.org", "modelcontextprotocol.io", "nih.gov", "postgresql.org", "schemastore.org",
    "smarthealth.cards", "snomed.info", "swift.org", "topografix.com", "unitsofmeasure.org",
    "w3.org",
    // The assistant's own resources: health://types, health://summary, and one that there isn't.
    "nope", "summary", "types",
]

extension SourceFile {
    /// Marks of unfinished work.
    var strayMarks: [Violation] {
        lines(with: unfinishedMarks).flatMap { number, line in
            unfinishedMarks.filter { line.containsWord($0) }
                .map { violation("“\($0)” left behind", at: number) }
        }
    }

    /// Paths of a specific machine: folders under its root, or files beside the repository.
    var machinePaths: [Violation] {
        // Concatenated, so that this file doesn't violate its own rule.
        let roots = ["Users", "home", "root", "work"].map { "/\($0)/" } + ["../" + "shared"]
        return lines(with: roots).flatMap { number, line in
            roots.filter { root in
                line.ranges(of: root).contains { range in
                    let before = line[..<range.lowerBound].last
                    return before.map { !($0.isLetter || $0.isNumber || ".~-_)}".contains($0)) }
                        ?? true
                }
            }
            .map { violation("\($0)… exists on one machine only", at: number) }
        }
    }

    /// Web addresses of hosts that are not among ``knownHosts``.
    var unknownHosts: [Violation] {
        lines(with: ["://"]).flatMap { number, line in
            line.ranges(of: "://").compactMap { range in
                // Links that set up an app of the phone name no host, and a database is the reader's.
                let schemes = ["com.HealthExport", "postgresql", "postgres"]
                if schemes.contains(where: line[..<range.lowerBound].hasSuffix) { return nil }
                var host = line[range.upperBound...].prefix {
                    $0.isLetter || $0.isNumber || "-.".contains($0)
                }
                // The end of a sentence.
                while host.hasSuffix(".") { host.removeLast() }
                let isKnown = knownHosts.contains { host == $0 || host.hasSuffix("." + $0) }
                let isThisMachine =
                    host.isEmpty || host == "localhost" || host.hasPrefix("127.0.0.1")
                return isKnown || isThisMachine
                    ? nil : violation("\(host) is not among the known hosts", at: number)
            }
        }
    }
}

extension String {
    /// Returns whether the word occurs without an adjacent letter, digit or underscore.
    func containsWord(_ word: String) -> Bool {
        ranges(of: word).contains { range in
            self[..<range.lowerBound].last?.isWordly != true
                && self[range.upperBound...].first?.isWordly != true
        }
    }

    /// The text without surrounding whitespace.
    var trimmed: String { trimmingCharacters(in: .whitespaces) }
}

extension Character {
    fileprivate var isWordly: Bool { isLetter || isNumber || self == "_" }
}
