import Foundation
import HealthKit
import HealthTesting
import Testing

/// A form whose rows become predicates of expressions.
@Suite struct WeightFilterTests {
    let fixture: ClientFixture

    init() throws { fixture = try ClientFixture() }

    private func day(_ number: Double) -> Date {
        fixture.midnight.addingTimeInterval(number * 86_400)
    }

    private func save() async throws {
        let mass = HKQuantityType(.bodyMass)
        try await fixture.authorize(share: [mass], read: [mass])
        let weights: [(Double, Double, String?, [String: Any]?)] = [
            (-40, 80, "Scale", ["note": "After the Run"]), (-20, 82, nil, ["tag": "clothed"]),
            (-10, 84, "Scale", ["note": "evening", "tag": "tired"]), (-1, 79, "Old", nil),
        ]
        try await fixture.store.save(
            weights.map { number, kilograms, device, metadata in
                HKQuantitySample(
                    type: mass,
                    quantity: HKQuantity(unit: .gram(), doubleValue: kilograms * 1000),
                    start: day(number), end: day(number),
                    device: device.map {
                        HKDevice(
                            name: $0, manufacturer: nil, model: nil, hardwareVersion: nil,
                            firmwareVersion: nil, softwareVersion: nil, localIdentifier: nil,
                            udiDeviceIdentifier: nil)
                    }, metadata: metadata)
            })
    }

    private func weights(_ predicate: NSPredicate) async throws -> [Double] {
        try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(type: HKQuantityType(.bodyMass), predicate: predicate)
            ],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: fixture.store).map {
            $0.quantity.doubleValue(for: .gramUnit(with: .kilo))
        }
    }

    @available(*, deprecated)
    @Test("§2.9 each row of the form selects its weights, and rows are combined")
    func rows() async throws {
        try await save()
        for (rows, expected): ([WeightFilter.Row], [Double]) in [
            ([], [80, 82, 84, 79]), ([.since(day(-20))], [82, 84, 79]),
            ([.between(80, 82)], [80, 82]), ([.note(contains: "RUN")], [80]),
            ([.device(names: ["Scale", "New"])], [80, 84]), ([.device(names: [])], []),
            ([.not(tag: "clothed")], [80, 84, 79]),
            ([.since(day(-30)), .device(names: ["Scale"]), .not(tag: "clothed")], [84]),
        ] {
            let filter = WeightFilter(rows: rows)
            #expect(try await weights(filter.predicate) == expected, "\(rows)")
        }
        let filter = WeightFilter(rows: [.since(day(0)), .between(1, 2), .not(tag: "x")])
        #expect(filter.summary == "startDate, quantity, other")
    }

    @available(*, deprecated)
    @Test("§2.9 a predicate with variables is filled in for each month")
    func months() async throws {
        try await save()
        #expect(try await weights(WeightFilter.month(from: day(-25), to: day(-10))) == [82])
        #expect(try await weights(WeightFilter.month(from: day(-10), to: day(0))) == [84, 79])
    }
}
