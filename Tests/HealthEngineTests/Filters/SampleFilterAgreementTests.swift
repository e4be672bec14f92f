import HealthEngine
import HealthTesting
import Testing

/// Random filters over a small set of samples, compared with a literal implementation of the rules.
@Suite struct SampleFilterAgreementTests {
    @Test(
        "random filters equal a reference evaluator, and their bounds contain every match",
        arguments: 1...40 as ClosedRange<UInt64>)
    func agreement(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let world = (0..<60).map { _ in RandomFilter.facts(&random) }
        var selected = 0
        for _ in 0..<120 {
            let filter = RandomFilter.filter(depth: 3, &random)
            let (bounds, rest) = (filter.timeBounds, filter.residualFilter)
            for facts in world {
                let matches = filter.matches(facts)
                #expect(matches == slow(filter, facts), "seed \(seed): \(filter) on \(facts)")
                let within =
                    bounds.start.contains(facts.start) && bounds.end.contains(facts.end)
                #expect(
                    matches == (within && rest.matches(facts)), "seed \(seed): \(filter) bounds")
                if !matches { continue }
                selected += 1
                #expect(!bounds.isEmpty, "seed \(seed): \(filter)")
                #expect(filter.uuids?.contains(facts.uuid) ?? true, "seed \(seed): \(filter)")
                if let sources = filter.bundleIdentifiers {
                    let source = facts.bundleIdentifier ?? ""
                    #expect(sources.contains(source), "seed \(seed): \(filter)")
                }
                if let containers = filter.containers {
                    #expect(
                        !containers.isDisjoint(with: facts.containers), "seed \(seed): \(filter)")
                }
            }
        }
        #expect(selected > 100)
    }

    @Test("the bounds of a date range are exact, and the residual filter is empty")
    func exactBounds() {
        let range = SampleFilter.and([
            .test(.end, .compare(.atLeast, .date(10))), .test(.start, .compare(.less, .date(20))),
            .test(.start, .between(.date(-5), .date(30))),
        ])
        let bounds = range.timeBounds
        #expect(bounds.start.lower == .init(-5, isIncluded: true))
        #expect(bounds.start.upper == .init(20, isIncluded: false))
        #expect(bounds.end == .init(lower: .init(10, isIncluded: true)))
        #expect(range.residualFilter == .everything)
        #expect(SampleFilter.not(.not(range)).timeBounds == bounds)
        let rest = SampleFilter.test(.categoryValue, .compare(.equal, .number(1)))
        #expect(SampleFilter.and([range, rest]).residualFilter == rest)
        #expect(SampleFilter.nothing.timeBounds.isEmpty)
        #expect(SampleFilter.or([range, .nothing]).timeBounds == bounds)
        #expect(SampleFilter.or([range, rest]).timeBounds == .unbounded)
        #expect(SampleFilter.or([range, rest]).residualFilter == .or([range, rest]))
    }

    @Test("the bounds of days include the midnight of every time zone")
    func dayBounds() {
        // 2024-03-10 begins at 731,721,600 in UTC.
        let midnight = 731_721_600.0
        func starts(_ relation: SampleFilter.Relation) -> TimeBounds.Range {
            SampleFilter.test(.day, relation).timeBounds.start
        }
        let low = TimeBounds.Limit(midnight - 86_400, isIncluded: true)
        let high = TimeBounds.Limit(midnight + 86_400, isIncluded: true)
        #expect(
            starts(.compare(.equal, .string("2024-03-10"))) == .init(lower: low, upper: high))
        #expect(starts(.compare(.atLeast, .string("2024-03-10"))) == .init(lower: low))
        #expect(starts(.compare(.less, .string("2024-03-10"))) == .init(upper: high))
        #expect(
            starts(.between(.string("2024-03-10"), .string("2024-03-11")))
                == .init(lower: low, upper: .init(midnight + 2 * 86_400, isIncluded: true)))
        #expect(starts(.compare(.equal, .string("no day"))) == .init())
        #expect(starts(.compare(.notEqual, .string("2024-03-10"))) == .init())
        let day = SampleFilter.test(.day, .compare(.equal, .string("2024-03-10")))
        #expect(SampleFilter.not(day).timeBounds == .unbounded)
        #expect(day.residualFilter == day)
    }

    @Test("candidates: intersection for AND, union for OR, none for NOT")
    func candidates() {
        let ids = (0..<4).map { SampleUUID(high: 0, low: UInt64($0)) }
        func among(_ some: ArraySlice<SampleUUID>) -> SampleFilter {
            .test(.uuid, .oneOf(some.map { .uuid($0) }))
        }
        let one = SampleFilter.test(.uuid, .compare(.equal, .uuid(ids[0])))
        #expect(SampleFilter.and([among(ids[0...2]), among(ids[2...3])]).uuids == [ids[2]])
        #expect(SampleFilter.or([one, among(ids[2...3])]).uuids == [ids[0], ids[2], ids[3]])
        #expect(SampleFilter.or([one, .hasNoCorrelation]).uuids == nil)
        #expect(SampleFilter.and([one, .hasNoCorrelation]).uuids == [ids[0]])
        #expect(SampleFilter.not(one).uuids == nil)
        #expect(SampleFilter.or([]).uuids == [])
        #expect(SampleFilter.and([.memberOf(ids[1]), one]).containers == [ids[1]])
        let both = SampleFilter.and([
            one, .not(.test(.metadata("a"), .compare(.equal, .null))),
            .workoutActivity(.test(.workoutDuration, .compare(.less, .number(1)))),
        ])
        #expect(both.attributes == [.uuid, .metadata("a"), .workoutDuration])
        #expect(!both.testsMembership)
        #expect(SampleFilter.not(.hasNoCorrelation).testsMembership)
    }
}

/// The rules of §2.9, implemented literally.
private func slow(_ filter: SampleFilter, _ facts: PlainFacts) -> Bool {
    switch filter {
    case .everything: return true
    case .nothing: return false
    case .and(let all):
        for one in all where !slow(one, facts) { return false }
        return true
    case .or(let any):
        for one in any where slow(one, facts) { return true }
        return false
    case .not(let one): return slow(one, facts) == false
    case .memberOf(let container): return facts.containers.contains(container)
    case .hasNoCorrelation: return facts.containers.isEmpty
    case .workoutActivity: return false
    case .test(let attribute, let relation):
        switch attribute {
        case .start: return slow(relation, .date(facts.start))
        case .end: return slow(relation, .date(facts.end))
        case .uuid: return slow(relation, .uuid(facts.uuid))
        case .categoryValue: return slow(relation, facts.categoryValue.map { .number(Double($0)) })
        case .source: return slow(relation, facts.bundleIdentifier.map { .string($0) })
        case .metadata(let key):
            switch facts.table[key] {
            case nil: return slow(relation, nil)
            case .string(let text): return slow(relation, .string(text))
            case .number(let number): return slow(relation, .number(number))
            case .date(let time): return slow(relation, .date(time))
            case .quantity(let value, _): return slow(relation, .quantity(value, unit: "g"))
            }
        default: return false
        }
    }
}

private func slow(_ relation: SampleFilter.Relation, _ value: SampleFilter.Value?) -> Bool {
    guard let value else {
        switch relation {
        case .compare(.equal, .null): return true
        case .compare(.notEqual, let constant): return constant != .null
        default: return false
        }
    }
    switch relation {
    case .compare(.equal, let constant): return value == constant
    case .compare(.notEqual, let constant): return value != constant
    case .compare(.less, let constant): return slowOrder(value, constant) == -1
    case .compare(.atMost, let constant): return [-1, 0].contains(slowOrder(value, constant))
    case .compare(.greater, let constant): return slowOrder(value, constant) == 1
    case .compare(.atLeast, let constant): return [1, 0].contains(slowOrder(value, constant))
    case .between(let low, let high):
        return [1, 0].contains(slowOrder(value, low)) && [-1, 0].contains(slowOrder(value, high))
    case .oneOf(let list): return list.contains(value)
    case .text(.beginsWith, let part, _):
        guard case .string(let text) = value else { return false }
        return text.starts(with: part)
    case .text: return false
    }
}

private func slowOrder(_ a: SampleFilter.Value, _ b: SampleFilter.Value) -> Int? {
    switch (a, b) {
    case (.number(let x), .number(let y)), (.date(let x), .date(let y)),
        (.quantity(let x, _), .quantity(let y, _)):
        return x < y ? -1 : x > y ? 1 : 0
    case (.string(let x), .string(let y)): return x < y ? -1 : x > y ? 1 : 0
    case (.uuid(let x), .uuid(let y)): return x.low < y.low ? -1 : x.low > y.low ? 1 : 0
    default: return nil
    }
}

private enum RandomFilter {
    static func facts(_ random: inout SeededRandom) -> PlainFacts {
        let start = Double(Int.random(in: 0...8, using: &random))
        var facts = PlainFacts(
            start: start, end: start + Double(Int.random(in: 0...3, using: &random)))
        facts.uuid = SampleUUID(high: 0, low: .random(in: 0...5, using: &random))
        facts.bundleIdentifier = [nil, "a", "b", "c"].randomElement(using: &random) ?? nil
        facts.categoryValue = [nil, 0, 1, 2].randomElement(using: &random) ?? nil
        for key in ["k", "l"] {
            facts.table[key] =
                [nil, .number(1), .string("b"), .date(3), .quantity(2, unit: "g")]
                .randomElement(using: &random) ?? nil
        }
        if Bool.random(using: &random) {
            facts.containers = [SampleUUID(high: 1, low: .random(in: 0...2, using: &random))]
        }
        return facts
    }

    static func filter(depth: Int, _ random: inout SeededRandom) -> SampleFilter {
        let kinds = depth == 0 ? 5...9 : 0...9
        func children(_ random: inout SeededRandom) -> [SampleFilter] {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in
                filter(depth: depth - 1, &random)
            }
        }
        switch Int.random(in: kinds, using: &random) {
        case 0, 1: return .and(children(&random))
        case 2, 3: return .or(children(&random))
        case 4: return .not(filter(depth: depth - 1, &random))
        case 5:
            return [
                .everything, .nothing, .hasNoCorrelation,
                .memberOf(SampleUUID(high: 1, low: .random(in: 0...2, using: &random))),
            ].randomElement(using: &random) ?? .nothing
        default: return test(&random)
        }
    }

    private static func test(_ random: inout SeededRandom) -> SampleFilter {
        let attributes: [SampleFilter.Attribute] = [
            .start, .end, .start, .end, .uuid, .source, .categoryValue, .metadata("k"),
            .metadata("l"),
        ]
        let attribute = attributes.randomElement(using: &random) ?? .start
        return .test(attribute, relation(to: attribute, &random))
    }

    private static func relation(
        to attribute: SampleFilter.Attribute, _ random: inout SeededRandom
    ) -> SampleFilter.Relation {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return .oneOf((0..<2).map { _ in value(for: attribute, &random) })
        case 1: return .between(value(for: attribute, &random), value(for: attribute, &random))
        case 2: return .text(.beginsWith, "b", .significant)
        default:
            let comparison = SampleFilter.Comparison.allCases.randomElement(using: &random)
            return .compare(comparison ?? .equal, value(for: attribute, &random))
        }
    }

    private static func value(
        for attribute: SampleFilter.Attribute, _ random: inout SeededRandom
    ) -> SampleFilter.Value {
        let number = Double(Int.random(in: 0...9, using: &random))
        if Int.random(in: 0..<12, using: &random) == 0 { return .null }
        switch attribute {
        case .start, .end: return .date(number)
        case .uuid: return .uuid(SampleUUID(high: 0, low: UInt64(number)))
        case .source: return .string(["a", "b", "d"].randomElement(using: &random) ?? "a")
        case .categoryValue: return .number(number.truncatingRemainder(dividingBy: 3))
        default:
            return [.number(1), .string("b"), .date(3), .quantity(2, unit: "g"), .number(0)]
                .randomElement(using: &random) ?? .null
        }
    }
}
