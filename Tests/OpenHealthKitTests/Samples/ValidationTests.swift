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

    private func validationMessage(_ sample: HKSample) -> String? {
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
        #expect(validationMessage(sample)?.contains("cannot occur after endDate") == true)
        #expect(validationMessage(quantity(lasting: 0)) == nil)
        try await StoreFixture.requestAuthorization(fixture.store)
        let error = await failure { try await fixture.store.save(sample) }
        #expect(error?.code == .errorInvalidArgument)
    }

    @Test(
        "§9.5 quantities last four days at most; category samples have no limit",
        .covers(
            "HKSampleType.isMaximumDurationRestricted", "HKSampleType.maximumAllowedDuration"))
    func duration() {
        let maximum = HKQuantityType(.stepCount).maximumAllowedDuration
        #expect(maximum == 345_600)
        #expect(validationMessage(quantity(lasting: maximum)) == nil)
        #expect(
            validationMessage(quantity(lasting: maximum + 1))?.contains(
                "exceed the maximum allowed duration")
                == true)
        let contraceptive = HKCategorySample(
            type: HKCategoryType(.contraceptive), value: 1, start: fixture.date(),
            end: fixture.date(1e8))
        #expect(validationMessage(contraceptive) == nil)
    }

    @Test("§9.5 an undetermined end is exempt from limits")
    func undetermined() {
        let open = HKQuantitySample(
            type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 1),
            start: fixture.date(), end: .distantFuture)
        #expect(validationMessage(open) == nil)
    }

    @Test("§9.5 a unit must be compatible with the type")
    func units() {
        #expect(validationMessage(quantity(.bodyMass, .pound())) == nil)
        #expect(validationMessage(quantity(.bodyMass, .meter()))?.contains("unit") == true)
        #expect(validationMessage(quantity(.bodyMass, .gram(), .nan)) != nil)
    }

    @Test("§9.5 a category value outside its enumeration is rejected")
    func categories() {
        #expect(validationMessage(category(.sleepAnalysis, 5)) == nil)
        #expect(validationMessage(category(.sleepAnalysis, 6)) != nil)
        #expect(validationMessage(category(.mindfulSession, 0)) == nil)
        #expect(validationMessage(category(.mindfulSession, 7)) != nil)
    }

    @Test("§9.5 metadata values are text, numbers, dates or quantities, in the class of the key")
    func metadata() {
        let good: [String: Any] = [
            "mine": "text", "number": 3, "date": fixture.date(),
            "quantity": HKQuantity(unit: .meter(), doubleValue: 1),
            HKMetadataKeyTimeZone: "Europe/Berlin", HKMetadataKeyWasUserEntered: true,
        ]
        #expect(validationMessage(quantity(metadata: good)) == nil)
        #expect(validationMessage(quantity(metadata: ["mine": [1, 2]]))?.contains("mine") == true)
        #expect(validationMessage(quantity(metadata: [HKMetadataKeyTimeZone: 3])) != nil)
        #expect(validationMessage(quantity(metadata: [HKMetadataKeyWasUserEntered: "yes"])) != nil)
        let weather = HKQuantity(unit: .meter(), doubleValue: 20)
        #expect(
            validationMessage(quantity(metadata: [HKMetadataKeyWeatherTemperature: weather])) != nil
        )
    }

    @Test("§9.1 a sync identifier and a sync version must be set together")
    func syncPair() {
        #expect(validationMessage(quantity(metadata: [HKMetadataKeySyncIdentifier: "a"])) != nil)
        #expect(validationMessage(quantity(metadata: [HKMetadataKeySyncVersion: 1])) != nil)
    }

    @Test("§9.5 metadata that a type requires must be present")
    func requiredMetadata() {
        #expect(validationMessage(quantity(.insulinDelivery, .internationalUnit())) != nil)
        let basal = [HKMetadataKeyInsulinDeliveryReason: 1]
        #expect(
            validationMessage(quantity(.insulinDelivery, .internationalUnit(), metadata: basal))
                == nil)
        #expect(validationMessage(category(.menstrualFlow, 2)) != nil)
        #expect(
            validationMessage(
                category(.menstrualFlow, 2, metadata: [HKMetadataKeyMenstrualCycleStart: true]))
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
        #expect(
            validationMessage(pressure([.bloodPressureSystolic, .bloodPressureDiastolic])) == nil)
        #expect(validationMessage(pressure([.bloodPressureSystolic])) != nil)
        #expect(
            validationMessage(
                pressure([
                    .bloodPressureSystolic, .bloodPressureSystolic, .bloodPressureDiastolic,
                ])) != nil)
        let wrong = HKCorrelation(
            type: HKCorrelationType(.food), start: fixture.date(), end: fixture.date(),
            objects: [quantity(.dietaryProtein, .meter())])
        #expect(validationMessage(wrong) != nil)
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
