/// One mistake in how an app uses HealthKit, as a ``Diagnostics`` saw it. Not Apple's.
///
/// Findings hold names and counts, never a health value.
public struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// What was seen.
    public enum Kind: Hashable, Sendable {
        /// A query with neither limit nor predicate read every sample there is.
        case unlimitedQuery(types: [String], rowsRead: Int)
        /// A long-running query was still alive when whoever started it, or the store, was gone.
        case queryLeftRunning(query: String, types: [String], after: Ending)
        /// An observer let its completion handler go, or held it too long, without calling it.
        case completionNotCalled(types: [String])
        /// Background delivery was enabled, and no observer of the type was executed.
        case backgroundDeliveryWithoutObserver(type: String)
        /// An anchor was handed to a query of other types or another predicate.
        case anchorReused(types: [String])
        /// Raw samples of a cumulative type from several sources overlap, and no statistics were
        /// asked: added up they count the same walk twice.
        case overlappingSamplesRead(type: String, sources: [String])
        /// Statistics were asked that the type doesn't have.
        case unsuitableStatistics(type: String, option: String)
        /// Deleted objects were delivered, and nobody looked at one of them.
        case deletionsNotRead(types: [String], count: Int)
        /// Wakes of an observer read from one anchor at the same time: each was given the same changes.
        case changesReadTwice(types: [String], count: Int)
        /// An app waits for permission that only the person can give, with the command for it.
        case permissionUndecided(app: String, command: String)
    }

    /// What a query outlived.
    public enum Ending: Hashable, Sendable {
        /// The `HKHealthStore` that executed it.
        case owner
        /// The last handle of the store's file.
        case store
    }

    /// What was seen.
    public let kind: Kind

    /// A finding of this kind.
    public init(_ kind: Kind) { self.kind = kind }
}

extension Finding {
    /// The rule of good HealthKit code that a finding breaks.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        case boundQueries = "Bound every sample query with a predicate or a limit"
        case stopQueries = "Stop long-running queries when they are no longer needed"
        case callCompletion = "Call the observer's completion handler every time"
        case observeDelivery = "Pair background delivery with an observer query"
        case anchorPerType = "Keep an anchor for each sample type"
        case useStatistics = "Use statistics queries instead of summing cumulative samples"
        case suitOptions = "Choose statistics options that suit the type"
        case handleDeletions = "Handle deleted samples"
        case readInTurn = "Read from an anchor once at a time, and answer a wake when that is done"
        case askFirst = "Ask for authorization, and never take its success for access"
    }

    /// The rule that this breaks.
    public var rule: Rule {
        switch kind {
        case .unlimitedQuery: .boundQueries
        case .queryLeftRunning: .stopQueries
        case .completionNotCalled: .callCompletion
        case .backgroundDeliveryWithoutObserver: .observeDelivery
        case .anchorReused: .anchorPerType
        case .overlappingSamplesRead: .useStatistics
        case .unsuitableStatistics: .suitOptions
        case .deletionsNotRead: .handleDeletions
        case .changesReadTwice: .readInTurn
        case .permissionUndecided: .askFirst
        }
    }

    /// A sentence for a person, ending with the rule.
    public var description: String { "\(sentence) Rule: \(rule.rawValue)." }

    private var sentence: String {
        switch kind {
        case .unlimitedQuery(let types, let rows):
            "A query of \(list(types)) had neither predicate nor limit and read \(rows) samples."
        case .queryLeftRunning(let query, let types, let ending):
            "\(query) of \(list(types)) was still running when "
                + (ending == .owner
                    ? "the HKHealthStore that executed it went." : "its store closed.")
        case .completionNotCalled(let types):
            "The completion handler of an observer of \(list(types)) was never called."
        case .backgroundDeliveryWithoutObserver(let type):
            "Background delivery of \(type) is enabled, but nothing observes it."
        case .anchorReused(let types):
            "An anchor of another query was used for \(list(types))."
        case .overlappingSamplesRead(let type, let sources):
            "Samples of \(type) by \(list(sources)) overlap: their sum counts some time twice."
        case .unsuitableStatistics(let type, let option):
            "\(option) does not suit \(type)."
        case .deletionsNotRead(let types, let count):
            "\(count) deleted objects of \(list(types)) were delivered and never looked at."
        case .changesReadTwice(let types, let count):
            "\(count) changes of \(list(types)) were given to two wakes of an observer, which read from "
                + "the same anchor at the same time."
        case .permissionUndecided(let app, let command):
            "\(app) waits for a person's permission; it is given with: \(command)."
        }
    }

    private func list(_ names: [String]) -> String {
        names.isEmpty ? "every type" : names.sorted().joined(separator: ", ")
    }
}
