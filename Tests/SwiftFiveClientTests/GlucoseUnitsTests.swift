import Foundation
import HealthKit
import XCTest

final class GlucoseUnitsTests: XCTestCase {
    private func units(in region: String) throws -> GlucoseUnits {
        var configuration = HealthStoreConfiguration()
        configuration.region = Locale.Region(region)
        let store = HKHealthStore.inMemory(configuration: configuration)
        let requested = expectation(description: "asked")
        store.requestAuthorization(toShare: nil, read: [HKQuantityType(.bloodGlucose)]) { _, _ in
            requested.fulfill()
        }
        wait(for: [requested], timeout: 60)
        let suite = "glucose-\(UUID().uuidString)"
        addTeardownBlock { UserDefaults().removePersistentDomain(forName: suite) }
        let units = GlucoseUnits(
            store: store, defaults: try XCTUnwrap(UserDefaults(suiteName: suite)))
        let refreshed = expectation(description: "refreshed")
        units.refresh {
            XCTAssertTrue($0)
            refreshed.fulfill()
        }
        wait(for: [refreshed], timeout: 60)
        return units
    }

    /// A composed unit, a preferred one and one parsed from a string are equal.
    func testComposedUnitEqualsPreferredUnit() throws {
        let british = try units(in: "GB")
        XCTAssertEqual(british.unit, .millimolesPerLiter)
        XCTAssertEqual(british.unit.hash, HKUnit.millimolesPerLiter.hash)
        XCTAssertEqual(
            british.text(HKQuantity(unit: .milligramsPerDeciliter, doubleValue: 100)), "5.6 mmol/L")
        let american = try units(in: "US")
        XCTAssertEqual(american.unit, .milligramsPerDeciliter)
        XCTAssertEqual(
            american.text(HKQuantity(unit: .millimolesPerLiter, doubleValue: 5.5)), "99 mg/dL")
    }

    func testUnitStringEqualsThatOfExports() {
        XCTAssertEqual(HKUnit.millimolesPerLiter.unitString, "mmol<180.1558800000541>/L")
        XCTAssertEqual(
            HKUnit(from: HKUnit.millimolesPerLiter.unitString), .millimolesPerLiter)
    }
}
