import Foundation
import HealthEngine
import HealthStorage

/// Compares a receiver's store with what the apps read.
struct StoreComparison {
    let expected: SampleStore
    let received: SampleStore
    /// The boundaries of days, in reference seconds.
    let days: [Double]
    /// The samples that must not be in the receiver's store.
    let deleted: [SampleUUID]
    private let types: [SampleType]
    private let hasIdentifiers: Bool

    init(
        _ dialects: [PhoneDialect], expected: SampleStore, received: SampleStore, days: [Double],
        deleted: [IntakePerson.Saved]
    ) {
        self.expected = expected
        self.received = received
        self.days = days
        // A deletion arrives only if the app with deletions reads the type. So if there is one,
        // only its types are compared.
        let complete = dialects.filter(\.hasDeletions)
        let identifiers = Set((complete.isEmpty ? dialects : complete).flatMap(\.types))
        types = identifiers.sorted().compactMap { Catalogue.type(identifier: $0) }
        let codes = Set(types.map(\.code))
        self.deleted = deleted.filter { codes.contains($0.type) }.map(\.uuid)
        hasIdentifiers = !dialects.contains(.healthAutoExport)
    }

    /// Compares deletions, totals, categories, workouts and the numbers of samples.
    ///
    /// - Returns: The number of compared samples.
    /// - Throws: ``IntakeFinding`` for the first difference.
    func check() throws -> Int {
        if let revived = try received.storedUUIDs(among: deleted).min() {
            throw IntakeFinding("The deleted sample \(revived) is in the receiver's store.")
        }
        var count = 0
        for type in types {
            switch type.kind {
            case .quantity: try compareTotals(of: type)
            case .workout: try compareWorkouts(type)
            default: try compareIntervals(of: type)
            }
            count += try compareCounts(of: type)
        }
        return count
    }

    // MARK: Quantities

    private func compareTotals(of type: SampleType) throws {
        let unit = type.canonicalUnit
        let left = try expected.statistics(SampleQuery(type), over: days, unit: unit)
        let right = try received.statistics(SampleQuery(type), over: days, unit: unit)
        let starts = Set((left.buckets + right.buckets).map(\.start)).sorted()
        for start in starts {
            let a = left.buckets.first { $0.start == start }?.merged
            let b = right.buckets.first { $0.start == start }?.merged
            let day = PhoneDates.utc(Date(timeIntervalSinceReferenceDate: start))
            guard let a, let b else {
                throw IntakeFinding(
                    "\(type.name), day from \(day): "
                        + "\(a == nil ? "only the receiver has data" : "the receiver has no data")")
            }
            let numbers: [(String, Double?, Double?)] = [
                ("sum", a.sum, b.sum), ("average", a.average, b.average),
                ("minimum", a.minimum, b.minimum), ("maximum", a.maximum, b.maximum),
            ]
            for (name, x, y) in numbers where !Self.isEqual(x, y) {
                let texts = [x, y].map { $0.map { JSONText.number($0) } ?? "none" }
                let order = [left, right].map { result in
                    result.ranking.map { result.sources[Int($0)].name }.joined(separator: " > ")
                }
                throw IntakeFinding(
                    "\(type.name), day from \(day): \(name) \(texts[0]), received \(texts[1]). "
                        + "Source order: \(order[0]); received: \(order[1])")
            }
        }
    }

    /// Equality except for the rounding of unit conversions.
    private static func isEqual(_ a: Double?, _ b: Double?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))
    }

    // MARK: Categories and workouts

    private func compareIntervals(of type: SampleType) throws {
        let texts = try [expected, received].map { store in
            let samples = try store.objects([SampleRequest(type)])
            return samples.batch.samples.prefix(samples.count).map { sample in
                let source = samples.batch.source(of: sample)
                return "\(Int(clamping: sample.value.isNaN ? 0 : sample.value)) from "
                    + "\(Self.time(sample.start)) to \(Self.time(sample.end)) by "
                    + (hasIdentifiers ? source.bundleIdentifier : source.name)
            }
        }
        try compare(texts[0], texts[1], type)
    }

    private func compareWorkouts(_ type: SampleType) throws {
        let texts = try [expected, received].map { store in
            let samples = try store.objects([SampleRequest(type)])
            return samples.batch.samples.indices.prefix(samples.count).map { index in
                let sample = samples.batch.samples[index]
                guard case .workout(let workout) = samples.batch.details[index] else {
                    return "no workout"
                }
                let energy = workout.total(.energyBurned, in: "kcal")
                let distance = workout.total(.distance, in: "m")
                return "activity \(workout.activityType) from \(Self.time(sample.start)) to "
                    + "\(Self.time(sample.end)), \(Self.rounded(energy)) kcal, "
                    + "\(Self.rounded(distance)) m"
            }
        }
        try compare(texts[0], texts[1], type)
    }

    private func compare(_ expected: [String], _ received: [String], _ type: SampleType) throws {
        var rest = received
        for text in expected {
            guard let index = rest.firstIndex(of: text) else {
                let near = rest.first { $0.suffix(60) == text.suffix(60) } ?? rest.first ?? "none"
                throw IntakeFinding("\(type.name): \(text) is missing. Received: \(near)")
            }
            rest.remove(at: index)
        }
        if let more = rest.first { throw IntakeFinding("\(type.name): \(more) is too many.") }
    }

    private func compareCounts(of type: SampleType) throws -> Int {
        let left = try expected.objects([SampleRequest(type)])
        let right = try received.objects([SampleRequest(type)])
        guard left.count == right.count else {
            throw IntakeFinding(
                "\(type.name): \(left.count) samples, received \(right.count).")
        }
        if hasIdentifiers {
            let known = Set(left.uuids.prefix(left.count))
            if let other = right.uuids.prefix(right.count).first(where: { !known.contains($0) }) {
                throw IntakeFinding("\(type.name): the receiver has the unknown UUID \(other).")
            }
        }
        return left.count
    }

    private static func time(_ seconds: Double) -> String {
        PhoneDates.utc(Date(timeIntervalSinceReferenceDate: seconds))
    }

    private static func rounded(_ value: Double?) -> String {
        value.map { JSONText.number(($0 * 1000).rounded() / 1000) } ?? "no"
    }
}
