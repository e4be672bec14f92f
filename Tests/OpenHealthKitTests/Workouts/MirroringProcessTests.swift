import Foundation
import HealthStorage
import HealthTesting
import Testing

@testable import OpenHealthKit

/// A device that runs as a process of its own.
private enum DeviceProcess {
    /// The environment variable with the path of the store. It is set only in that process.
    static let pathVariable = "OPENHEALTH_DEVICE_STORE"
    /// The environment variable with the kind of device.
    static let kindVariable = "OPENHEALTH_DEVICE"
    static let kind = ProcessInfo.processInfo.environment[kindVariable]

    static func store(_ identity: AppIdentity) throws -> HKHealthStore {
        let path = try #require(ProcessInfo.processInfo.environment[pathVariable])
        return try HKHealthStore(path: path, identity: identity, configuration: .withoutSummary)
    }
}

/// A phone's delegate, which answers data and carries out its commands on the mirrored session.
private final class PhoneApp: NSObject, HKWorkoutSessionDelegate, Sendable {
    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) { answer("phone saw \(toState)", workoutSession) }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {}

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data]
    ) {
        for data in data {
            let command = String(decoding: data, as: UTF8.self)
            if command == "pause" {
                workoutSession.pause()
            } else {
                answer("phone got \(command)", workoutSession)
            }
        }
    }

    private func answer(_ text: String, _ session: HKWorkoutSession) {
        session.sendToRemoteWorkoutSession(data: Data(text.utf8)) { _, _ in }
    }
}

/// The devices' work. The tests start themselves with only this suite.
@Suite("A device as a process", .enabled(if: DeviceProcess.kind != nil))
struct DeviceProcessTests {
    static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    @Test("shows mirrored sessions, or records a workout")
    func run() async throws {
        if DeviceProcess.kind == "phone" {
            let store = try DeviceProcess.store(MirroringWorld.app)
            let app = PhoneApp()
            store.workoutSessionMirroringStartHandler = { session in session.delegate = app }
            try await Task.sleep(for: .seconds(120))
            withExtendedLifetime((store, app)) {}
        } else {
            try await record()
        }
    }

    /// Records a workout until the process is killed.
    private func record() async throws {
        let store = try DeviceProcess.store(MirroringWorld.watchApp)
        let types: Set<HKSampleType> = [.workoutType(), HKQuantityType(.activeEnergyBurned)]
        try await store.requestAuthorization(toShare: types, read: types)
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .swimBikeRun
        let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
        let builder = session.associatedWorkoutBuilder()
        builder.dataSource = HKLiveWorkoutDataSource(
            healthStore: store, workoutConfiguration: configuration)
        session.startActivity(with: Self.start)
        try await builder.beginCollection(at: Self.start)
        try await builder.addMetadata(["note": "kept"])
        try await builder.addWorkoutEvents([
            HKWorkoutEvent(type: .lap, date: Self.start.addingTimeInterval(10))
        ])
        session.beginNewActivity(configuration: configuration, date: Self.start, metadata: nil)
        try await builder.addSamples([Self.energy(5, at: 0), Self.energy(6, at: 10)])
        try await session.startMirroringToCompanionDevice()
        try await session.sendToRemoteWorkoutSession(data: Data("ready".utf8))
        try await Task.sleep(for: .seconds(120))
        withExtendedLifetime(session) {}
    }

    static func energy(_ kilocalories: Double, at seconds: TimeInterval) -> HKQuantitySample {
        let start = start.addingTimeInterval(seconds)
        return HKQuantitySample(
            type: HKQuantityType(.activeEnergyBurned),
            quantity: HKQuantity(unit: .kilocalorie(), doubleValue: kilocalories), start: start,
            end: start.addingTimeInterval(10))
    }
}

@Suite("Workout sessions of two processes", .serialized, .inTestAll)
struct MirroringProcessTests {
    private static func process(_ kind: String, _ path: String) throws -> Process {
        let process = Process()
        let (program, arguments) = try ProgramRun.ofTests(only: "DeviceProcessTests")
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment[DeviceProcess.pathVariable] = path
        environment[DeviceProcess.kindVariable] = kind
        process.environment = environment
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private static func kill(_ process: Process) {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    @Test("a phone's process mirrors the session; its death is reported, and the next one goes on")
    func phoneDies() async throws {
        let folder = try StoreFolder()
        let path = folder.path + "/health.sqlite"
        let world = try MirroringWorld(at: path)
        let listener = world.watchListener
        world.session.startActivity(with: nil)
        try await world.session.startMirroringToCompanionDevice()
        let phone = try Self.process("phone", path)
        defer { Self.kill(phone) }
        try await send("hello", until: "data phone got hello", world)
        try await send("pause", until: "data phone saw paused", world)
        #expect(world.session.state == .paused)
        Self.kill(phone)
        try await wait(for: "disconnected", listener)
        #expect(world.session.state == .paused)

        let next = try Self.process("phone", path)
        defer { Self.kill(next) }
        try await send("again", until: "data phone got again", world)
        world.session.resume()
        try await wait(for: "data phone saw running", listener)
        world.session.end()
        #expect(listener.lines.filter { $0 == "disconnected" }.count == 1)
    }

    @Test(
        "a watch's death is reported to the phone, and its next process recovers the workout",
        .covers(
            "HKHealthStore.recoverActiveWorkoutSession()",
            "HKWorkoutSessionDelegate.workoutSession(_:didDisconnectFromRemoteDeviceWithError:)"))
    func watchDies() async throws {
        let folder = try StoreFolder()
        let path = folder.path + "/health.sqlite"
        let world = try MirroringWorld(at: path)
        world.listen()
        let process = try Self.process("watch", path)
        defer { Self.kill(process) }
        let mirror = try await world.mirrors.next(within: 60)
        #expect(mirror.currentActivity.workoutConfiguration.activityType == .swimBikeRun)
        try await wait(for: "data ready", world.phoneListener)
        // The other process is alive, so its session isn't taken from it.
        #expect(try await world.watch.recoverActiveWorkoutSession() == nil)
        Self.kill(process)
        try await wait(for: "disconnected", world.phoneListener)
        try await checkRecovery(world)
    }

    private func checkRecovery(_ world: MirroringWorld) async throws {
        let (watch, start) = (world.watch, DeviceProcessTests.start)
        // Saved while no process recorded the workout.
        try await watch.save(DeviceProcessTests.energy(7, at: 20))
        let session = try #require(try await watch.recoverActiveWorkoutSession())
        #expect(try await watch.recoverActiveWorkoutSession() === session)
        #expect(session.state == .running && session.startDate == start)
        #expect(session.workoutConfiguration.activityType == .swimBikeRun)
        let builder = session.associatedWorkoutBuilder()
        #expect(builder.startDate == start)
        #expect(builder.metadata["note"] as? String == "kept")
        #expect(builder.workoutEvents.map(\.type) == [.lap])
        #expect(builder.workoutActivities == [session.currentActivity])
        func sum() -> Double? {
            builder.statistics(for: HKQuantityType(.activeEnergyBurned))?.sumQuantity()?
                .doubleValue(for: .kilocalorie())
        }
        #expect(sum() == 11)
        builder.dataSource = HKLiveWorkoutDataSource(
            healthStore: watch, workoutConfiguration: session.workoutConfiguration)
        session.stopActivity(with: start.addingTimeInterval(60))
        try await builder.endCollection(at: start.addingTimeInterval(60))
        #expect(sum() == 18)
        let workout = try #require(try await builder.finishWorkout())
        #expect(workout.duration == 60)
        #expect(workout.workoutActivities.map(\.duration) == [60])
        session.end()
        #expect(try await watch.recoverActiveWorkoutSession() == nil)
        let left = try FileManager.default.contentsOfDirectory(
            atPath: URL(fileURLWithPath: try watch.connection.store.path)
                .deletingLastPathComponent().path
        ).filter { $0.contains("-workout-") }
        #expect(left.isEmpty)
        #expect(try watch.connection.store.liveWorkout(of: watch.identity.bundleIdentifier) == nil)
    }

    /// Sends data until a device receives them, because its process takes a moment to start.
    private func send(_ text: String, until line: String, _ world: MirroringWorld) async throws {
        for _ in 0..<600 {
            if (try? await world.session.sendToRemoteWorkoutSession(data: Data(text.utf8))) != nil {
                return try await wait(for: line, world.watchListener)
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record("No device received \(text)")
    }

    private func wait(for line: String, _ listener: SessionListener) async throws {
        for _ in 0..<600 where !listener.lines.contains(line) {
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(listener.lines.contains(line), "\(line) among \(listener.lines)")
    }
}
