import HealthEngine

/// One of the samples that may exist twice: once with HealthKit's UUID, once from an export, which
/// has no UUIDs.
struct TwinCandidate {
    /// The sequence number of its row.
    var sequence: Int64
    var start: Double
    var end: Double
    /// In a unit that all candidates share; the activity of a workout; NaN for none.
    var value: Double
    /// nil for an exported sample.
    var uuid: SampleUUID?
    /// `SampleDetail.identityNumber`, which must be equal: clinical records have neither values nor
    /// times of their own.
    var content: UInt64 = 0

    /// The activity of a workout. A number that no activity has counts as unknown.
    var activity: Int { Int(exactly: value) ?? Workout.otherActivity }
}

/// Matches samples with UUIDs one to one with exported ones (Semantics §15.2).
///
/// Exports print whole seconds and rounded values. So samples match if start and end are in the same
/// seconds and the values agree to the printed precision. What is left is compared once more with a
/// tolerance of one second, because phones and exports may round differently. When a sample was
/// saved doesn't matter.
enum TwinMatching {
    /// The relative difference below which values are equal.
    private static let precision = 1e-6

    /// Returns the pairs of matching samples, as indices.
    ///
    /// - Parameters:
    ///   - received: The samples with UUIDs of one type and source.
    ///   - exported: The exported samples of that type and source.
    /// - Returns: The pairs. Each sample is in one pair at most. If one side has k copies and the
    ///   other m, there are min(k, m) pairs, so max(k, m) samples stay.
    /// - Complexity: O(n log n), if few samples start in one second.
    static func pairs(
        _ received: [TwinCandidate], _ exported: [TwinCandidate]
    ) -> [(received: Int, exported: Int)] {
        let order = received.indices.sorted { precedes(received[$0], received[$1]) }
        var bySecond: [Double: [Int]] = [:]
        for index in exported.indices.sorted(by: { precedes(exported[$0], exported[$1]) }) {
            bySecond[exported[index].start.rounded(.down), default: []].append(index)
        }
        var isTaken = [Bool](repeating: false, count: exported.count)
        var pairs: [(received: Int, exported: Int)] = []
        var rest: [Int] = []
        func match(
            _ index: Int, _ seconds: [Double], _ agrees: (TwinCandidate, TwinCandidate) -> Bool
        ) -> Bool {
            for second in seconds {
                for other in bySecond[second] ?? [] where !isTaken[other] {
                    guard received[index].content == exported[other].content,
                        agrees(received[index], exported[other]),
                        hasSameValue(received[index].value, exported[other].value)
                    else { continue }
                    isTaken[other] = true
                    pairs.append((index, other))
                    return true
                }
            }
            return false
        }
        for index in order {
            let second = received[index].start.rounded(.down)
            if !match(index, [second], isInSameSeconds) { rest.append(index) }
        }
        for index in rest {
            let second = received[index].start.rounded(.down)
            _ = match(index, [second - 1, second, second + 1], isWithinOneSecond)
        }
        return pairs
    }

    static func hasSameValue(_ one: Double, _ other: Double) -> Bool {
        if one.isNaN || other.isNaN { return one.isNaN && other.isNaN }
        return abs(one - other) <= max(abs(one), abs(other)) * precision
    }

    private static func isInSameSeconds(_ one: TwinCandidate, _ other: TwinCandidate) -> Bool {
        one.start.rounded(.down) == other.start.rounded(.down)
            && one.end.rounded(.down) == other.end.rounded(.down)
    }

    private static func isWithinOneSecond(_ one: TwinCandidate, _ other: TwinCandidate) -> Bool {
        abs(one.start - other.start) <= 1 && abs(one.end - other.end) <= 1
    }

    private static func precedes(_ one: TwinCandidate, _ other: TwinCandidate) -> Bool {
        if one.start != other.start { return one.start < other.start }
        if one.value != other.value, !one.value.isNaN, !other.value.isNaN {
            return one.value < other.value
        }
        let (left, right) = (one.uuid, other.uuid)
        if let left, let right { return (left.high, left.low) < (right.high, right.low) }
        return one.sequence < other.sequence
    }
}
