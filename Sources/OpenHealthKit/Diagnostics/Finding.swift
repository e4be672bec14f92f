/// One mistake in how an app uses HealthKit, detected by ``Diagnostics``. Not part of Apple's API.
///
/// Findings contain names and counts, never health values.
public struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// What was detected.
    public enum Kind: Hashable, Sendable {
        /// A query without a limit had no predicate for at least one of its types, so it read all
        /// samples of that type.
        case unlimitedQuery(types: [String], rowsRead: Int)
        /// A long-running query was still running when a handle was released.
        case queryLeftRunning(query: String, types: [String], after: ReleasedHandle)
        /// An observer released its completion handler, or kept it too long, without calling it.
        case completionNotCalled(types: [String])
        /// Background delivery was enabled, but the app has no observer query of the type.
        case backgroundDeliveryWithoutObserver(type: String)
        /// The anchor of an earlier query was used in a query for other types.
        case anchorReused(types: [String])
        /// An app read overlapping samples of a cumulative type from several sources, and executed
        /// no statistics query for the type before or within a second. The sum of such samples
        /// counts the same activity twice.
        case overlappingSamplesRead(type: String, sources: [String])
        /// Statistics options were requested that the type does not support.
        case unsuitableStatistics(type: String, option: String)
        /// Deleted objects were delivered, but the app read none of them.
        case deletionsNotRead(types: [String], count: Int)
        /// Two concurrent calls of an observer's handler read from the same anchor, so both
        /// received the same changes.
        case changesReadTwice(types: [String], count: Int)
        /// An app requested authorization for types that the owner of the store has not decided on.
        case authorizationNotDetermined(MissingGrant)
    }

    /// Which handle was released before the query was stopped.
    public enum ReleasedHandle: Hashable, Sendable {
        /// The `HKHealthStore` that executed the query, while other handles of the store remain.
        case owner
        /// The last `HKHealthStore` of the store, which closes the store.
        case store
    }

    /// What was detected.
    public let kind: Kind

    /// Creates a finding.
    ///
    /// - Parameter kind: What was detected.
    package init(_ kind: Kind) { self.kind = kind }
}

extension Finding {
    /// A rule for correct use of HealthKit.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        case limitQueries = "Bound every sample query with a predicate or a limit"
        case stopQueries = "Stop long-running queries when they are no longer needed"
        case callCompletion = "Call the observer's completion handler every time"
        case observeDelivery = "Pair background delivery with an observer query"
        case anchorPerType = "Keep an anchor for each sample type"
        case useStatistics = "Use statistics queries instead of summing cumulative samples"
        case fitOptions = "Choose statistics options that fit the type"
        case handleDeletions = "Handle deleted samples"
        case readSequentially =
            "Read from an anchor one at a time, then call the completion handler"
        case requestAuthorization = "Request authorization, and don't treat its success as access"
    }

    /// The rule that the finding violates.
    public var rule: Rule {
        switch kind {
        case .unlimitedQuery: .limitQueries
        case .queryLeftRunning: .stopQueries
        case .completionNotCalled: .callCompletion
        case .backgroundDeliveryWithoutObserver: .observeDelivery
        case .anchorReused: .anchorPerType
        case .overlappingSamplesRead: .useStatistics
        case .unsuitableStatistics: .fitOptions
        case .deletionsNotRead: .handleDeletions
        case .changesReadTwice: .readSequentially
        case .authorizationNotDetermined: .requestAuthorization
        }
    }

    /// A sentence that describes the finding, followed by the rule.
    public var description: String { "\(message) Rule: \(rule.rawValue)." }

    private var message: String {
        switch kind {
        case .unlimitedQuery(let types, let rows):
            "A query of \(list(types)) had neither predicate nor limit and read \(rows) samples."
        case .queryLeftRunning(let query, let types, let handle):
            "\(query) of \(list(types)) was still running when "
                + (handle == .owner
                    ? "its HKHealthStore was deallocated." : "its store was closed.")
        case .completionNotCalled(let types):
            "The completion handler of an observer of \(list(types)) was never called."
        case .backgroundDeliveryWithoutObserver(let type):
            "Background delivery of \(type) is enabled, but nothing observes it."
        case .anchorReused(let types):
            "An anchor of another query was used for \(list(types))."
        case .overlappingSamplesRead(let type, let sources):
            "Samples of \(type) from \(list(sources)) overlap: a plain sum counts duplicates."
        case .unsuitableStatistics(let type, let option):
            "\(option) does not fit \(type)."
        case .deletionsNotRead(let types, let count):
            "\(count) deleted objects of \(list(types)) were delivered but never read."
        case .changesReadTwice(let types, let count):
            "\(count) changes of \(list(types)) were delivered twice, because two observer updates "
                + "read from the same anchor at the same time."
        case .authorizationNotDetermined(let missing):
            "\(missing.app) has no decision on its permission to share \(some(missing.share)) and "
                + "to read \(some(missing.read))."
        }
    }

    private func some(_ names: [String]) -> String { names.isEmpty ? "nothing" : list(names) }

    private func list(_ names: [String]) -> String {
        names.isEmpty ? "every type" : names.sorted().joined(separator: ", ")
    }
}
