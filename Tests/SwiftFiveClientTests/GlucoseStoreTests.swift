import Foundation
import HealthKit
import XCTest

/// A glucose store that keeps a cache up to date with HealthKit.
final class GlucoseStoreTests: XCTestCase {
    let start = Date(timeIntervalSinceReferenceDate: 796_258_800)
    var store: GlucoseStore!

    override func setUp() {
        store = GlucoseStore(healthStore: .inMemory(), start: start)
        XCTAssertTrue(store.authorizationRequired)
        let authorized = expectation(description: "authorized")
        store.authorize { result in
            XCTAssertEqual(try? result.get(), true)
            authorized.fulfill()
        }
        wait(for: [authorized], timeout: 60)
    }

    private func glucose(
        _ value: Double, _ unit: HKUnit, minute: Double, _ name: String, version: Int = 1
    ) -> NewGlucose {
        NewGlucose(
            date: start.addingTimeInterval(minute * 60),
            quantity: HKQuantity(unit: unit, doubleValue: value), isDisplayOnly: minute == 0,
            wasUserEntered: false, syncIdentifier: name, syncVersion: version)
    }

    private func add(_ values: [NewGlucose]) {
        let added = expectation(description: "added")
        store.add(values) { result in
            if case .failure(let error) = result { XCTFail("\(error)") }
            added.fulfill()
        }
        wait(for: [added], timeout: 60)
    }

    /// Performs an action and waits until the cache has these values.
    private func expect(_ milligrams: [Double], after action: () -> Void) {
        let changed = expectation(description: "changed")
        changed.assertForOverFulfill = false
        store.onChange = { [unowned store] in
            guard let store else { return }
            DispatchQueue.global().async {
                let values = store.samples.map {
                    $0.quantity.doubleValue(for: .milligramsPerDeciliter).rounded()
                }
                if values == milligrams { changed.fulfill() }
            }
        }
        action()
        wait(for: [changed], timeout: 60)
        store.onChange = nil
    }

    func testTheCacheFollowsVersionsAndDeletions() {
        XCTAssertFalse(store.authorizationRequired)
        store.createQuery()
        expect([100, 126]) {
            add([
                glucose(100, .milligramsPerDeciliter, minute: 0, "a"),
                glucose(7, .millimolesPerLiter, minute: 5, "b"),
            ])
        }
        XCTAssertEqual(store.samples.map(\.isDisplayOnly), [true, false])
        XCTAssertEqual(
            store.range()?.upperBound, HKQuantity(unit: .millimolesPerLiter, doubleValue: 7))
        expect([105, 126]) {
            add([glucose(105, .milligramsPerDeciliter, minute: 0, "a", version: 2)])
        }
        expect([126]) {
            store.purge(before: start.addingTimeInterval(60)) { XCTAssertEqual($0, 1) }
        }
    }

    func testUnitsMatchTheirNames() {
        XCTAssertEqual(HKUnit(from: "mg/dL"), .milligramsPerDeciliter)
        XCTAssertEqual(HKUnit.millimolesPerLiter.unitString, "mmol<180.1558800000541>/L")
        XCTAssertEqual(HKUnit(from: "mg/dL").localizedShortUnitString, "mg/dL")
        XCTAssertEqual(HKUnit.millimolesPerLiter.maxFractionDigits, 1)
        XCTAssertEqual(HKUnit.gramsPerUnit.unitString, "g/IU")
        XCTAssertEqual(HKUnit.internationalUnitsPerHour.unitString, "IU/hr")
    }
}
