import Foundation
import HealthTesting
import OpenHealthKit
import Testing

@Suite("Quantities")
struct HKQuantityTests {
    @Test(
        "§9.9 the value in the original unit is bit-identical",
        .covers("HKQuantity", "HKQuantity.init(unit:doubleValue:)", "HKQuantity.doubleValue(for:)"),
        arguments: [0.1, 97.3, -0.0, 1e-300, .greatestFiniteMagnitude, .pi])
    func bits(number: Double) {
        let quantity = HKQuantity(unit: .pound(), doubleValue: number)
        #expect(quantity.doubleValue(for: .pound()).bitPattern == number.bitPattern)
        #expect(quantity.doubleValue(for: HKUnit(from: "lb")).bitPattern == number.bitPattern)
    }

    @Test(
        "numbers convert between compatible units", .covers("HKQuantity.doubleValue(for:)"),
        arguments: [
            ("km", 1.5, "m", 1500), ("degF", 98.6, "degC", 37), ("kcal", 1, "kJ", 4.184),
            ("count/min", 60, "count/s", 1), ("%", 0.97, "count", 0.97), ("mi", 1, "m", 1609.344),
        ])
    func conversions(from: String, number: Double, to: String, expected: Double) {
        let quantity = HKQuantity(unit: HKUnit(from: from), doubleValue: number)
        #expect(abs(quantity.doubleValue(for: HKUnit(from: to)) - expected) < 1e-9)
    }

    @Test("§9.10 compatibility of quantities and units", .covers("HKQuantity.is(compatibleWith:)"))
    func compatibility() {
        let beats = HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 60)
        #expect(beats.is(compatibleWith: HKUnit(from: "count/s")))
        #expect(!beats.is(compatibleWith: .hertz()))
        #expect(HKQuantity(unit: .count(), doubleValue: 1).is(compatibleWith: .percent()))
        #expect(!HKQuantity(unit: .count(), doubleValue: 1).is(compatibleWith: .meter()))
    }

    @Test("§9.9 quantities of equal amounts are equal and have equal hashes in any unit")
    func equality() {
        let kilometre = HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: 1)
        let metres = HKQuantity(unit: .meter(), doubleValue: 1000)
        #expect(kilometre == metres)
        #expect(kilometre.hash == metres.hash)
        #expect(kilometre != HKQuantity(unit: .meter(), doubleValue: 1001))
        #expect(metres != HKQuantity(unit: .gram(), doubleValue: 1000))
    }

    @Test("quantities of compatible units are ordered", .covers("HKQuantity.compare(_:)"))
    func order() throws {
        let kilometre = HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: 1)
        let mile = HKQuantity(unit: .mile(), doubleValue: 1)
        #expect(kilometre.compare(mile) == .orderedAscending)
        #expect(mile.compare(kilometre) == .orderedDescending)
        #expect(mile.compare(HKQuantity(unit: .foot(), doubleValue: 5280)) == .orderedSame)
        let error = #expect(throws: HKError.self) {
            try mile.comparison(with: HKQuantity(unit: .gram(), doubleValue: 1))
        }
        #expect(error?.code == .errorInvalidArgument)
        #expect(throws: HKError.self) { try mile.converted(to: .gram()) }
    }

    @Test("the non-throwing functions trap on incompatible units")
    func traps() async {
        await #expect(processExitsWith: .failure) {
            _ = HKQuantity(unit: .meter(), doubleValue: 1).doubleValue(for: .gram())
        }
        await #expect(processExitsWith: .failure) {
            let gram = HKQuantity(unit: .gram(), doubleValue: 1)
            _ = HKQuantity(unit: .meter(), doubleValue: 1).compare(gram)
        }
    }

    @Test("the description of a quantity is its value and unit")
    func description() {
        let beats = HKUnit(from: "count/min")
        #expect("\(HKQuantity(unit: beats, doubleValue: 72))" == "72 count/min")
        #expect("\(HKQuantity(unit: .meter(), doubleValue: 1.5))" == "1.5 m")
    }
}
