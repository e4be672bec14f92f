import Foundation
import HealthEngine
import HealthTesting
import OpenHealthKit
import Testing

@Suite("Samples")
struct HKSampleTests {
    private let start = Date(timeIntervalSinceReferenceDate: 700_000_000.125)
    private let end = Date(timeIntervalSinceReferenceDate: 700_000_060.25)
    private let steps = HKQuantity(unit: .count(), doubleValue: 100)

    @Test(
        "a quantity sample has the values passed to its initializer",
        .covers(
            "HKObject", "HKObject.uuid", "HKObject.device", "HKSample", "HKSample.startDate",
            "HKSample.endDate", "HKSample.sampleType", "HKQuantitySample",
            "HKQuantitySample.quantity", "HKQuantitySample.quantityType", "HKQuantitySample.count",
            "HKQuantitySample.init(type:quantity:start:end:device:metadata:)"))
    func quantitySample() {
        let device = HKDevice(
            name: "Watch", manufacturer: nil, model: nil, hardwareVersion: nil,
            firmwareVersion: nil, softwareVersion: nil, localIdentifier: nil,
            udiDeviceIdentifier: nil)
        let sample = HKQuantitySample(
            type: HKQuantityType(.stepCount), quantity: steps, start: start, end: end,
            device: device, metadata: ["a": 1])
        #expect(sample.sampleType == HKQuantityType(.stepCount))
        #expect(sample.quantityType == HKQuantityType(.stepCount))
        #expect(sample.quantity.doubleValue(for: .count()) == 100)
        #expect(sample.startDate == start)
        #expect(sample.endDate == end)
        #expect(sample.count == 1)
        #expect(sample.device == device)
        #expect(sample.metadata?["a"] as? Int == 1)
        #expect(sample.uuid == sample.uuid)
        #expect(
            sample.description.hasPrefix("100 count"), "a person reads the amount first")
    }

    @Test(
        "§9.9 the initializer returns the subclass for the type's aggregation style",
        .covers(
            "HKQuantitySample.init(type:quantity:start:end:)",
            "HKQuantitySample.init(type:quantity:start:end:metadata:)",
            "HKCumulativeQuantitySample", "HKCumulativeQuantitySample.sumQuantity",
            "HKDiscreteQuantitySample", "HKDiscreteQuantitySample.averageQuantity",
            "HKDiscreteQuantitySample.minimumQuantity", "HKDiscreteQuantitySample.maximumQuantity",
            "HKDiscreteQuantitySample.mostRecentQuantity",
            "HKDiscreteQuantitySample.mostRecentQuantityDateInterval"))
    func subclasses() throws {
        let walked = HKQuantitySample(
            type: HKQuantityType(.stepCount), quantity: steps, start: start, end: end)
        let cumulative = try #require(walked as? HKCumulativeQuantitySample)
        #expect(cumulative.sumQuantity == steps)
        #expect(!(walked is HKCumulativeQuantitySeriesSample))

        let rate = HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 72)
        let beat = HKQuantitySample(
            type: HKQuantityType(.heartRate), quantity: rate, start: start, end: end,
            metadata: ["b": "c"])
        let discrete = try #require(beat as? HKDiscreteQuantitySample)
        #expect(discrete.averageQuantity == rate)
        #expect(discrete.minimumQuantity == rate)
        #expect(discrete.maximumQuantity == rate)
        #expect(discrete.mostRecentQuantity == rate)
        #expect(discrete.mostRecentQuantityDateInterval == DateInterval(start: start, end: end))
        #expect(discrete.metadata?["b"] as? String == "c")
    }

    @Test("a client's subclass is instantiated as itself")
    func clientSubclass() {
        // Immutable.
        final class OwnSample: HKQuantitySample, @unchecked Sendable {
            override var quantity: HKQuantity { HKQuantity(unit: .count(), doubleValue: 7) }
        }
        let sample = OwnSample(
            type: HKQuantityType(.stepCount), quantity: steps, start: start, end: end)
        #expect(sample.quantity.doubleValue(for: .count()) == 7)
    }

    @Test(
        "§3.8 a series reports its count, sum, extremes and most recent value",
        .covers("HKQuantitySample.count"))
    func series() throws {
        let beats = HKUnit(from: "count/min")
        let sample = HKDiscreteQuantitySample(
            _record: SampleRecord(
                uuid: UUID(), sampleType: HKQuantityType(.heartRate), start: 0, end: 30),
            value: 70, unit: beats,
            series: [
                .init(start: 0, end: 10, value: 60), .init(start: 10, end: 20, value: 85),
                .init(start: 20, end: 30, value: 65),
            ])
        #expect(sample.count == 3)
        #expect(sample.minimumQuantity.doubleValue(for: beats) == 60)
        #expect(sample.averageQuantity.doubleValue(for: beats) == 70)
        #expect(sample.maximumQuantity.doubleValue(for: beats) == 85)
        #expect(sample.mostRecentQuantity.doubleValue(for: beats) == 65)
        let latest = sample.mostRecentQuantityDateInterval
        #expect(latest.start.timeIntervalSinceReferenceDate == 20)
        #expect(latest.end.timeIntervalSinceReferenceDate == 30)
        let back = try archived(sample)
        #expect(back.count == 3)
        #expect(back.maximumQuantity == sample.maximumQuantity)
    }

    @Test(
        "a category sample has its raw value",
        .covers(
            "HKCategorySample", "HKCategorySample.value", "HKCategorySample.categoryType",
            "HKCategorySample.init(type:value:start:end:)",
            "HKCategorySample.init(type:value:start:end:metadata:)",
            "HKCategorySample.init(type:value:start:end:device:metadata:)"))
    func categorySample() {
        let type = HKCategoryType(.sleepAnalysis)
        let deep = HKCategoryValueSleepAnalysis.asleepDeep
        let plain = HKCategorySample(type: type, value: deep.rawValue, start: start, end: end)
        #expect(plain.value == 4)
        #expect(plain.categoryType == type)
        #expect(plain.startDate == start)
        #expect(plain.endDate == end)
        #expect(plain.metadata == nil)
        let zoned = HKCategorySample(
            type: type, value: 99, start: start, end: end,
            metadata: [HKMetadataKeyTimeZone: "Europe/Paris"])
        #expect(zoned.value == 99, "kept; save refuses it")
        #expect(zoned.metadata?[HKMetadataKeyTimeZone] as? String == "Europe/Paris")
        let measured = HKCategorySample(
            type: type, value: 1, start: start, end: end, device: .local(), metadata: nil)
        #expect(measured.device == .local())
    }

    @Test(
        "a correlation has its members",
        .covers(
            "HKCorrelation", "HKCorrelation.objects", "HKCorrelation.objects(for:)",
            "HKCorrelation.correlationType", "HKCorrelation.init(type:start:end:objects:)",
            "HKCorrelation.init(type:start:end:objects:metadata:)",
            "HKCorrelation.init(type:start:end:objects:device:metadata:)"))
    func correlation() throws {
        let type = HKCorrelationType(.bloodPressure)
        func reading(_ identifier: HKQuantityTypeIdentifier, _ value: Double) -> HKSample {
            HKQuantitySample(
                type: HKQuantityType(identifier),
                quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: value),
                start: start, end: start)
        }
        let upper = reading(.bloodPressureSystolic, 120)
        let lower = reading(.bloodPressureDiastolic, 80)
        let pressure = HKCorrelation(type: type, start: start, end: start, objects: [upper, lower])
        #expect(pressure.correlationType == type)
        #expect(pressure.startDate == start && pressure.endDate == start)
        #expect(pressure.objects == [upper, lower])
        #expect(pressure.objects(for: HKQuantityType(.bloodPressureSystolic)) == [upper])
        #expect(pressure.objects(for: HKQuantityType(.heartRate)).isEmpty)
        let noted = HKCorrelation(
            type: type, start: start, end: start, objects: [upper], metadata: ["arm": "left"])
        #expect(noted.metadata?["arm"] as? String == "left")
        let measured = HKCorrelation(
            type: type, start: start, end: start, objects: [upper], device: .local(),
            metadata: nil)
        #expect(measured.device == .local())
        for correlation in [noted, measured] {
            #expect(correlation.startDate == start && correlation.endDate == start)
        }
        #expect(try archived(pressure).objects == [upper, lower])
    }

    @Test("§9.9 objects are equal by UUID")
    func equality() throws {
        let one = HKQuantitySample(
            type: HKQuantityType(.stepCount), quantity: steps, start: start, end: end)
        let other = HKQuantitySample(
            type: HKQuantityType(.stepCount), quantity: steps, start: start, end: end)
        #expect(one != other)
        #expect(one == (try archived(one)))
        #expect(Set([one, other, try archived(one)]).count == 2)
    }

    @Test(
        "§9.5 an undetermined end is the distant future",
        .covers("HKSample.hasUndeterminedDuration"))
    func undetermined() {
        let type = HKCategoryType(.pregnancy)
        let open = HKCategorySample(type: type, value: 0, start: start, end: .distantFuture)
        #expect(open.hasUndeterminedDuration)
        let closed = HKCategorySample(type: type, value: 0, start: start, end: end)
        #expect(!closed.hasUndeterminedDuration)
    }

    @Test("unarchived samples have all values of the originals")
    func archives() throws {
        let sample = HKQuantitySample(
            type: HKQuantityType(.bodyMass),
            quantity: HKQuantity(unit: .pound(), doubleValue: 154.3), start: start, end: end,
            device: .local(),
            metadata: [
                HKMetadataKeyWasUserEntered: true, "when": start, "text": "x", "number": 1.5,
                "amount": HKQuantity(unit: .meter(), doubleValue: 2),
            ])
        let back = try archived(sample)
        #expect(back is HKDiscreteQuantitySample)
        #expect(back.uuid == sample.uuid)
        #expect(back.quantityType == sample.quantityType)
        #expect(back.quantity.doubleValue(for: .pound()) == 154.3)
        #expect(back.startDate == start)
        #expect(back.endDate == end)
        #expect(back.device == .local())
        #expect(back.metadata?[HKMetadataKeyWasUserEntered] as? Bool == true)
        #expect(back.metadata?["when"] as? Date == start)
        #expect(back.metadata?["text"] as? String == "x")
        #expect(back.metadata?["number"] as? Double == 1.5)
        #expect(
            back.metadata?["amount"] as? HKQuantity == HKQuantity(unit: .meter(), doubleValue: 2))
        let sleep = HKCategorySample(
            type: HKCategoryType(.sleepAnalysis), value: 3, start: start, end: end)
        #expect(try archived(sleep).value == 3)
    }
}
