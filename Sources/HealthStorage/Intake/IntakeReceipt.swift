/// What a store did with the records of a request. Everything that it counts is on the disk.
package struct IntakeReceipt: Hashable, Sendable {
    /// What became of a record.
    package enum Result: String, Hashable, Sendable, Codable, CaseIterable {
        /// Stored as a new sample.
        case accepted
        /// Stored already, with the same content or by a route with finer times.
        case duplicate
        /// Replaced a stored sample, which is kept as removed.
        case changed
        /// A deletion that is recorded.
        case deleted
        /// Stored as a total of Apple's framework, which is no sample.
        case total
        /// Stored as a point without an end, until a sample with one arrives.
        case provisional
        /// Kept as it was sent, because it isn't understood.
        case unknown
        /// Kept as it was sent, because it is invalid.
        case rejected
    }

    /// A record that was not simply accepted.
    package struct Record: Hashable, Sendable, Codable {
        /// The record's place in the body.
        package var index: Int
        /// The sender's identifier; nil if it has none.
        package var id: String?
        package var result: Result
        /// Why a record was rejected, or what isn't known of it.
        package var reason: String?
        /// The field that the reason refers to.
        package var field: String?
    }

    /// The comparison of a type's exported samples with a complete run of the device
    /// (Semantics §15.6).
    package struct Completion: Hashable, Sendable, Codable {
        /// The type's identifier.
        package var type: String
        /// The number of exported samples in the time of the run, of the sources that it has.
        package var exported = 0
        /// The number of them that the run doesn't have and that were removed.
        package var takenOver = 0
        /// The number of them that the run doesn't have and that stay, because they are too many.
        package var unmatched = 0
    }

    /// The receipt's number in the store.
    package var number: Int64
    /// The number of records with each result. Together they are ``received``.
    package var counts: [Result: Int] = [:]
    /// The first ``maximumRecords`` records that were rejected, changed or not understood.
    package var records: [Record] = []
    /// The types that the request completed and that an export has.
    package var completions: [Completion] = []
    /// Whether the whole body was read.
    package var isComplete = false
    /// The first sequence number that its records could get; nil before the first page.
    var firstSequence: Int64?
    /// The last sequence number that its records got; nil before the first page.
    var lastSequence: Int64?

    /// Creates the receipt of a request of which nothing is stored yet.
    ///
    /// - Parameter number: The receipt's number in the store; 0 for a request that stores nothing.
    package init(number: Int64) { self.number = number }

    /// The maximum number of records that a receipt lists.
    package static let maximumRecords = 1_000

    /// The number of records read so far.
    package var received: Int { counts.values.reduce(0, &+) }

    /// The number of records with a result.
    package func count(_ result: Result) -> Int { counts[result] ?? 0 }

    /// The receipt's identifier for senders, such as "r-000123".
    package var identifier: String {
        let digits = String(number)
        return "r-" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    mutating func add(_ record: Record) {
        counts[record.result, default: 0] += 1
        let isListed: Bool =
            switch record.result {
            case .rejected, .unknown, .changed: true
            default: false
            }
        if isListed, records.count < IntakeReceipt.maximumRecords { records.append(record) }
    }
}
