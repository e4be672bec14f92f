import Foundation
import HealthKit
import XCTest

/// The timer of ClientTests, unchanged, in Swift 5 mode and without sensors.
final class IntervalTimerTests: XCTestCase {
    private let clock = ManualClock(Date(timeIntervalSinceReferenceDate: 796_258_800))

    private func value<Value>(_ call: (@escaping (Value) -> Void) -> Void) -> Value? {
        let completed = expectation(description: "completed")
        var result: Value?
        call {
            result = $0
            completed.fulfill()
        }
        wait(for: [completed], timeout: 60)
        return result
    }

    func testSegmentsAndPausesAreInTheWorkout() throws {
        let store = HKHealthStore.inMemory(configuration: HealthStoreConfiguration(clock: clock))
        let types: Set<HKSampleType> = [.workoutType()]
        _ = value { done in
            store.requestAuthorization(toShare: types, read: types) { success, _ in done(success) }
        }
        let timer = IntervalTimer(healthStore: store)
        XCTAssertEqual(value { done in timer.start(at: clock.now) { done($0) } }, true)
        timer.beginWork(at: clock.now)
        clock.advance(by: 40)
        XCTAssertEqual(value { done in timer.endWork(at: clock.now) { done($0) } }, true)
        timer.pause()
        clock.advance(by: 15)
        timer.resume()
        clock.advance(by: 5)
        XCTAssertEqual(timer.elapsed, 45)
        let finished: HKWorkout?? = value { done in
            timer.finish(at: clock.now) { workout, _ in done(workout) }
        }
        let workout = try XCTUnwrap(finished ?? nil)
        XCTAssertEqual(workout.duration, 45)
        XCTAssertEqual(workout.workoutEvents?.map(\.type), [.segment, .pause, .resume])
    }
}
