import Foundation
import HealthTesting
import Testing

@testable import OpenHealthKit

/// A delegate that records the events of a session and its live builder.
// Unchecked: the lists are accessed only while the lock is held.
final class SessionListener: NSObject, @unchecked Sendable {
    private let lock = NSLock()
    private var recorded: [String] = []
    private var dataBatches: [[Data]] = []
    private var failures: [HKError.Code] = []

    var lines: [String] { lock.withLock { recorded } }
    var batches: [[Data]] { lock.withLock { dataBatches } }
    var errors: [HKError.Code] { lock.withLock { failures } }
    func record(_ line: String) { lock.withLock { recorded.append(line) } }

    /// Waits until `count` lines have been recorded, for about a minute at most.
    func wait(for count: Int) async throws {
        for _ in 0..<6000 where lines.count < count { try await Task.sleep(for: .milliseconds(10)) }
    }

    fileprivate func fail(_ error: any Error) {
        let code = (error as? HKError)?.code
        lock.withLock { if let code { failures.append(code) } }
        record("failed")
    }
}

extension SessionListener: HKWorkoutSessionDelegate {
    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) { record("\(fromState) → \(toState) at \(Int(date.timeIntervalSinceReferenceDate))") }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
        fail(error)
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent) {
        record("\(event.type)")
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession,
        didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
    ) { record("begin \(workoutConfiguration.activityType)") }

    func workoutSession(
        _ workoutSession: HKWorkoutSession,
        didEndActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
    ) { record("end \(workoutConfiguration.activityType)") }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data]
    ) {
        lock.withLock { dataBatches.append(data) }
        for data in data { record("data \(String(decoding: data, as: UTF8.self))") }
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession,
        didDisconnectFromRemoteDeviceWithError error: (any Error)?
    ) { record(error == nil ? "stopped" : "disconnected") }
}

extension SessionListener: HKLiveWorkoutBuilderDelegate {
    func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
    ) {
        let names = collectedTypes.map { $0.identifier.dropFirst(24) }.sorted()
        record("collected \(names.joined(separator: ","))")
    }

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) { record("event") }

    func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity
    ) { record("built \(workoutActivity.workoutConfiguration.activityType)") }

    func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didEnd workoutActivity: HKWorkoutActivity
    ) { record("built for \(Int(workoutActivity.duration)) s") }
}

/// A session that pauses another one when it has to end.
// Its added property is protected by a lock.
private final class PausingSession: HKWorkoutSession, @unchecked Sendable {
    let pausedSession = Locked<HKWorkoutSession?>(nil)

    override func end() {
        super.end()
        pausedSession { $0 }?.pause()
    }
}

@Suite("Workout sessions")
struct WorkoutSessionTests {
    let clock = ManualClock(Date(timeIntervalSinceReferenceDate: 1_000))
    let store: HKHealthStore
    let listener = SessionListener()

    init() {
        store = HKHealthStore.inMemory(
            identity: AppIdentity("com.example.walks"),
            configuration: HealthStoreConfiguration(clock: clock))
    }

    private func session() throws -> HKWorkoutSession {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
        session.delegate = listener
        return session
    }

    @Test(
        "the delegate is notified of each state of a session, with its date",
        .covers(
            "HKWorkoutSession", "HKWorkoutSession.init(healthStore:configuration:)",
            "HKWorkoutSession.startActivity(with:)", "HKWorkoutSessionState.running",
            "HKWorkoutSessionState.ended", "HKWorkoutSessionState.paused",
            "HKWorkoutSessionState.prepared", "HKWorkoutSessionState.stopped",
            "HKWorkoutSessionState.notStarted", "HKWorkoutSessionDelegate",
            "HKWorkoutSession.stopActivity(with:)", "HKWorkoutSession.delegate",
            "HKWorkoutSession.state", "HKWorkoutSession.prepare()", "HKWorkoutSession.pause()",
            "HKWorkoutSession.resume()", "HKWorkoutSession.end()", "HKWorkoutSession.startDate",
            "HKWorkoutSession.endDate", "HKWorkoutSession.workoutConfiguration",
            "HKWorkoutSessionDelegate.workoutSession(_:didChangeTo:from:date:)",
            "HKWorkoutSessionDelegate.workoutSession(_:didGenerate:)"))
    func allStates() async throws {
        let session = try session()
        #expect(session.state == .notStarted)
        #expect(session.workoutConfiguration.activityType == .running)
        #expect(session.startDate == nil && session.endDate == nil)
        session.prepare()
        #expect(session.state == .prepared)
        session.startActivity(with: Date(timeIntervalSinceReferenceDate: 1_005))
        #expect(session.state == .running)
        clock.advance(by: 60)
        session.pause()
        #expect(session.state == .paused)
        clock.advance(by: 30)
        session.resume()
        session.stopActivity(with: nil)
        #expect(session.state == .stopped)
        session.end()
        #expect(session.state == .ended)
        #expect(session.startDate == Date(timeIntervalSinceReferenceDate: 1_005))
        #expect(session.endDate == Date(timeIntervalSinceReferenceDate: 1_090))
        try await listener.wait(for: 8)
        #expect(
            listener.lines == [
                "notStarted → prepared at 1000", "prepared → running at 1005",
                "running → paused at 1060", "pause", "paused → running at 1090", "resume",
                "running → stopped at 1090", "stopped → ended at 1090",
            ])
    }

    @Test(
        "a session stops on the date that is given",
        .covers("HKWorkoutSession.stopActivity(with:)"))
    func stopDate() async throws {
        let session = try session()
        session.startActivity(with: Date(timeIntervalSinceReferenceDate: 1_005))
        clock.advance(by: 60)
        session.stopActivity(with: Date(timeIntervalSinceReferenceDate: 1_040))
        #expect(session.state == .stopped)
        session.end()
        try await listener.wait(for: 3)
        #expect(listener.lines[1] == "running → stopped at 1040")
        #expect(session.endDate == Date(timeIntervalSinceReferenceDate: 1_040))
    }

    @Test(
        "a disallowed transition is reported to the delegate as an error and changes nothing",
        .covers("HKWorkoutSessionDelegate.workoutSession(_:didFailWithError:)"))
    func illegal() async throws {
        let session = try session()
        session.pause()
        session.resume()
        session.stopActivity(with: nil)
        session.endCurrentActivity(on: clock.now)
        #expect(session.state == .notStarted)
        session.startActivity(with: nil)
        session.startActivity(with: nil)
        session.prepare()
        session.resume()
        #expect(session.state == .running)
        session.end()
        session.end()
        session.startActivity(with: nil)
        #expect(session.state == .ended)
        try await listener.wait(for: 11)
        #expect(listener.errors == Array(repeating: .errorInvalidArgument, count: 9))
        #expect(listener.lines.count == 11)
    }

    @Test("starting another session on the same store ends the active one")
    func another() async throws {
        let first = try session()
        first.startActivity(with: nil)
        let second = try HKWorkoutSession(
            healthStore: store, configuration: HKWorkoutConfiguration())
        second.startActivity(with: nil)
        #expect(first.state == .ended)
        #expect(second.state == .running)
        try await listener.wait(for: 3)
        #expect(listener.errors == [.errorAnotherWorkoutSessionStarted])
        let otherStoreSession = try HKWorkoutSession(
            healthStore: HKHealthStore.inMemory(configuration: .withoutSummary),
            configuration: HKWorkoutConfiguration())
        otherStoreSession.startActivity(with: nil)
        #expect(second.state == .running)
        second.end()
        otherStoreSession.end()
    }

    @Test(
        "a stop or an activity before the start is an error; a stop without a date is not earlier")
    func dates() async throws {
        let session = try session()
        session.startActivity(with: at(60))
        session.stopActivity(with: at(30))
        session.beginNewActivity(
            configuration: HKWorkoutConfiguration(), date: at(30), metadata: nil)
        session.beginNewActivity(
            configuration: HKWorkoutConfiguration(), date: at(90), metadata: nil)
        session.endCurrentActivity(on: at(80))
        #expect(session.currentActivity.startDate == at(90))
        #expect(session.state == .running)
        session.stopActivity(with: nil)
        #expect(session.endDate == at(90))
        session.end()
        try await listener.wait(for: 8)
        #expect(listener.errors == Array(repeating: .errorInvalidArgument, count: 3))
    }

    @Test("a session that ends before a start in the future has no duration")
    func endedBeforeStart() throws {
        let session = try session()
        session.startActivity(with: at(60))
        session.end()
        #expect(session.startDate == at(60) && session.endDate == at(60))
    }

    @Test("events that a device detects reach the delegate and don't change the state")
    func detectedEvents() async throws {
        let session = try session()
        session.generate(HKWorkoutEvent(type: .motionPaused, date: clock.now))
        session.startActivity(with: nil)
        session.generate(HKWorkoutEvent(type: .motionPaused, date: clock.now))
        session.generate(HKWorkoutEvent(type: .pauseOrResumeRequest, date: clock.now))
        #expect(session.state == .running)
        session.end()
        try await listener.wait(for: 5)
        #expect(
            listener.lines == [
                "failed", "notStarted → running at 1000", "motionPaused", "pauseOrResumeRequest",
                "running → ended at 1000",
            ])
    }

    private func at(_ seconds: TimeInterval) -> Date {
        Date(timeIntervalSinceReferenceDate: 1_000 + seconds)
    }

    @Test(
        "the delegate is notified of each activity; a new activity ends the previous one",
        .covers(
            "HKWorkoutSession.beginNewActivity(configuration:date:metadata:)",
            "HKWorkoutSession.currentActivity",
            "HKWorkoutSessionDelegate.workoutSession(_:didBeginActivityWith:date:)",
            "HKWorkoutSessionDelegate.workoutSession(_:didEndActivityWith:date:)"))
    func activities() async throws {
        let session = try session()
        session.startActivity(with: nil)
        #expect(session.currentActivity.workoutConfiguration.activityType == .running)
        for activity in [HKWorkoutActivityType.swimming, .cycling] {
            let configuration = HKWorkoutConfiguration()
            configuration.activityType = activity
            session.beginNewActivity(configuration: configuration, date: clock.now, metadata: nil)
            #expect(session.currentActivity.workoutConfiguration.activityType == activity)
        }
        session.end()
        try await listener.wait(for: 6)
        #expect(
            listener.lines.dropFirst() == [
                "begin swimming", "end swimming", "begin cycling", "end cycling",
                "running → ended at 1000",
            ])
    }

    @Test("the delegate is notified of states in order, also if a callback changes the state")
    func order() async throws {
        let first = try PausingSession(
            healthStore: store, configuration: HKWorkoutConfiguration())
        let second = try session()
        first.pausedSession { $0 = second }
        first.startActivity(with: nil)
        second.startActivity(with: nil)
        #expect(second.state == .paused)
        try await listener.wait(for: 2)
        #expect(
            listener.lines.prefix(2) == [
                "notStarted → running at 1000", "running → paused at 1000",
            ])
        first.pausedSession { $0 = nil }
        second.end()
    }

    @Test("a session that another thread ends during its start is not active afterwards")
    func endedAtOnce() async throws {
        let session = try session()
        session.end()
        ActiveSessions.add(session)
        #expect(try await store.recoverActiveWorkoutSession() == nil)
    }

    @Test("a configuration with an invalid lap length creates no session")
    func lapLength() {
        let configuration = HKWorkoutConfiguration()
        configuration.lapLength = HKQuantity(unit: .count(), doubleValue: 1)
        #expect {
            _ = try HKWorkoutSession(healthStore: store, configuration: configuration)
        } throws: { isInvalidArgument($0) }
    }
}
