/// Marks of unfinished work, refused in code and comments.
let unfinishedMarks = ["TODO", "FIXME", "XXX", "HACK"]

/// Calls that end the process over a person's data.
let traps = ["fatalError(", "preconditionFailure(", "try!", "as!"]

/// The one file that may trap: what Apple answers with an exception in a signature that can't
/// report an error.
let refusals = "Sources/OpenHealthKit/Refusal.swift"

/// Ways to print, refused outside the command and the tools.
let prints = ["print(", "debugPrint(", "dump(", "NSLog("]

/// Claims that the compiler can't check.
let uncheckedClaims = ["@unchecked Sendable", "nonisolated(unsafe)", "unowned(unsafe)"]

/// Doors to the network, refused everywhere: nothing leaves the machine.
let networkDoors = [
    "FoundationNetworking", "URLSession", "NWConnection", "CFSocket", "getaddrinfo(", "socket(",
]

/// Clocks, chance and surroundings, which reach the pure rooms as parameters only.
let ambientReads = [
    "Date()", "Date.now", "UUID()", "ContinuousClock", "SuspendingClock", "ProcessInfo", "getenv(",
    "SystemRandomNumberGenerator", "TimeZone.current", "Calendar.current", "Locale.current",
]

/// How a value of an SQLite file reaches Swift unchecked, by room. In the store nothing but its own
/// reader may fetch; the mirror's fetches throw, but subscripts of rows don't.
let uncheckedAccessors: [String: [String]] = [
    "HealthStorage": [
        ".fetchOne(", ".fetchAll(", ".fetchCursor(", ".fetchSet(", "sqlite3_column_", "as Row",
    ],
    "HealthSync": ["row[", "$0[0]", "$0[1]", "$0[\"", "sqlite3_column_"],
    "HealthDashboard": ["Row.fetch", "sqlite3_"],
]

/// The files that check.
let checkedReaders = [
    "CheckedRow.swift", "RawStatement.swift", "ColumnRule.swift", "MirrorRowValues.swift",
]

let pureRooms: Set<String> = ["HealthEngine", "HealthSimulator"]

/// Hosts that the repository may name, with everything under them.
let knownHosts = [
    "apache.org", "apple.com", "example", "example.com", "example.org", "github.com",
    "schemastore.org", "smarthealth.cards",
    "swift.org", "topografix.com", "w3.org",
]

extension SourceFile {
    /// Work left undone, or a trap under a person's data.
    var strayMarks: [Breach] {
        var found = breaches(of: unfinishedMarks, in: codeAndComments) { "“\($0)” left behind" }
        guard isSwift else { return found }
        if path != refusals {
            found += breaches(of: traps, in: code) { "\($0) ends the process" }
        }
        if let room, room != "openhealth" {
            found += breaches(of: prints, in: code) { "\($0)…) in a library" }
        }
        return found
    }

    /// Concurrency claims with no comment above that says why they hold.
    var unexplainedClaims: [Breach] {
        breaches(of: uncheckedClaims, in: code) { "\($0) without a reason on the line above" }
            .filter { breach in
                let above = lines.prefix(breach.line - 1).last { line in
                    !line.drop { $0 == " " }.hasPrefix("@")
                }
                return above?.drop { $0 == " " }.hasPrefix("//") != true
            }
    }

    var networkUse: [Breach] {
        guard room != nil else { return [] }
        return breaches(of: networkDoors, in: code) { "\($0) opens the network" }
    }

    /// Reads of the clock, of chance or of the machine's settings inside a pure room.
    var ambientUse: [Breach] {
        guard let room, pureRooms.contains(room) else { return [] }
        return breaches(of: ambientReads, in: code) { "\($0) is not a parameter" }
    }

    /// Calendar arithmetic in the store's room outside the file that owns it.
    var strayCalendars: [Breach] {
        guard room == "HealthStorage", !path.hasSuffix("/CalendarBuckets.swift") else { return [] }
        return breaches(of: ["Calendar(", "Calendar."], in: code) {
            "\($0) outside CalendarBuckets.swift"
        }
    }

    /// Values of a file read without a check of their type: GRDB's accessors trap on a value of another
    /// type, or convert it.
    var uncheckedReads: [Breach] {
        guard let room, let unchecked = uncheckedAccessors[room],
            !checkedReaders.contains(where: { path.hasSuffix("/" + $0) })
        else { return [] }
        return code.enumerated().flatMap { index, line in
            unchecked.filter { line.contains($0) }.map {
                breach("\($0)…) reads what a file holds without a check", at: index + 1)
            }
        }
    }

    /// Paths of one machine: folders under its root, or anything beside the repository.
    var machinePaths: [Breach] {
        // Put together here, so that this file doesn't break its own law.
        let roots = ["Users", "home", "root", "work"].map { "/\($0)/" } + ["../" + "shared"]
        return lines.enumerated().flatMap { index, line in
            roots.filter { root in
                line.ranges(of: root).contains { range in
                    let before = line[..<range.lowerBound].last
                    return before.map { !($0.isLetter || $0.isNumber || ".~-_)}".contains($0)) }
                        ?? true
                }
            }
            .map { breach("\($0)… exists on one machine only", at: index + 1) }
        }
    }

    /// Web addresses of hosts that are not among ``knownHosts``.
    var strangeHosts: [Breach] {
        lines.enumerated().flatMap { index, line in
            line.ranges(of: "://").compactMap { range in
                let host = line[range.upperBound...].prefix {
                    $0.isLetter || $0.isNumber || "-.".contains($0)
                }
                let isKnown = knownHosts.contains { host == $0 || host.hasSuffix("." + $0) }
                let isThisMachine = host.isEmpty || host.hasPrefix("127.0.0.1")
                return isKnown || isThisMachine
                    ? nil : breach("\(host) is not among the known hosts", at: index + 1)
            }
        }
    }

    /// Whole-word finds of any mark, one breach each.
    private func breaches(
        of marks: [String], in lines: [String], saying what: (String) -> String
    ) -> [Breach] {
        lines.enumerated().flatMap { index, line in
            marks.filter { line.containsWord($0) }.map { breach(what($0), at: index + 1) }
        }
    }
}

extension String {
    /// Whether the mark stands here without a letter, digit or dot glued to its wordly ends:
    /// "print(" is in "= print(x)" but not in "fingerprint(x)" or "out.print(x)".
    func containsWord(_ mark: String) -> Bool {
        ranges(of: mark).contains { range in
            let before = self[..<range.lowerBound].last
            let after = self[range.upperBound...].first
            let opens =
                mark.first?.isWordly == true && before.map { $0.isWordly || $0 == "." } == true
            let runsOn = mark.last?.isWordly == true && after?.isWordly == true
            return !opens && !runsOn
        }
    }
}

extension Character {
    fileprivate var isWordly: Bool { isLetter || isNumber || self == "_" }
}
