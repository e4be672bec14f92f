import Dispatch
import Foundation

/// What is wrong in how apps use a store, found while they run. Not Apple's.
///
/// ```swift
/// for await finding in store.diagnostics.stream { print(finding) }
/// ```
/// Findings are counted for the whole process; when a test run ends, or any process with
/// `OPENHEALTH_DIAGNOSTICS=1`, a summary goes to standard error. A store whose configuration says
/// ``HealthStoreConfiguration/DiagnosticsSummary/leftOut`` keeps its findings for itself. Safe to use
/// from any thread.
public final class Diagnostics: Sendable {
    /// How many findings are kept one by one; later ones are only counted.
    public static let mostKept = 1000
    /// How long a suspicion waits for what would clear it, in seconds.
    static let patience = 1.0

    private struct State {
        var findings: [Finding] = []
        var counts: [Finding.Rule: Int] = [:]
        var streams: [Int: AsyncStream<Finding>.Continuation] = [:]
        var lastNumber = 0
        var suspicions: [Suspicion: Finding] = [:]
        /// Suspicions that can't come up any more.
        var cleared: Set<Suspicion> = []
    }

    private let state = Locked(State())
    let tally: DiagnosticsTally?

    /// - Parameter tally: Counts the findings of several stores; nil for none.
    init(tally: DiagnosticsTally?) { self.tally = tally }

    deinit {
        settle()
        for stream in state({ Array($0.streams.values) }) { stream.finish() }
    }

    /// The findings so far, oldest first.
    ///
    /// Reading them settles what was only suspected: a query of overlapping samples that no
    /// statistics followed, a background delivery that nothing observes yet.
    public var findings: [Finding] {
        settle()
        return state { $0.findings }
    }

    /// The findings so far and every later one, until the store closes.
    ///
    /// Each call gives a stream of its own.
    public var stream: AsyncStream<Finding> {
        let (stream, continuation) = AsyncStream.makeStream(of: Finding.self)
        let number = state { state -> Int in
            state.lastNumber += 1
            for finding in state.findings { continuation.yield(finding) }
            state.streams[state.lastNumber] = continuation
            return state.lastNumber
        }
        continuation.onTermination = { [weak self] _ in
            self?.state { $0.streams[number] = nil }
        }
        return stream
    }

    /// How often each rule was broken, with an example each; empty if none was.
    public var summary: String {
        let findings = findings
        return DiagnosticsTally.text(
            counts: state { $0.counts },
            examples: Dictionary(findings.map { ($0.rule, $0) }, uniquingKeysWith: { a, _ in a }))
    }

    /// Notes what was seen.
    public func record(_ kind: Finding.Kind) { record(Finding(kind)) }

    func record(_ finding: Finding) {
        let streams = state { state -> [AsyncStream<Finding>.Continuation] in
            if state.findings.count < Self.mostKept { state.findings.append(finding) }
            state.counts[finding.rule, default: 0] += 1
            return Array(state.streams.values)
        }
        tally?.add(finding)
        for stream in streams { stream.yield(finding) }
    }
}

// MARK: - Suspicions

/// Something that looks wrong until the app does what makes it right.
struct Suspicion: Hashable, Sendable {
    enum Matter: Hashable, Sendable {
        /// Overlapping raw samples were read; a statistics query clears it for good.
        case rawSum
        /// Delivery without an observer.
        case unobservedDelivery
    }

    var matter: Matter
    /// The app's bundle identifier.
    var app: String
    /// The type's identifier.
    var type: String
}

extension Diagnostics {
    /// Records a finding after ``patience`` seconds, or when findings are next asked for, unless
    /// ``clear(_:)`` came first.
    func suspect(_ suspicion: Suspicion, _ kind: Finding.Kind) {
        let isNew = state { state -> Bool in
            guard !state.cleared.contains(suspicion) else { return false }
            return state.suspicions.updateValue(Finding(kind), forKey: suspicion) == nil
        }
        guard isNew else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.patience) {
            [weak self] in self?.settle(suspicion)
        }
    }

    /// Takes a suspicion back, and keeps it from coming up again until ``allow(_:)``.
    func clear(_ suspicion: Suspicion) {
        state { state in
            state.suspicions[suspicion] = nil
            state.cleared.insert(suspicion)
        }
    }

    /// Lets a cleared suspicion come up again.
    func allow(_ suspicion: Suspicion) {
        state { _ = $0.cleared.remove(suspicion) }
    }

    private func settle(_ suspicion: Suspicion) {
        if let finding = state({ $0.suspicions.removeValue(forKey: suspicion) }) {
            record(finding)
        }
    }

    private func settle() {
        for suspicion in state({ Array($0.suspicions.keys) }) { settle(suspicion) }
    }
}

// MARK: - The process

/// How often each rule was broken in this process, written to standard error at its end.
final class DiagnosticsTally: Sendable {
    private struct State {
        var counts: [Finding.Rule: Int] = [:]
        var examples: [Finding.Rule: Finding] = [:]
        var isRegistered = false
    }

    static let process = DiagnosticsTally()

    private let state = Locked(State())

    /// What ``write()`` writes; empty without findings.
    var summary: String { state { Self.text(counts: $0.counts, examples: $0.examples) } }

    func add(_ finding: Finding) {
        let isFirst = state { state -> Bool in
            state.counts[finding.rule, default: 0] += 1
            if state.examples[finding.rule] == nil { state.examples[finding.rule] = finding }
            defer { state.isRegistered = true }
            return !state.isRegistered
        }
        if isFirst, self === Self.process, TestRunner.isPresent || Self.isWanted {
            atexit { DiagnosticsTally.process.write() }
        }
    }

    /// Several lines, the rule broken most often first; empty if none was.
    static func text(counts: [Finding.Rule: Int], examples: [Finding.Rule: Finding]) -> String {
        let lines = counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
            .map { rule, count in
                "  \(count) × \(rule.rawValue)"
                    + (examples[rule].map { "\n      as: \($0)" } ?? "")
            }
        guard !lines.isEmpty else { return "" }
        return "HealthKit diagnostics:\n" + lines.joined(separator: "\n") + "\n"
    }

    private static var isWanted: Bool {
        ProcessInfo.processInfo.environment["OPENHEALTH_DIAGNOSTICS"] == "1"
    }

    private func write() {
        guard ProcessInfo.processInfo.environment["OPENHEALTH_DIAGNOSTICS"] != "0" else { return }
        try? FileHandle.standardError.write(contentsOf: Data(summary.utf8))
    }
}
