import Foundation
import HealthKit
import XCTest

/// Older code with actual values, tested with XCTest.
final class HealthKitServiceTests: XCTestCase {
    var store: HKHealthStore!
    var service: HealthKitService!
    let start = Date(timeIntervalSinceReferenceDate: 796_258_800)

    override func setUp() {
        store = HKHealthStore.inMemory()
        service = HealthKitService(healthStore: store)
        let authorized = expectation(description: "authorized")
        service.authorize { success in
            XCTAssertTrue(success)
            authorized.fulfill()
        }
        wait(for: [authorized], timeout: 60)
    }

    private func save(_ samples: [HKObject], as name: String) {
        let saved = expectation(description: "saved")
        let handle = store.withIdentity(AppIdentity("com.example.\(name)", name: name))
        let types = Set(samples.compactMap { ($0 as? HKSample)?.sampleType })
        handle.requestAuthorization(toShare: types, read: nil) { _, _ in
            handle.save(samples) { success, error in
                XCTAssertTrue(success, "\(String(describing: error))")
                saved.fulfill()
            }
        }
        wait(for: [saved], timeout: 60)
    }

    private func steps(_ count: Double, minute: Double, for minutes: Double) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(.stepCount),
            quantity: HKQuantity(unit: .count(), doubleValue: count),
            start: start.addingTimeInterval(minute * 60),
            end: start.addingTimeInterval((minute + minutes) * 60))
    }

    func testCombinesSeveralResultsInOneDictionary() {
        save([steps(100, minute: 0, for: 10)], as: "band")
        let weighed = expectation(description: "weighed")
        service.saveWeight(71, date: start.addingTimeInterval(60)) { success in
            XCTAssertTrue(success)
            weighed.fulfill()
        }
        wait(for: [weighed], timeout: 60)
        var summary: [String: Double] = [:]
        let done = expectation(description: "done")
        service.summary(from: start, to: start.addingTimeInterval(3600)) { values in
            summary = values
            done.fulfill()
        }
        wait(for: [done], timeout: 60)
        XCTAssertEqual(summary[HKQuantityTypeIdentifier.stepCount.rawValue], 100)
        XCTAssertEqual(summary[HKQuantityTypeIdentifier.bodyMass.rawValue], 71)
        XCTAssertNil(service.lastError)
    }

    func testSumsANight() {
        let type = HKCategoryType(.sleepAnalysis)
        func sample(_ value: HKCategoryValueSleepAnalysis, _ from: Double, _ to: Double) -> HKObject
        {
            HKCategorySample(
                type: type, value: value.rawValue, start: start.addingTimeInterval(from * 60),
                end: start.addingTimeInterval(to * 60))
        }
        save(
            [sample(.inBed, 0, 480), sample(.asleepCore, 20, 460), sample(.awake, 0, 20)], as: "bed"
        )
        let done = expectation(description: "done")
        service.sleep(from: start, to: start.addingTimeInterval(86_400)) { inBed, asleep in
            XCTAssertEqual(inBed, 480)
            XCTAssertEqual(asleep, 440)
            done.fulfill()
        }
        wait(for: [done], timeout: 60)
    }

    func testFollowsChangesTypeByType() {
        let type = HKQuantityType(.stepCount)
        let sample = steps(50, minute: 0, for: 5)
        save([sample], as: "band")
        let first = expectation(description: "first")
        service.changes(of: type) { samples, deleted in
            XCTAssertEqual(samples.map(\.uuid), [sample.uuid])
            XCTAssertTrue(deleted.isEmpty)
            first.fulfill()
        }
        wait(for: [first], timeout: 60)
        let deletionCompleted = expectation(description: "deletion completed")
        store.withIdentity(AppIdentity("com.example.band", name: "band")).delete(sample) {
            success, _ in
            XCTAssertTrue(success)
            deletionCompleted.fulfill()
        }
        wait(for: [deletionCompleted], timeout: 60)
        let second = expectation(description: "second")
        service.changes(of: type) { samples, deleted in
            XCTAssertTrue(samples.isEmpty)
            XCTAssertEqual(deleted.map(\.uuid), [sample.uuid])
            second.fulfill()
        }
        wait(for: [second], timeout: 60)
    }

    func testObserverIsCalledOnceAndForEachSave() {
        let type = HKQuantityType(.bodyMass)
        let woken = expectation(description: "woken")
        woken.expectedFulfillmentCount = 2
        service.observe(type) { woken.fulfill() }
        // The first call comes without a change; save after it.
        Thread.sleep(forTimeInterval: 0.2)
        service.saveWeight(70, date: start) { XCTAssertTrue($0) }
        wait(for: [woken], timeout: 60)
    }
}
