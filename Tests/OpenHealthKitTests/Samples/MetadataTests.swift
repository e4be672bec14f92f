import Foundation
import HealthEngine
import HealthTesting
import Testing

@testable import OpenHealthKit

@Suite("Metadata")
struct MetadataTests {
    private func read(_ value: Any, for key: String = "key") -> Any? {
        HKCategorySample(
            type: HKCategoryType(.acne), value: 0, start: .distantPast, end: .distantPast,
            metadata: [key: value]
        ).metadata?[key]
    }

    @Test(
        "§9.9 metadata numbers are returned as Bool, Int or Double",
        .covers("HKObject.metadata"))
    func numbers() {
        let ones: [Any] = [true, 1, 1.0, Float(1), UInt8(1), NSNumber(value: 1)]
        for one in ones {
            for key in ["key", HKMetadataKeyWasUserEntered] {
                #expect(read(one, for: key) as? Bool == true)
                #expect(read(one, for: key) as? Int == 1)
                #expect(read(one, for: key) as? Double == 1)
                #expect((read(one, for: key) as? NSNumber)?.boolValue == true)
            }
        }
        #expect(read(false) as? Bool == false)
        #expect(read(0.5) as? Double == 0.5)
        #expect(read(Int64(1) << 52) as? Int64 == Int64(1) << 52)
    }

    @Test("§9.9 text, dates and quantities are returned unchanged")
    func others() {
        let date = Date(timeIntervalSinceReferenceDate: 12.5)
        let quantity = HKQuantity(unit: .degreeCelsius(), doubleValue: 21)
        #expect(read("text") as? String == "text")
        #expect(read(NSString("text")) as? String == "text")
        #expect(read(date) as? Date == date)
        #expect(read(quantity) as? HKQuantity == quantity)
    }

    @Test("§9.5 unsupported metadata values are kept by the object and rejected by save")
    func unsupportedValues() {
        let sample = HKCategorySample(
            type: HKCategoryType(.acne), value: 0, start: .distantPast, end: .distantPast,
            metadata: ["list": [1, 2], "text": "x"])
        #expect(sample.metadata?["list"] as? [Int] == [1, 2])
        #expect(sample.metadata?["text"] as? String == "x")
        #expect(sample.sampleMetadata?.unsupportedKeys == ["list"])
        #expect(sample.sampleMetadata?.stored == ["text": .string("x")])
    }

    @Test("stored metadata is returned in the class that the key requires")
    func stored() {
        let metadata = SampleMetadata([
            HKMetadataKeyWasUserEntered: .number(1), HKMetadataKeySyncVersion: .number(3),
            HKMetadataKeyWeatherTemperature: .quantity(68, unit: "degF"),
            "strange": .quantity(1, unit: "furlong"),
        ])
        let values = metadata.values
        #expect(values[HKMetadataKeyWasUserEntered] as? Bool == true)
        #expect("\(values[HKMetadataKeySyncVersion] ?? "")" == "3")
        let temperature = values[HKMetadataKeyWeatherTemperature] as? HKQuantity
        #expect(temperature?.doubleValue(for: .degreeFahrenheit()) == 68)
        #expect(values["strange"] as? String == "1.0 furlong")
    }
}
