import Foundation
import HealthKit
import XCTest

final class StoreMockTests: XCTestCase {
    private func firstStep(_ store: HealthStoreProtocol) -> Onboarding.Step? {
        var result: Onboarding.Step?
        let completed = expectation(description: "completed")
        Onboarding(store: store).begin {
            result = $0
            completed.fulfill()
        }
        wait(for: [completed], timeout: 60)
        return result
    }

    func testMockWithOwnStateReplacesTheStore() {
        let mock = StoreMock()
        XCTAssertEqual(firstStep(mock), .ready(birthYear: 1980))
        let weight = HKQuantitySample(
            type: HKQuantityType(.bodyMass), quantity: HKQuantity(unit: .pound(), doubleValue: 150),
            start: Date(), end: Date())
        mock.save(weight) { success, _ in XCTAssertTrue(success) }
        XCTAssertEqual(mock.saved, [weight])
        let query = HKSampleQuery(
            sampleType: weight.sampleType, predicate: nil, limit: 1, sortDescriptors: nil
        ) { _, _, _ in }
        mock.execute(query)
        XCTAssertEqual(mock.running, [query])
        mock.stop(query)
        XCTAssertEqual(mock.running, [])
        XCTAssertEqual(mock.authorizationStatus(for: weight.sampleType), .sharingAuthorized)
        XCTAssertTrue(SilentStore().isInactive)
    }

    func testErrorsDifferByCodeAndDomain() {
        XCTAssertEqual(
            firstStep(StoreMock(authorizationError: HKError(.errorAuthorizationDenied))), .denied)
        let locked = HKError(
            .errorDatabaseInaccessible, userInfo: [NSLocalizedDescriptionKey: "Locked"])
        XCTAssertEqual(firstStep(StoreMock(authorizationError: locked)), .failed("6: Locked"))
        let handMade = NSError(domain: HKErrorDomain, code: HKError.errorNoData.rawValue)
        XCTAssertEqual((handMade as Error as? HKError)?.code, .errorNoData)
        XCTAssertNil(NSError(domain: NSCocoaErrorDomain, code: 4) as Error as? HKError)
        let denied = NSError(domain: HKErrorDomain, code: 4)
        XCTAssertEqual(firstStep(StoreMock(authorizationError: denied)), .denied)
    }

    /// Access to the date of birth wasn't requested.
    func testHealthStoreWorksThroughTheProtocol() {
        XCTAssertEqual(firstStep(HKHealthStore.inMemory()), .ready(birthYear: -1))
    }
}
