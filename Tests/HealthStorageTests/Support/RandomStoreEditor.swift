import HealthEngine
import HealthTesting

@testable import HealthStorage

/// A store that is edited and queried at random, with segments of a few samples.
struct RandomStoreEditor {
    typealias StatisticsParameters = (query: SampleQuery, edges: [Double], rules: StatisticsRules)

    private static let types: [SampleType] = [.steps, .heartRate, .sound, .bodyMass]
    private static let sources = ["watch", "phone", "app"]
    private var random: SeededRandom
    private var savedUUIDs: [String: [SampleUUID]] = [:]
    private var savedCount = 0
    private var parameters: [StatisticsParameters] = []

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// Saves, replaces, deletes, excludes, or builds segments.
    mutating func edit(_ store: SampleStore) throws {
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2: try save(into: store, Int.random(in: 1...30, using: &random))
        case 3...4: try save(into: store, 1)
        case 5: try delete(from: store)
        case 7 where Int.random(in: 0..<4, using: &random) == 0: try exclude(in: store)
        case 7: try reorder(in: store)
        default:
            let sizes = SegmentWriter.Sizes(
                full: Int.random(in: 2...12, using: &random),
                minimum: Int.random(in: 1...3, using: &random),
                round: Int.random(in: 1...9, using: &random))
            try store.write { db in try SegmentWriter.fill(db, sizes) }
        }
    }

    private mutating func save(into store: SampleStore, _ count: Int) throws {
        let source = RandomStoreEditor.sources[Int.random(in: 0..<3, using: &random)]
        var saved = SavedBatch(source)
        for _ in 0..<count {
            savedCount += 1
            let type = RandomStoreEditor.types[Int.random(in: 0..<4, using: &random)]
            let start = moment()
            saved.add(
                type, start, start + length(), value(), unit: unit(of: type),
                uuid: SampleUUID(number: savedCount),
                metadata: savedCount % 7 == 0
                    ? SavedBatch.sync("\(savedCount % 3)", Double(savedCount)) : [:],
                created: savedCount % 5 == 0 ? Double(savedCount % 4) : .nan)
            savedUUIDs[source, default: []].append(SampleUUID(number: savedCount))
        }
        try store.save(saved)
    }

    private mutating func delete(from store: SampleStore) throws {
        guard let source = savedUUIDs.keys.sorted().randomElement(using: &random),
            let uuid = savedUUIDs[source]?.randomElement(using: &random)
        else { return }
        savedUUIDs[source]?.removeAll { $0 == uuid }
        do {
            try store.delete([uuid], by: SavedBatch.identifier(source))
        } catch let error as StoreError where error.code == .unknownSample {
            // A later version has replaced the sample.
        }
    }

    private mutating func exclude(in store: SampleStore) throws {
        guard let source = savedUUIDs.keys.sorted().randomElement(using: &random),
            let type = RandomStoreEditor.types.randomElement(using: &random)
        else { return }
        let choices: [SampleStore.Participation] = [.excluded, .included]
        try store.set(
            choices[Int.random(in: 0..<2, using: &random)], of: SavedBatch.identifier(source),
            in: type)
    }

    private mutating func reorder(in store: SampleStore) throws {
        guard let type = RandomStoreEditor.types.randomElement(using: &random) else { return }
        let identifiers = savedUUIDs.keys.sorted().map(SavedBatch.identifier)
            .shuffled(using: &random)
        if identifiers.count > 1 { try store.setOrder(of: type, to: identifiers) }
    }

    /// Returns a random time: whole seconds or with a fraction, and often equal.
    private mutating func moment() -> Double {
        let second = Double(Int.random(in: 0..<300, using: &random))
        return Int.random(in: 0..<6, using: &random) == 0 ? second + 0.125 : second
    }

    private mutating func length() -> Double {
        switch Int.random(in: 0..<12, using: &random) {
        case 0...5: 0
        case 6...9: Double(Int.random(in: 1...40, using: &random))
        case 10: 0.1
        default: 100_000
        }
    }

    private mutating func value() -> Double {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .nan
        case 1: Double.random(in: 0...100, using: &random)
        default: Double(Int.random(in: 1...9, using: &random))
        }
    }

    private mutating func unit(of type: SampleType) -> String? {
        if Int.random(in: 0..<20, using: &random) == 0 { return "furlong" }
        return type == .bodyMass && Bool.random(using: &random) ? "lb" : type.displayUnit
    }

    /// Returns the parameters of one of a few repeated queries, with edges at whole seconds and
    /// between them.
    mutating func statisticsParameters() -> StatisticsParameters {
        if parameters.count >= 5, Int.random(in: 0..<5, using: &random) > 0 {
            return parameters[Int.random(in: 0..<parameters.count, using: &random)]
        }
        var rules = StatisticsRules()
        if Int.random(in: 0..<3, using: &random) == 0 { rules.gapTolerance = 7 }
        if Int.random(in: 0..<3, using: &random) == 0 { rules.discreteMerge = .bySourceOrder }
        if Int.random(in: 0..<3, using: &random) == 0 { rules.separation = .bySource }
        let type = RandomStoreEditor.types[Int.random(in: 0..<4, using: &random)]
        var query = SampleQuery(type)
        query.windowSize = Int.random(in: 1...20, using: &random)
        if Bool.random(using: &random) { query.partsUntilThread = 0 }
        if Bool.random(using: &random) { query.bounds = bounds() }
        if Bool.random(using: &random) { query.originFilter = originFilter() }
        if Int.random(in: 0..<3, using: &random) == 0 {
            query.visibility = Visibility(others: grant())
        }
        let width = Double([1, 5, 17, 60].randomElement(using: &random) ?? 5) + 0.5
        var edges = Array(stride(from: -10, through: 350, by: width))
        if Int.random(in: 0..<5, using: &random) == 0 {
            edges = [-.infinity] + edges + [.infinity]
        }
        parameters.append((query, edges, rules))
        return parameters[parameters.count - 1]
    }

    /// Returns a random condition on a source.
    private mutating func originFilter() -> SampleFilter {
        let source = SavedBatch.identifier(
            RandomStoreEditor.sources[Int.random(in: 0..<3, using: &random)])
        let isSource = SampleFilter.test(.source, .compare(.equal, .string(source)))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return isSource
        case 1: return .not(isSource)
        case 2:
            return .and([isSource, .test(.sourceVersion, .compare(.notEqual, .string("2")))])
        default: return .test(.device(.name), .compare(.equal, .null))
        }
    }

    /// Returns a random limit of what is visible. Source 1 is the first that saved a sample.
    private mutating func grant() -> Visibility.Grant {
        func maybe<Value>(_ value: Value, _ random: inout SeededRandom) -> Value? {
            Bool.random(using: &random) ? value : nil
        }
        let early = Double(Int.random(in: 0...100, using: &random))
        let exempt = Visibility.Grant.Exemption(source: 1, earliest: maybe(early / 2, &random))
        return Visibility.Grant(
            earliest: maybe(early, &random), onlySource: maybe(2, &random),
            exempt: Int.random(in: 0..<4, using: &random) == 0 ? exempt : nil,
            isHidden: Int.random(in: 0..<20, using: &random) == 0)
    }

    /// Returns random bounds at or near sample times.
    private mutating func bounds() -> TimeBounds {
        func limit(_ random: inout SeededRandom, _ range: ClosedRange<Int>) -> TimeBounds.Limit? {
            guard Bool.random(using: &random) else { return nil }
            return TimeBounds.Limit(
                Double(Int.random(in: range, using: &random)),
                isIncluded: Bool.random(using: &random))
        }
        return TimeBounds(
            start: .init(lower: limit(&random, 0...100), upper: limit(&random, 200...300)),
            end: .init(lower: limit(&random, 0...150), upper: limit(&random, 150...350)))
    }
}
