import HealthEngine
import SwiftSyntax
import Testing

@testable import HealthReview

/// Returns the first argument of each call of `look`, with the target.
private func looks(_ files: String...) throws -> (target: Target, arguments: [ExprSyntax]) {
    let target = Target(
        name: "App",
        files: files.enumerated().map { SourceFile(path: "\($0).swift", text: $1) })
    let calls = target.files.flatMap(\.uses.calls).filter { $0.calledName == "look" }
    return (target, try calls.map { try #require($0.unlabelledArgument(0)) })
}

private func origins(_ files: String...) throws -> [[String]] {
    let target = Target(
        name: "App",
        files: files.enumerated().map { SourceFile(path: "\($0).swift", text: $1) })
    return target.files.flatMap(\.uses.calls).filter { $0.calledName == "look" }.map { call in
        call.unlabelledArgument(0).map { target.origins(of: $0).map(\.trimmedDescription) } ?? []
    }
}

@Suite("where a value comes from")
struct OriginsTests {
    @Test("constants, casts and unwrapping are followed to what they were made of")
    func constants() throws {
        let found = try origins(
            """
            func f() throws {
                let a = try g(1)
                guard let b = a as? Int else { return }
                look((b)!)
            }
            """)
        #expect(found == [["g(1)"]])
    }

    @Test("a variable is all that is assigned to it")
    func variables() throws {
        let found = try origins(
            """
            func f(_ isRun: Bool) {
                var a = one()
                if isRun { a = two() } else { a += three() }
                look(a)
                let late: Int
                if isRun { late = four() } else { late = five() }
                look(late)
            }
            """)
        #expect(found == [["one()", "two()"], ["four()", "five()"]])
    }

    @Test("branches of conditional expressions count each")
    func branches() throws {
        let found = try origins(
            """
            let a = x ? one() : two()
            let b = maybe() ?? other()
            let c = if x { one() } else if y { two() } else { three() }
            let d = switch x { case 1: one() default: two() }
            look(a); look(b); look(c); look(d)
            """)
        #expect(
            found == [
                ["one()", "two()"], ["maybe()", "other()"], ["one()", "two()", "three()"],
                ["one()", "two()"],
            ])
    }

    @Test("members are found in extensions and in other files, computed ones by what they return")
    func members() throws {
        let found = try origins(
            """
            final class Store {
                let a = one()
                func f() { look(self.a); look(b); look(Store.c); look(d()); look(Kinds.steps) }
            }
            """,
            """
            extension Store {
                var b: Int { two() }
                static let c = { three() }()
                func d() -> Int { if x { return four() }; return five() }
            }
            enum Kinds { static let steps = six() }
            """)
        #expect(found == [["one()"], ["two()"], ["three()"], ["four()", "five()"], ["six()"]])
    }

    @Test("a nearer name hides a farther one, and what can't be told stays itself")
    func scopes() throws {
        let found = try origins(
            """
            let a = far()
            func f(b: Int) {
                look(a)
                let a = near()
                look(a)
                look(b)
                run { c in look(c) }
                for d in list { look(d) }
                if let a = inner() { look(a) }
                switch x { case .some(let a): look(a); default: break }
                do {} catch { look(error) }
            }
            """)
        #expect(
            found == [
                ["far()"], ["near()"], ["b"], ["c"], ["d"], ["inner()"], ["a"], ["error"],
            ])
    }

    @Test("a condition that unwraps a name under itself leads to what it was outside")
    func shadows() throws {
        let found = try origins(
            """
            func f() {
                let a = one()
                if let a = a, a.count > 0 { look(a) }
                while let a, a.isFull { look(a) }
                guard let a = a, a.count > 1 else { return }
                look(a)
            }
            """)
        #expect(found == [["one()"], ["one()"], ["one()"]])
    }

    @Test("names that lead to each other in a circle are followed once")
    func circles() throws {
        let found = try origins(
            "class A { var a: Int { b }; var b: Int { a }; func f() { look(a) }; func g() -> Int { g() }; func h() { look(g()) } }"
        )
        #expect(found.count == 2)
    }
}

@Suite("what HealthKit's expressions stand for")
struct MeaningTests {
    @Test(
        "types are known in every way to name one",
        arguments: [
            "HKQuantityType(.stepCount)", "HKQuantityType.quantityType(forIdentifier: .stepCount)!",
            "HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier.stepCount)",
            "HKQuantityType.init(.stepCount)",
            "HKQuantityType(HKQuantityTypeIdentifier(rawValue: \"HKQuantityTypeIdentifierStepCount\"))",
        ])
    func types(expression: String) throws {
        let (target, arguments) = try looks("let type = \(expression)\nlook(type)")
        let types = target.sampleTypes(of: arguments[0])
        #expect(types.known.map(\.name) == ["stepCount"])
        #expect(types.isComplete)
    }

    @Test("of several branches each type is known, and an unknown one is said")
    func branches() throws {
        let (target, arguments) = try looks(
            """
            let id: HKQuantityTypeIdentifier = x ? .stepCount : .flightsClimbed
            look(HKQuantityType(id))
            func f(type: HKSampleType) { look(x ? type : HKCategoryType(.sleepAnalysis)) }
            look(HKObjectType.workoutType())
            """)
        #expect(
            target.sampleTypes(of: arguments[0]).known.map(\.name) == [
                "stepCount", "flightsClimbed",
            ])
        #expect(target.sampleTypes(of: arguments[0]).areKnown)
        #expect(target.sampleTypes(of: arguments[1]).known.map(\.name) == ["sleepAnalysis"])
        #expect(!target.sampleTypes(of: arguments[1]).areKnown)
        #expect(target.sampleTypes(of: arguments[2]).known.map(\.kind) == [.workout])
    }

    @Test(
        "units are known in every way to make one",
        arguments: [
            (".count()", "count"), ("HKUnit.gramUnit(with: .kilo)", "kg"),
            ("HKUnit(from: \"mg/dL\")", "mg/dL"),
            (".count().unitDivided(by: HKUnit.minute())", "count/min"),
            ("HKUnit.meter().unitDivided(by: .second().unitRaised(toPower: 2))", "m/s^2"),
            ("HKUnit.second().reciprocal()", "1/s"),
        ])
    func units(expression: String, symbol: String) throws {
        let (target, arguments) = try looks("let unit = \(expression)\nlook(unit)")
        #expect(target.unit(of: arguments[0]) == (try HealthUnit(symbol)))
    }

    @Test("a unit that can be several, or none that can be read, is unknown")
    func unknownUnits() throws {
        let (target, arguments) = try looks(
            "look(x ? .count() : .meter()); look(HKUnit(from: \"steps\")); look(HKUnit(from: name)); look(preferred)"
        )
        #expect(arguments.allSatisfy { target.unit(of: $0) == nil })
    }
}

@Suite("places in a file")
struct PlaceTests {
    @Test("lines end with \\n, \\r\\n or \\r, and columns count bytes")
    func lines() {
        let table = LineTable("a\nüb\r\nc\rd")
        #expect(table.place(of: 0) == (1, 1))
        #expect(table.place(of: 4) == (2, 3))
        #expect(table.place(of: 7) == (3, 1))
        #expect(table.place(of: 9) == (4, 1))
    }

    @Test("a chain of 5,000 members is walked, one of 100,000 said to be too deep")
    func chains() {
        let long = SourceFile(path: "a", text: "let a = b" + String(repeating: ".c", count: 5000))
        #expect(long.uses.memberAccesses.count == 5000)
        #expect(!long.isTooDeep)
        let tail = String(repeating: ".c", count: 100_000)
        #expect(SourceFile(path: "a", text: "let a = b" + tail).isTooDeep)
    }
}
