import SwiftSyntax

/// Networking APIs. They are forbidden everywhere, because no data leaves the machine.
let networkTypes: Set<String> = [
    "FoundationNetworking", "URLSession", "NWConnection", "CFSocket",
]
let networkCalls: Set<String> = ["getaddrinfo", "socket"]

/// Clocks, random numbers and process information. Pure targets receive them as parameters only.
let ambientTypes: Set<String> = [
    "ContinuousClock", "SuspendingClock", "ProcessInfo", "SystemRandomNumberGenerator",
]
/// Types whose empty initialiser reads the environment.
let ambientValues: Set<String> = ["Date", "UUID"]
let ambientMembers: Set<String> = [
    "Date.now", "TimeZone.current", "Calendar.current", "Locale.current",
]
let ambientCalls: Set<String> = ["getenv"]

/// The tests' only source of random numbers without a seed: it draws the fresh seeds.
let seedHome = "Tests/HealthTesting/TestTier.swift"

/// Random numbers that no seed determines.
let unseededTypes: Set<String> = ["SystemRandomNumberGenerator"]
let unseededCalls: Set<String> = [
    "arc4random", "arc4random_buf", "arc4random_uniform", "drand48", "getentropy", "getrandom",
    "lrand48", "rand",
]
/// SQLite's functions in the text of a statement.
let unseededFunctions = ["random()", "randomblob("]

let pureTargets: Set<String> = ["HealthCalendar", "HealthEngine", "HealthSimulator"]

/// The targets that may use calendars: HealthCalendar, the simulator (its calendar is the test
/// oracle), and Apple's interfaces, whose callers pass their calendars.
let calendarHomes: Set<String> = [
    "FoundationGaps", "HealthCalendar", "HealthSimulator", "OpenHealthKit",
]

extension SourceFile {
    /// Sockets and sessions inside a target.
    var networkUse: [Breach] {
        guard room != nil else { return [] }
        return names(among: networkTypes).map { breach("\($0.text) opens the network", at: $0) }
            + calls(of: networkCalls).map { breach("\($0.name)(…) opens the network", at: $0.call) }
    }

    /// Reads of the clock, random numbers or machine settings inside a pure target.
    var ambientUse: [Breach] {
        guard let room, pureTargets.contains(room) else { return [] }
        let made = all(FunctionCallExprSyntax.self).compactMap { call in
            ambientValues.first { call.makes($0) }.map {
                breach("\($0)() is not a parameter", at: call)
            }
        }
        let members = all(MemberAccessExprSyntax.self).compactMap { member in
            member.path.flatMap {
                ambientMembers.contains($0) ? breach("\($0) is not a parameter", at: member) : nil
            }
        }
        return made + members
            + names(among: ambientTypes).map { breach("\($0.text) is not a parameter", at: $0) }
            + calls(of: ambientCalls).map {
                breach("\($0.name)(…) is not a parameter", at: $0.call)
            }
    }

    /// Random numbers without a seed in tests, outside ``seedHome``.
    ///
    /// A failure with them couldn't be repeated. New UUIDs are allowed, because most of them are
    /// names.
    var unseededRandomness: [Breach] {
        guard path.hasPrefix("Tests/"), path != seedHome else { return [] }
        let draws = all(FunctionCallExprSyntax.self).filter(\.drawsWithoutGenerator).map {
            breach("\($0.method ?? "")(…) has no seed", at: $0)
        }
        let types = names(among: unseededTypes).map { breach("\($0.text) has no seed", at: $0) }
        let functions = calls(of: unseededCalls).map {
            breach("\($0.name)(…) has no seed", at: $0.call)
        }
        let statements = stringSegments(with: unseededFunctions).map {
            breach("a random function of SQLite has no seed", at: $0)
        }
        return draws + types + functions + statements
    }

    /// Calendars and calendar arithmetic outside ``calendarHomes``.
    var strayCalendars: [Breach] {
        guard let room, !calendarHomes.contains(room) else { return [] }
        let members = all(MemberAccessExprSyntax.self).filter { member in
            ["Calendar.current", "Calendar.autoupdatingCurrent", "Calendar.init"]
                .contains(member.path)
        }
        let calls = all(FunctionCallExprSyntax.self).filter(\.isOfCalendar)
        return members.map { breach("a calendar outside HealthCalendar", at: $0) }
            + calls.map { breach("a calendar's arithmetic outside HealthCalendar", at: $0) }
    }

    /// Returns identifier tokens with one of the names, whatever they refer to.
    private func names(among names: Set<String>) -> [TokenSyntax] {
        guard mentions(names) else { return [] }
        return tree.tokens(viewMode: .sourceAccurate).filter { token in
            if case .identifier(let name) = token.tokenKind { names.contains(name) } else { false }
        }
    }

    /// Returns the segments of string literals that contain one of the words.
    private func stringSegments(with words: [String]) -> [TokenSyntax] {
        guard mentions(words) else { return [] }
        return tree.tokens(viewMode: .sourceAccurate).filter { token in
            if case .stringSegment(let text) = token.tokenKind {
                words.contains(where: text.contains)
            } else {
                false
            }
        }
    }

    private func calls(of names: Set<String>) -> [(name: String, call: FunctionCallExprSyntax)] {
        all(FunctionCallExprSyntax.self).compactMap { call in
            call.freeFunction.flatMap { names.contains($0) ? ($0, call) : nil }
        }
    }
}

extension FunctionCallExprSyntax {
    /// Whether the call is `Int.random(in:)`, `shuffled()` or the like without `using:`.
    fileprivate var drawsWithoutGenerator: Bool {
        let labels = arguments.map { $0.label?.text }
        switch method {
        case "random": return labels.isEmpty || labels == ["in"]
        case "randomElement", "shuffle", "shuffled": return labels.isEmpty
        default: return false
        }
    }

    /// Whether the call creates a calendar or does calendar arithmetic.
    fileprivate var isOfCalendar: Bool {
        if freeFunction == "Calendar" { return true }
        let label = arguments.first?.label?.text ?? ""
        switch method {
        case "startOfDay", "nextDate": return true
        case "dateComponents": return arguments.first?.expression.is(ArrayExprSyntax.self) == true
        case "date": return label.hasPrefix("byAdding") || label.hasPrefix("bySetting")
        case "secondsFromGMT": return label == "for"
        default: return false
        }
    }
}
