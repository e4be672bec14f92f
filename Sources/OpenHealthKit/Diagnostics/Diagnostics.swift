import Dispatch
import Foundation

/// Records mistakes in how apps use a store, detected at run time. Not part of Apple's API.
///
/// ```swift
/// for await finding in store.diagnostics.stream { print(finding) }
/// ```
/// Findings are also counted for the whole process. If there are any, a process that runs tests
/// writes a summary to standard error when it exits. With `OPENHEALTH_DIAGNOSTICS=1`, every process
/// does; with `OPENHEALTH_DIAGNOSTICS=0`, none does. The summary excludes a store configured with
/// ``HealthStoreConfiguration/DiagnosticsSummary/excluded``. Safe to use from any thread.
public final class Diagnostics: Sendable {
    /// The maximum number of findings that are kept: 1,000. Later findings are only counted and
    /// sent to streams.
    public static let maximumFindings = 1000
    /// The time in seconds in which an app can clear a suspected mistake before it is recorded.
    static let clearingPeriod = 1.0

    private struct State {
        var findings: [Finding] = []
        var counts: [Finding.Rule: Int] = [:]
        var streams: [Int: AsyncStream<Finding>.Continuation] = [:]
        var lastNumber = 0
        var pending: [PendingFinding: Finding] = [:]
        /// Suspected mistakes that are not recorded until they are allowed again.
        var cleared: Set<PendingFinding> = []
    }

    private let state = Locked(State())
    let counter: DiagnosticsCounter?

    /// Creates an empty record of findings.
    ///
    /// - Parameter counter: Counts the findings of several stores; nil to exclude the findings of
    ///   this store.
    init(counter: DiagnosticsCounter?) { self.counter = counter }

    deinit {
        recordAllPending()
        for stream in state({ Array($0.streams.values) }) { stream.finish() }
    }

    /// The findings so far, up to ``maximumFindings``, in the order they were recorded.
    ///
    /// Reading this property first records all suspected mistakes that are still pending. Examples
    /// are a read of overlapping samples without a statistics query and a background delivery
    /// without an observer.
    public var findings: [Finding] {
        recordAllPending()
        return state { $0.findings }
    }

    /// The findings so far, up to ``maximumFindings``, and all later ones until the store is
    /// closed.
    ///
    /// Each access returns a new stream.
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

    /// A text with the number of findings for each rule and an example; empty without findings.
    public var summary: String {
        let findings = findings
        return DiagnosticsCounter.text(
            counts: state { $0.counts },
            examples: Dictionary(findings.map { ($0.rule, $0) }, uniquingKeysWith: { a, _ in a }))
    }

    /// Records a finding.
    ///
    /// - Parameter kind: What was detected.
    package func record(_ kind: Finding.Kind) { record(Finding(kind)) }

    func record(_ finding: Finding) {
        let streams = state { state -> [AsyncStream<Finding>.Continuation] in
            if state.findings.count < Self.maximumFindings { state.findings.append(finding) }
            state.counts[finding.rule, default: 0] += 1
            return Array(state.streams.values)
        }
        counter?.add(finding)
        for stream in streams { stream.yield(finding) }
    }
}

// MARK: - Suspected mistakes

/// A suspected mistake, which a later action of the app can clear.
struct PendingFinding: Hashable, Sendable {
    enum Cause: Hashable, Sendable {
        /// Overlapping raw samples were read. A statistics query of the app for the type clears it
        /// permanently.
        case overlappingSamples
        /// Background delivery is enabled without an observer. It is cleared if the app executes an
        /// observer query of the type or disables the delivery.
        case deliveryWithoutObserver
    }

    var cause: Cause
    /// The app's bundle identifier.
    var app: String
    /// The type's identifier.
    var type: String
}

extension Diagnostics {
    /// Records a finding later, unless ``clearPending(_:)`` is called first.
    ///
    /// The finding is recorded after ``clearingPeriod`` seconds, when findings are next read, or
    /// when the store is closed, whichever comes first. After ``clearPending(_:)``, this method has
    /// no effect until ``allowPending(_:)`` is called.
    func addPending(_ pending: PendingFinding, _ kind: Finding.Kind) {
        let isNew = state { state -> Bool in
            guard !state.cleared.contains(pending) else { return false }
            return state.pending.updateValue(Finding(kind), forKey: pending) == nil
        }
        guard isNew else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.clearingPeriod) {
            [weak self] in self?.recordPending(pending)
        }
    }

    /// Clears a suspected mistake and suppresses it until ``allowPending(_:)`` is called.
    func clearPending(_ pending: PendingFinding) {
        state { state in
            state.pending[pending] = nil
            state.cleared.insert(pending)
        }
    }

    /// Permits a cleared suspected mistake to be recorded again.
    func allowPending(_ pending: PendingFinding) {
        state { _ = $0.cleared.remove(pending) }
    }

    private func recordPending(_ pending: PendingFinding) {
        if let finding = state({ $0.pending.removeValue(forKey: pending) }) {
            record(finding)
        }
    }

    private func recordAllPending() {
        for pending in state({ Array($0.pending.keys) }) { recordPending(pending) }
    }
}

// MARK: - Process summary

/// Counts the findings of several stores for each rule. The instance ``process`` writes a summary
/// to standard error at exit, under the conditions of ``Diagnostics``.
final class DiagnosticsCounter: Sendable {
    private struct State {
        var counts: [Finding.Rule: Int] = [:]
        var examples: [Finding.Rule: Finding] = [:]
        var isRegistered = false
    }

    static let process = DiagnosticsCounter()

    private let state = Locked(State())

    /// The text that ``write()`` writes; empty without findings.
    var summary: String { state { Self.text(counts: $0.counts, examples: $0.examples) } }

    func add(_ finding: Finding) {
        let isFirst = state { state -> Bool in
            state.counts[finding.rule, default: 0] += 1
            if state.examples[finding.rule] == nil { state.examples[finding.rule] = finding }
            defer { state.isRegistered = true }
            return !state.isRegistered
        }
        if isFirst, self === Self.process, TestRunner.isPresent || Self.isSummaryRequested {
            atexit { DiagnosticsCounter.process.write() }
        }
    }

    /// The summary, most frequent rule first; empty without findings.
    static func text(counts: [Finding.Rule: Int], examples: [Finding.Rule: Finding]) -> String {
        let lines = counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
            .map { rule, count in
                "  \(count) × \(rule.rawValue)"
                    + (examples[rule].map { "\n      as: \($0)" } ?? "")
            }
        guard !lines.isEmpty else { return "" }
        return "HealthKit diagnostics:\n" + lines.joined(separator: "\n") + "\n"
    }

    private static var isSummaryRequested: Bool {
        ProcessInfo.processInfo.environment["OPENHEALTH_DIAGNOSTICS"] == "1"
    }

    private func write() {
        guard ProcessInfo.processInfo.environment["OPENHEALTH_DIAGNOSTICS"] != "0" else { return }
        try? FileHandle.standardError.write(contentsOf: Data(summary.utf8))
    }
}
