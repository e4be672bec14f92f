import Foundation
import HealthKit
import XCTest

/// A cross-platform plugin's bridge with actual values.
final class PluginBridgeTests: XCTestCase {
    let bridge = HealthBridge(store: .inMemory())

    private func awaitResult<Value>(
        _ call: (@escaping (Result<Value, Error>) -> Void) throws -> Void
    ) throws -> Value {
        let completed = expectation(description: "completed")
        var result: Result<Value, Error>?
        try call {
            result = $0
            completed.fulfill()
        }
        wait(for: [completed], timeout: 60)
        return try XCTUnwrap(result).get()
    }

    private func authorize(_ names: [String]) throws -> [String: Any] {
        try awaitResult { bridge.requestAuthorization(read: names, write: names, completion: $0) }
    }

    private func save(
        _ name: String, _ value: Double = 0, _ unit: String? = nil, hours: ClosedRange<Int>,
        systolic: Double? = nil, diastolic: Double? = nil
    ) throws {
        let (start, end) = (hours.lowerBound, hours.upperBound)
        let _: Void = try awaitResult {
            try bridge.saveSample(
                name, value: value, unit: unit, start: "2026-03-27T0\(start):00:00.000Z",
                end: "2026-03-27T0\(end):00:00Z", metadata: ["note": "x"], systolic: systolic,
                diastolic: diastolic, completion: $0)
        }
    }

    private func read(_ name: String) throws -> [[String: Any]] {
        try awaitResult {
            try bridge.readSamples(
                identifier: name, start: "2026-03-27T00:00:00Z", end: "2026-03-28T00:00:00Z",
                limit: 10, ascending: true, completion: $0)
        }
    }

    func testReportsRequestedTypes() throws {
        let names = ["steps", "bloodPressure", "vo2Max"]
        let granted = try authorize(names)
        XCTAssertEqual(granted["writeAuthorized"] as? [String], names)
        XCTAssertEqual(granted["readAuthorized"] as? [String], names.sorted())
        XCTAssertThrowsError(try read("heartRate")) {
            XCTAssertEqual(($0 as? HKError)?.code, .errorAuthorizationNotDetermined)
        }
    }

    func testWritesByNameAndReadsDictionaries() throws {
        _ = try authorize(["steps", "bloodPressure", "sleep", "bloodGlucose", "vo2Max"])
        try save("steps", 12, "count", hours: 8...9)
        try save("bloodPressure", hours: 8...8, systolic: 130, diastolic: 85)
        try save("sleep", hours: 1...2)
        try save("bloodGlucose", 5.5, "mmol<180.1558800000541>/L", hours: 1...1)
        try save("vo2Max", 44, "ml/(kg*min)", hours: 1...1)

        let steps = try XCTUnwrap(read("steps").first)
        XCTAssertEqual(steps["value"] as? Double, 12)
        XCTAssertEqual(steps["startDate"] as? String, "2026-03-27T08:00:00.000Z")
        XCTAssertEqual(steps["unit"] as? String, "count")
        let pressure = try XCTUnwrap(read("bloodPressure").first)
        XCTAssertEqual(pressure["systolic"] as? Double, 130)
        XCTAssertEqual(pressure["diastolic"] as? Double, 85)
        let sleep = try XCTUnwrap(read("sleep").first)
        XCTAssertEqual(sleep["sleepState"] as? String, "asleep")
        XCTAssertEqual(sleep["value"] as? Double, 60)
        let glucose = try XCTUnwrap(read("bloodGlucose").first)
        XCTAssertEqual(try XCTUnwrap(glucose["value"] as? Double), 99.0857, accuracy: 0.0001)
        let fitness = try XCTUnwrap(read("vo2Max").first)
        XCTAssertEqual(fitness["value"] as? Double, 44)
        XCTAssertEqual(fitness["unit"] as? String, "mL/min·kg")
        XCTAssertTrue(JSONSerialization.isValidJSONObject([steps, pressure, sleep]))
    }

    func testBucketsContainOnlyCountedValues() throws {
        _ = try authorize(["steps", "heartRate"])
        try save("steps", 12, hours: 8...9)
        let start = try XCTUnwrap(bridge.isoFormatter.date(from: "2026-03-27T00:00:00.000Z"))
        let end = start.addingTimeInterval(86_400)
        let buckets = try awaitResult {
            try bridge.queryAggregated(
                "steps", start: start, end: end, bucket: "hour", aggregation: "sum",
                completion: $0)
        }
        XCTAssertEqual(buckets.compactMap { $0["value"] as? Double }, [12])
        XCTAssertThrowsError(
            try awaitResult {
                try bridge.queryAggregated(
                    "heartRate", start: start, end: end, bucket: "day", aggregation: "sum",
                    completion: $0)
            })
    }
}
