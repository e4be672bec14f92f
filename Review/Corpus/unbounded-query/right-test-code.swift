// Test code isn't reviewed: what is wrong in an app may be right in its tests.
import HealthKit
import XCTest

final class QueryTests: XCTestCase {
    let store = FakeStore()

    func testEverySampleIsRead() {
        let done = expectation(description: "read")
        let query = HKSampleQuery(
            sampleType: HKObjectType.quantityType(forIdentifier: .heartRate)!, predicate: nil,
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            XCTAssertEqual(samples?.count, 3)
            done.fulfill()
        }
        store.execute(query)
        wait(for: [done], timeout: 1)
    }

    override func tearDown() {
        store.deleteObjects(
            of: HKQuantityType(.heartRate),
            predicate: HKQuery.predicateForObjects(from: .default())
        ) { _, _, _ in }
    }
}
