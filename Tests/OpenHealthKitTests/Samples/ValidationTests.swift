import Foundation
import HealthTesting
import OpenHealthKit
import Testing

/// Objects that `save` and `validate()` refuse (Semantics §9.5).
@Suite struct ValidationTests {
    private let fixture = StoreFixture()

    private func quantity(
        _ type: HKQuantityTypeIdentifier = .stepCount, _ unit: HKUnit = .count(),
        _ value: Double = 1, lasting: TimeInterval = 0, metadata: [String: Any]? = nil
    ) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: value),
            start: fixture.date(), end: fixture.date(lasting), metadata: metadata)
    }

    private func category(
        _ type: HKCategoryTypeIdentifier, _ value: Int, metadata: [String: Any]? = nil
    ) -> HKCategorySample {
        HKCategorySample(
            type: HKCategoryType(type), value: value, start: fixture.date(), end: fixture.date(),
            metadata: metadata)
    }

    private func refusal(_ sample: HKSample) -> String? {
        do {
            try sample.validate()
            return nil
        } catch {
            #expect(error.code == .errorInvalidArgument)
            return error.reason
        }
    }

    @Test("§9.5 a sample that ends before it starts is rejected by validate and by save")
    func order() async throws {
        let sample = quantity(lasting: -1)
        #expect(refusal(sample)?.contains("cannot occur after endDate") == true)
        #expect(refusal(quantity(lasting: 0)) == nil)
        try await StoreFixture.requestAuthorization(fixture.store)
        let error = await failure { try await fixture.store.save(sample) }
        #expect(error?.code == .errorInvalidArgument)
    }

    @Test(
        "§9.5 quantities last four days at most; category samples have no limit",
        .covers(
            "HKSampleType.isMaximumDurationRestricted", "HKSampleType.maximumAllowedDuration"))
    func duration() {
        let most = HKQuantityType(.stepCount).maximumAllowedDuration
        #expect(most == 345_600)
        #expect(refusal(quantity(lasting: most)) == nil)
        #expect(
            refusal(quantity(lasting: most + 1))?.contains("exceed the maximum allowed duration")
                == true)
        let contraceptive = HKCategorySample(
            type: HKCategoryType(.contraceptive), value: 1, start: fixture.date(),
            end: fixture.date(1e8))
        #expect(refusal(contraceptive) == nil)
    }

    @Test("§9.5 an undetermined end is exempt from limits")
    func undetermined() {
        let open = HKQuantitySample(
            type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 1),
            start: fixture.date(), end: .distantFuture)
        #expect(refusal(open) == nil)
    }

    @Test("§9.5 a unit must be compatible with the type")
    func units() {
        #expect(refusal(quantity(.bodyMass, .pound())) == nil)
        #expect(refusal(quantity(.bodyMass, .meter()))?.contains("unit") == true)
        #expect(refusal(quantity(.bodyMass, .gram(), .nan)) != nil)
    }

    @Test("§9.5 a category value outside its enumeration is rejected")
    func categories() {
        #expect(refusal(category(.sleepAnalysis, 5)) == nil)
        #expect(refusal(category(.sleepAnalysis, 6)) != nil)
        #expect(refusal(category(.mindfulSession, 0)) == nil)
        #expect(refusal(category(.mindfulSession, 7)) != nil)
    }

    @Test("§9.5 metadata values are text, numbers, dates or quantities, in the class of the key")
    func metadata() {
        let good: [String: Any] = [
            "mine": "text", "number": 3, "date": fixture.date(),
            "quantity": HKQuantity(unit: .meter(), doubleValue: 1),
            HKMetadataKeyTimeZone: "Europe/Berlin", HKMetadataKeyWasUserEntered: true,
        ]
        #expect(refusal(quantity(metadata: good)) == nil)
        #expect(refusal(quantity(metadata: ["mine": [1, 2]]))?.contains("mine") == true)
        #expect(refusal(quantity(metadata: [HKMetadataKeyTimeZone: 3])) != nil)
        #expect(refusal(quantity(metadata: [HKMetadataKeyWasUserEntered: "yes"])) != nil)
        let weather = HKQuantity(unit: .meter(), doubleValue: 20)
        #expect(refusal(quantity(metadata: [HKMetadataKeyWeatherTemperature: weather])) != nil)
    }

    @Test("§9.1 a sync identifier and a sync version must be set together")
    func syncPair() {
        #expect(refusal(quantity(metadata: [HKMetadataKeySyncIdentifier: "a"])) != nil)
        #expect(refusal(quantity(metadata: [HKMetadataKeySyncVersion: 1])) != nil)
    }

    @Test("§9.5 metadata that a type requires must be present")
    func requiredMetadata() {
        #expect(refusal(quantity(.insulinDelivery, .internationalUnit())) != nil)
        let basal = [HKMetadataKeyInsulinDeliveryReason: 1]
        #expect(refusal(quantity(.insulinDelivery, .internationalUnit(), metadata: basal)) == nil)
        #expect(refusal(category(.menstrualFlow, 2)) != nil)
        #expect(
            refusal(category(.menstrualFlow, 2, metadata: [HKMetadataKeyMenstrualCycleStart: true]))
                == nil)
    }

    @Test("§9.5 a blood pressure has exactly one systolic and one diastolic reading")
    func bloodPressure() {
        func pressure(_ types: [HKQuantityTypeIdentifier]) -> HKCorrelation {
            HKCorrelation(
                type: HKCorrelationType(.bloodPressure), start: fixture.date(),
                end: fixture.date(),
                objects: Set(types.map { quantity($0, .millimeterOfMercury(), 100) }))
        }
        #expect(refusal(pressure([.bloodPressureSystolic, .bloodPressureDiastolic])) == nil)
        #expect(refusal(pressure([.bloodPressureSystolic])) != nil)
        #expect(
            refusal(
                pressure([
                    .bloodPressureSystolic, .bloodPressureSystolic, .bloodPressureDiastolic,
                ])) != nil)
        let wrong = HKCorrelation(
            type: HKCorrelationType(.food), start: fixture.date(), end: fixture.date(),
            objects: [quantity(.dietaryProtein, .meter())])
        #expect(refusal(wrong) != nil)
    }

    @Test("an object that is not a sample can't be saved")
    func noSample() async throws {
        try await StoreFixture.requestAuthorization(fixture.store)
        let object = HKObject(_uuid: UUID(), origin: nil, device: nil, metadata: nil)
        let error = await failure { try await fixture.store.save(object) }
        #expect(error?.code == .errorInvalidArgument)
    }

    @Test("in strict mode an initializer traps where Apple raises an exception")
    func strict() async {
        await #expect(processExitsWith: .failure) {
            setenv("OPENHEALTH_STRICT", "1", 1)
            let date = Date(timeIntervalSinceReferenceDate: 0)
            _ = HKCategorySample(
                type: HKCategoryType(.sleepAnalysis), value: 77, start: date, end: date)
        }
        await #expect(processExitsWith: .failure) {
            setenv("OPENHEALTH_STRICT", "1", 1)
            let date = Date(timeIntervalSinceReferenceDate: 0)
            _ = HKWorkout(activityType: .running, start: date, end: date - 60)
        }
        await #expect(processExitsWith: .success) {
            setenv("OPENHEALTH_STRICT", "1", 1)
            let date = Date(timeIntervalSinceReferenceDate: 0)
            _ = HKCategorySample(
                type: HKCategoryType(.sleepAnalysis), value: 1, start: date, end: date)
        }
        await #expect(processExitsWith: .success) {
            let date = Date(timeIntervalSinceReferenceDate: 0)
            _ = HKCategorySample(
                type: HKCategoryType(.sleepAnalysis), value: 77, start: date, end: date)
        }
    }
}
