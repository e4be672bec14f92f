import Foundation
import HealthEngine
import HealthTesting
import OpenHealthKit
import Testing

/// `NSExpression` and `NSComparisonPredicate`, compared with the same comparisons as formats.
@Suite("Predicates of expressions")
struct ExpressionTests {
    private typealias Q = QueriedStore

    private static let operators: [(type: _ComparisonOperator, symbol: String)] = [
        (.lessThan, "<"), (.lessThanOrEqualTo, "<="), (.greaterThan, ">"),
        (.greaterThanOrEqualTo, ">="), (.equalTo, "=="), (.notEqualTo, "!="),
        (.like, "LIKE"), (.beginsWith, "BEGINSWITH"), (.endsWith, "ENDSWITH"), (.in, "IN"),
        (.contains, "CONTAINS"), (.between, "BETWEEN"), (.matches, "MATCHES"),
    ]

    private static let keyPaths = [
        HKPredicateKeyPathStartDate, HKPredicateKeyPathEndDate, HKPredicateKeyPathUUID,
        HKPredicateKeyPathQuantity, HKPredicateKeyPathCount, HKPredicateKeyPathCategoryValue,
        "metadata.mood", "metadata.lap", "device.name", "source.bundleIdentifier",
        HKPredicateKeyPathDevice, "colour",
    ]

    private static let strap = HKDevice(
        name: "Strap", manufacturer: nil, model: nil, hardwareVersion: nil, firmwareVersion: nil,
        softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)

    private static let samples: [HKSample] = [
        PredicateSamples.steps(3, from: 0, to: 10, metadata: ["mood": "High", "lap": 1]),
        PredicateSamples.steps(7, from: 10, to: 20, device: strap, metadata: ["mood": "low"]),
        PredicateSamples.steps(9, from: 10, to: 30, metadata: ["lap": 2]),
        PredicateSamples.sleep(.asleepDeep),
    ]

    private static var constants: [Any] {
        [
            PredicateSamples.at(10), 2, "High", samples[0].uuid, NSNull(), strap,
            HKQuantity(unit: .count(), doubleValue: 7), HKQuantity(unit: .meter(), doubleValue: 7),
            [1, 2], ["High", "low"], [PredicateSamples.at(0), PredicateSamples.at(10)] as [Any],
            [Any](), Data(),
        ]
    }

    /// Checks that two predicates select the same samples, or are both rejected for one reason.
    private func expectEqual(
        _ expression: NSPredicate, _ format: NSPredicate, _ words: @autoclosure () -> String
    ) -> Int {
        var selected = 0
        for type in [Q.steps, Q.sleep] as [HKSampleType] {
            let filter = try? SampleFilter(expression, for: type)
            if filter == nil || filter != (try? SampleFilter(format, for: type)) {
                // Only a format has positions.
                let reason = format.rejectionReason(for: type)?
                    .replacingOccurrences(of: "Predicate format:", with: "Predicate:")
                    .components(separatedBy: " at character ").first
                let own = expression.rejectionReason(for: type)
                #expect(own?.hasPrefix(reason ?? "ran") == true, "\(words())")
            }
        }
        for sample in Self.samples {
            let isMatch = expression.evaluate(with: sample)
            #expect(isMatch == format.evaluate(with: sample), "\(words())")
            if isMatch { selected += 1 }
        }
        return selected
    }

    @Test("§2.9 a comparison of expressions selects what its format selects, in either direction")
    func agreement() {
        var selected = 0
        for keyPath in Self.keyPaths {
            let key = _Expression(forKeyPath: keyPath)
            for (type, symbol) in Self.operators {
                for constant in Self.constants {
                    let value = _Expression(forConstantValue: constant)
                    for (option, suffix): (_ComparisonPredicate.Options, String) in [
                        ([], ""), (.caseInsensitive, "[c]"), (.normalized, "[n]"),
                    ] {
                        selected += expectEqual(
                            _ComparisonPredicate(
                                leftExpression: key, rightExpression: value, modifier: .direct,
                                type: type, options: option),
                            NSPredicate(format: "%K \(symbol)\(suffix) %@", keyPath, constant),
                            "\(keyPath) \(symbol)\(suffix) \(constant)")
                    }
                    selected += expectEqual(
                        _ComparisonPredicate(
                            leftExpression: value, rightExpression: key, modifier: .direct,
                            type: type),
                        NSPredicate(format: "%@ \(symbol) %K", constant, keyPath),
                        "\(constant) \(symbol) \(keyPath)")
                }
            }
        }
        #expect(selected > 200)
    }

    @Test("§2.9 a query with a predicate of expressions returns what its format returns")
    func queries() async throws {
        let store = try await Q.open()
        try await store.save([
            Q.walk(1, from: 0, to: 1, metadata: ["lap": 1]), Q.walk(2, from: 5, to: 6),
            Q.walk(3, from: 9, to: 10, metadata: ["lap": 3]),
        ])
        func compare(
            _ path: String, _ type: _ComparisonOperator, _ value: Any
        ) -> _ComparisonPredicate {
            _ComparisonPredicate(
                leftExpression: _Expression(forKeyPath: path),
                rightExpression: _Expression(forConstantValue: value), modifier: .direct,
                type: type)
        }
        let late = compare(HKPredicateKeyPathStartDate, .greaterThanOrEqualTo, Q.minute(5))
        #expect(try await store.querySamples(Q.steps, late).map(\.steps) == [2, 3])
        let lap = compare("metadata.lap", .in, [1, 3])
        #expect(try await store.querySamples(Q.steps, lap).map(\.steps) == [1, 3])
        let both = NSCompoundPredicate(
            type: .and,
            subpredicates: [late, NSCompoundPredicate(notPredicateWithSubpredicate: lap)])
        #expect(both.compoundPredicateType == .and)
        #expect(both.subpredicates.first === late)
        #expect(try await store.querySamples(Q.steps, both).map(\.steps) == [2])
        let statistics = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: Q.steps, predicate: late), options: .cumulativeSum)
        let sum = try await statistics.result(for: store)?.sumQuantity()
        #expect(sum?.doubleValue(for: .count()) == 5)
    }

    @Test("a comparison has its parts, and equals another with equal parts")
    func parts() {
        let (left, right) = (_Expression(forKeyPath: "startDate"), _Expression(forVariable: "X"))
        func comparison(
            _ type: _ComparisonOperator = .lessThan, _ options: _ComparisonPredicate.Options = []
        ) -> _ComparisonPredicate {
            _ComparisonPredicate(
                leftExpression: left, rightExpression: right, modifier: .any, type: type,
                options: options)
        }
        let predicate = comparison(.like, [.caseInsensitive, .diacriticInsensitive])
        #expect(predicate.leftExpression === left && predicate.rightExpression === right)
        #expect(predicate.comparisonPredicateModifier == .any)
        #expect(predicate.predicateOperatorType == .like)
        #expect(predicate.options == [.caseInsensitive, .diacriticInsensitive])
        #expect(predicate == comparison(.like, [.caseInsensitive, .diacriticInsensitive]))
        #expect(predicate != comparison(.like) && comparison() != comparison(.greaterThan))
        #expect(predicate.copy() as? NSPredicate === predicate)
        #expect(predicate.hash == comparison(.like).hash)
        let general: NSPredicate = predicate
        #expect(general is _ComparisonPredicate)
        #expect(!(NSPredicate(value: true) is _ComparisonPredicate))
    }

    @Test("an expression has its kind, value and text, and equals another of the same content")
    func expressions() {
        let date = PredicateSamples.at(5)
        let constant = _Expression(forConstantValue: date)
        #expect(constant.expressionType == .constantValue)
        #expect(constant.constantValue as? Date == date)
        #expect(constant == _Expression(forConstantValue: date))
        #expect(constant != _Expression(forConstantValue: PredicateSamples.at(6)))
        #expect(constant.keyPath == "" && constant.variable == "")
        let path = _Expression(forKeyPath: "metadata.lap")
        #expect(path.expressionType == .keyPath && path.keyPath == "metadata.lap")
        #expect(path.constantValue == nil && path.description == "metadata.lap")
        let variable = _Expression(forVariable: "START")
        #expect(variable.expressionType == .variable && variable.variable == "START")
        #expect(variable.description == "$START" && variable != path)
        let list = _Expression(forAggregate: [_Expression(forConstantValue: 1), variable])
        #expect(list.expressionType == .aggregate && list.description == "{1, $START}")
        #expect((list.collection as? [_Expression])?.last === variable)
        #expect((path.collection as? [Any])?.isEmpty == true)
        let own = _Expression.expressionForEvaluatedObject()
        #expect(own.expressionType == .evaluatedObject && own.description == "SELF")
        #expect(constant.copy() as? _Expression === constant)
        #expect(Set([path, _Expression(forKeyPath: "metadata.lap")]).count == 1)
    }

    @Test("an expression can be parsed from a format")
    func formats() {
        let path = _Expression(format: "metadata.%K", "lap")
        #expect(path == _Expression(forKeyPath: "metadata.lap"))
        #expect(_Expression(format: "$A") == _Expression(forVariable: "A"))
        #expect(_Expression(format: "SELF").expressionType == .evaluatedObject)
        #expect(_Expression(format: "'x'").constantValue as? String == "x")
        #expect(_Expression(format: "%@", argumentArray: [3]).constantValue as? Int == 3)
        let date = PredicateSamples.at(1)
        #expect(_Expression(format: "%@", date).constantValue as? Date == date)
        let list = _Expression(format: "{1, $A, 'c'}")
        #expect(list.expressionType == .aggregate && list.description == "{1, $A, \"c\"}")
        #expect(_Expression(format: "nil").constantValue == nil)
        let sum = _Expression(format: "1 + 2")
        #expect(sum.constantValue == nil && sum.description == "1 + 2")
        let predicate = _ComparisonPredicate(
            leftExpression: path, rightExpression: sum, modifier: .direct, type: .equalTo)
        #expect(predicate.rejectionReason()?.contains("expected the end") == true)
    }

    @Test("an expression is evaluated with a sample or dictionary and values for its variables")
    func values() {
        let sample = Self.samples[1]
        func value(_ path: String, of object: Any? = nil) -> Any? {
            _Expression(forKeyPath: path).expressionValue(with: object ?? sample, context: nil)
        }
        #expect(value("startDate") as? Date == PredicateSamples.at(10))
        #expect(value("endDate") as? Date == PredicateSamples.at(20))
        #expect(value("UUID") as? UUID == sample.uuid)
        #expect(value("quantity") as? HKQuantity == HKQuantity(unit: .count(), doubleValue: 7))
        #expect(value("count") as? Int == 1 && value("value") == nil)
        #expect(value("metadata.mood") as? String == "low" && value("metadata.none") == nil)
        #expect(value("device.name") as? String == "Strap" && value("device.model") == nil)
        #expect(value("sampleType") as? HKSampleType == Q.steps && value("colour") == nil)
        #expect(value("value", of: Self.samples[3]) as? Int == 4)
        #expect(value("a.b", of: ["a": ["b": 3]]) as? Int == 3)
        #expect(value("a.b", of: ["a.b": 4] as NSDictionary) == nil)
        #expect(
            value("metadata.a.b", of: PredicateSamples.steps(metadata: ["a.b": 5])) as? Int == 5)
        let run = PredicateSamples.workout(.running, duration: 90)
        #expect(value("duration", of: run) as? Double == 90)
        #expect(value("workoutActivityType", of: run) as? UInt == 37)
        let stored = PredicateSamples.stored(
            HKSourceRevision(
                source: .default(), version: "3", productType: "Watch7,1",
                operatingSystemVersion: HKSourceRevisionAnyOperatingSystem))
        #expect(value("sourceRevision.version", of: stored) as? String == "3")
        #expect(value("sourceRevision.productType", of: stored) as? String == "Watch7,1")
        #expect(
            value("source.bundleIdentifier", of: stored) as? String
                == HKSource.default().bundleIdentifier)
        let variable = _Expression(forVariable: "A")
        #expect(variable.expressionValue(with: nil, context: nil) == nil)
        #expect(variable.expressionValue(with: nil, context: ["A": 5]) as? Int == 5)
        let list = _Expression(forAggregate: [variable, 2, _Expression(forConstantValue: nil)])
        let elements = list.expressionValue(with: nil, context: ["A": 5]) as? [Any]
        #expect(elements?.first as? Int == 5 && elements?[1] as? Int == 2)
        #expect(elements?.last is NSNull && elements?.count == 3)
        let own = _Expression.expressionForEvaluatedObject()
        #expect(own.expressionValue(with: sample, context: nil) as? HKSample === sample)
    }

    @Test("§2.9 a query rejects what a health store can't compare, with the reason")
    func rejections() {
        let path = _Expression(forKeyPath: "metadata.lap")
        let one = _Expression(forConstantValue: 1)
        func reason(
            _ left: _Expression, _ right: _Expression,
            _ modifier: _ComparisonPredicate.Modifier = .direct,
            _ options: _ComparisonPredicate.Options = []
        ) -> String {
            let predicate = _ComparisonPredicate(
                leftExpression: left, rightExpression: right, modifier: modifier, type: .equalTo,
                options: options)
            #expect(!predicate.evaluate(with: Self.samples[0]))
            return predicate.rejectionReason() ?? "ran"
        }
        #expect(reason(path, path).contains("not with another"))
        #expect(reason(path, one, .any).contains("only the modifier direct"))
        #expect(reason(path, one, .all).contains("only the modifier direct"))
        #expect(
            reason(path, one, .direct, .diacriticInsensitive).contains("option caseInsensitive"))
        #expect(
            reason(.expressionForEvaluatedObject(), one).contains("SELF is not supported"))
        #expect(
            reason(path, _Expression(forAggregate: [path])).contains("can't contain a key path"))
        let nested = _Expression(forAggregate: [_Expression(forAggregate: [one])])
        #expect(reason(path, nested).contains("a list can't contain a list"))
        #expect(reason(one, _Expression(forVariable: "A")).contains("a key path on one side"))
        #expect(reason(path, _Expression(forVariable: "A")).contains("the variable $A"))
    }
}
