import SwiftSyntax

/// Identifiers of networking modules and types. The targets under `Sources` must not use them, so
/// that no data leaves the machine.
let networkTypes: Set<String> = [
    "FoundationNetworking", "URLSession", "NWConnection", "CFSocket",
]
/// The files under `Sources` that may use the network: one sends to the address that an app or
/// `openhealth push` names, one resolves the names of hooks, and one has Unix sockets, which don't
/// leave the machine.
let networkFiles: Set<String> = [
    "Sources/HealthServer/Hooks/HostResolution.swift", "Sources/HealthSync/Push/PushSession.swift",
    "Sources/OpenHealthKit/Workouts/Mirroring/LocalSocket.swift",
]
/// C functions that use the network. They are forbidden in the same targets.
let networkCalls: Set<String> = ["getaddrinfo", "socket"]

/// Types that yield the time, random numbers or process information. ``pureTargets`` must not use
/// them: callers pass the values as parameters.
let ambientTypes: Set<String> = [
    "ContinuousClock", "SuspendingClock", "ProcessInfo", "SystemRandomNumberGenerator",
]
/// Types whose initializer without arguments reads the clock or draws a random value.
let ambientValues: Set<String> = ["Date", "UUID"]
let ambientMembers: Set<String> = [
    "Date.now", "TimeZone.current", "Calendar.current", "Locale.current",
]
let ambientCalls: Set<String> = ["getenv"]

/// The only file under `Tests` that may draw random numbers without a seed. It draws the seeds of
/// random tests.
let seedFile = "Tests/HealthTesting/TestTier.swift"

/// Types that draw random numbers without a seed.
let unseededTypes: Set<String> = ["SystemRandomNumberGenerator"]
/// C functions that draw random numbers, which the seed of a test doesn't determine.
let unseededCalls: Set<String> = [
    "arc4random", "arc4random_buf", "arc4random_uniform", "drand48", "getentropy", "getrandom",
    "lrand48", "rand",
]
/// SQLite's random functions, as written in the SQL text in a string literal.
let unseededFunctions = ["random()", "randomblob("]

let pureTargets: Set<String> = ["HealthCalendar", "HealthEngine", "HealthSimulator"]

/// The targets that may create calendars and compute with them.
///
/// HealthCalendar does so for the other targets. Tests compare its results with the simulator's
/// own calendar. FoundationGaps and OpenHealthKit have Apple's interfaces, which involve calendars.
let calendarTargets: Set<String> = [
    "FoundationGaps", "HealthCalendar", "HealthSimulator", "OpenHealthKit",
]

extension SourceFile {
    /// Uses of ``networkTypes`` and calls of ``networkCalls`` in a target under `Sources`, outside
    /// ``networkFiles``.
    var networkUse: [Violation] {
        guard target != nil, !networkFiles.contains(path) else { return [] }
        return names(among: networkTypes).map { violation("\($0.text) opens the network", at: $0) }
            + calls(of: networkCalls).map {
                violation("\($0.name)(…) opens the network", at: $0.call)
            }
    }

    /// Uses of the clock, random numbers or machine settings in one of the ``pureTargets``.
    var ambientUse: [Violation] {
        guard let target, pureTargets.contains(target) else { return [] }
        let made = all(FunctionCallExprSyntax.self).compactMap { call in
            ambientValues.first { call.makes($0) }.map {
                violation("\($0)() is not a parameter", at: call)
            }
        }
        let members = all(MemberAccessExprSyntax.self).compactMap { member in
            member.path.flatMap {
                ambientMembers.contains($0)
                    ? violation("\($0) is not a parameter", at: member) : nil
            }
        }
        return made + members
            + names(among: ambientTypes).map { violation("\($0.text) is not a parameter", at: $0) }
            + calls(of: ambientCalls).map {
                violation("\($0.name)(…) is not a parameter", at: $0.call)
            }
    }

    /// Random numbers without a seed in files under `Tests`, outside ``seedFile``.
    ///
    /// Without a seed, a failed test can't be repeated with the same numbers. `UUID()` is allowed,
    /// because most tests use these UUIDs only as identifiers.
    var unseededRandomness: [Violation] {
        guard path.hasPrefix("Tests/"), path != seedFile else { return [] }
        let draws = all(FunctionCallExprSyntax.self).filter(\.drawsWithoutGenerator).map {
            violation("\($0.method ?? "")(…) has no seed", at: $0)
        }
        let types = names(among: unseededTypes).map { violation("\($0.text) has no seed", at: $0) }
        let functions = calls(of: unseededCalls).map {
            violation("\($0.name)(…) has no seed", at: $0.call)
        }
        let statements = stringSegments(with: unseededFunctions).map {
            violation("a random function of SQLite has no seed", at: $0)
        }
        return draws + types + functions + statements
    }

    /// Calendars and calendar arithmetic in targets that aren't ``calendarTargets``.
    var strayCalendars: [Violation] {
        guard let target, !calendarTargets.contains(target) else { return [] }
        let members = all(MemberAccessExprSyntax.self).filter { member in
            ["Calendar.current", "Calendar.autoupdatingCurrent", "Calendar.init"]
                .contains(member.path)
        }
        let calls = all(FunctionCallExprSyntax.self).filter(\.isOfCalendar)
        return members.map { violation("a calendar outside HealthCalendar", at: $0) }
            + calls.map { violation("a calendar's arithmetic outside HealthCalendar", at: $0) }
    }

    /// Returns the identifier tokens with one of the names, whatever they refer to.
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
    /// Whether the call has a name and the labels of the standard library's random functions
    /// without `using:`, such as `Int.random(in:)` or `shuffled()`.
    fileprivate var drawsWithoutGenerator: Bool {
        let labels = arguments.map { $0.label?.text }
        switch method {
        case "random": return labels.isEmpty || labels == ["in"]
        case "randomElement", "shuffle", "shuffled": return labels.isEmpty
        default: return false
        }
    }

    /// Whether the call creates a calendar, or has a name and arguments of calendar arithmetic:
    /// `startOfDay(for:)` or `secondsFromGMT(for:)`, for example.
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
