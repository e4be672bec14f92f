import Foundation
import HealthTesting
import Testing

@testable import OpenHealthKit

/// A watch and a phone of one process, which have a store in memory or in a file.
struct MirroringWorld {
    static let app = AppIdentity("com.example.run")
    static let watchApp = AppIdentity("com.example.run.watchkitapp")

    let clock = ManualClock(Date(timeIntervalSinceReferenceDate: 1_000))
    let phone: HKHealthStore
    let watch: HKHealthStore
    let session: HKWorkoutSession
    let watchListener = SessionListener()
    let phoneListener = SessionListener()
    /// The mirrored sessions that the phone's handler received.
    let mirrors = Received<HKWorkoutSession>()

    /// Creates the devices.
    ///
    /// - Parameter path: The path of the store; nil for one in memory.
    init(at path: String? = nil) throws {
        var configuration = HealthStoreConfiguration(clock: clock)
        configuration.diagnosticsSummary = .excluded
        phone =
            try path.map {
                try HKHealthStore(path: $0, identity: Self.app, configuration: configuration)
            } ?? .inMemory(identity: Self.app, configuration: configuration)
        watch = phone.withIdentity(Self.watchApp)
        let running = HKWorkoutConfiguration()
        running.activityType = .running
        session = try HKWorkoutSession(healthStore: watch, configuration: running)
        session.delegate = watchListener
    }

    /// Sets the phone's handler.
    func listen() {
        phone.workoutSessionMirroringStartHandler = { [mirrors, phoneListener] session in
            session.delegate = phoneListener
            mirrors(session)
        }
    }
}

@Suite("Mirroring workout sessions")
struct MirroringTests {
    @Test(
        "a mirrored session has the primary session's state, and its delegate gets all changes",
        .covers(
            "HKWorkoutSession.startMirroringToCompanionDevice()",
            "HKWorkoutSession.startMirroringToCompanionDevice(completion:)",
            "HKHealthStore.workoutSessionMirroringStartHandler", "HKWorkoutSession.type"),
        arguments: [true, false])
    func states(_ isInFile: Bool) async throws {
        let folder = try StoreFolder()
        let world = try MirroringWorld(at: isInFile ? folder.path + "/health.sqlite" : nil)
        let session = world.session
        #expect(world.phone.workoutSessionMirroringStartHandler == nil)
        world.listen()
        #expect(world.phone.workoutSessionMirroringStartHandler != nil)
        session.startActivity(with: world.clock.now)
        try await session.startMirroringToCompanionDevice()
        let mirror = try await world.mirrors.next()
        #expect(mirror.type == .mirrored && session.type == .primary)
        #expect(mirror.state == .running)
        #expect(mirror.startDate == Date(timeIntervalSinceReferenceDate: 1_000))
        #expect(mirror.workoutConfiguration == session.workoutConfiguration)
        world.clock.advance(by: 60)
        session.pause()
        session.resume()
        let swimming = HKWorkoutConfiguration()
        swimming.activityType = .swimming
        session.beginNewActivity(configuration: swimming, date: world.clock.now, metadata: nil)
        session.endCurrentActivity(on: world.clock.now)
        session.generate(HKWorkoutEvent(type: .lap, date: world.clock.now))
        session.stopActivity(with: nil)
        session.end()
        try await world.phoneListener.wait(for: 9)
        #expect(
            world.phoneListener.lines == [
                "running → paused at 1060", "pause", "paused → running at 1060", "resume",
                "begin swimming", "end swimming", "lap", "running → stopped at 1060",
                "stopped → ended at 1060",
            ])
        #expect(mirror.state == .ended)
        #expect(mirror.endDate == session.endDate && session.endDate != nil)
        for _ in 0..<1000 where mirror.link({ $0.channel != nil }) {
            try await Task.sleep(for: .milliseconds(10))
        }
        await #expect { try await mirror.sendToRemoteWorkoutSession(data: Data()) } throws: {
            ($0 as? HKError)?.code == .errorHealthDataUnavailable
        }
    }

    @Test("the primary session takes the steps of its mirror, and refuses wrong ones there only")
    func requests() async throws {
        let world = try MirroringWorld()
        world.listen()
        try await world.session.startMirroringToCompanionDevice()
        let mirror = try await world.mirrors.next()
        mirror.resume()
        mirror.prepare()
        mirror.startActivity(with: Date(timeIntervalSinceReferenceDate: 1_005))
        mirror.beginNewActivity(
            configuration: HKWorkoutConfiguration(),
            date: Date(timeIntervalSinceReferenceDate: 1_006), metadata: ["leg": 1])
        mirror.endCurrentActivity(on: Date(timeIntervalSinceReferenceDate: 1_010))
        mirror.pause()
        mirror.resume()
        mirror.stopActivity(with: Date(timeIntervalSinceReferenceDate: 1_020))
        mirror.end()
        try await world.phoneListener.wait(for: 11)
        let changes = [
            "notStarted → prepared at 1000", "prepared → running at 1005", "begin other",
            "end other", "running → paused at 1000", "pause", "paused → running at 1000", "resume",
            "running → stopped at 1020", "stopped → ended at 1000",
        ]
        #expect(world.phoneListener.lines == ["failed"] + changes)
        #expect(world.phoneListener.errors == [.errorInvalidArgument])
        try await world.watchListener.wait(for: changes.count)
        #expect(world.watchListener.lines == changes)
        #expect(world.session.state == .ended)
    }

    @Test(
        "data arrive in order at the other session, also before it has a delegate",
        .covers(
            "HKWorkoutSession.sendToRemoteWorkoutSession(data:)",
            "HKWorkoutSession.sendToRemoteWorkoutSession(data:completion:)",
            "HKWorkoutSessionDelegate.workoutSession(_:didReceiveDataFromRemoteWorkoutSession:)"))
    func data() async throws {
        let world = try MirroringWorld()
        world.phone.workoutSessionMirroringStartHandler = { [mirrors = world.mirrors] in
            mirrors($0)
        }
        await #expect {
            try await world.session.sendToRemoteWorkoutSession(data: Data())
        } throws: { ($0 as? HKError)?.code == .errorHealthDataUnavailable }
        try await world.session.startMirroringToCompanionDevice()
        let mirror = try await world.mirrors.next()
        for text in ["a", "b"] {
            try await world.session.sendToRemoteWorkoutSession(data: Data(text.utf8))
        }
        mirror.delegate = world.phoneListener
        try await world.phoneListener.wait(for: 2)
        #expect(world.phoneListener.batches == [[Data("a".utf8), Data("b".utf8)]])
        let isSent: Bool = await withCheckedContinuation { continuation in
            mirror.sendToRemoteWorkoutSession(data: Data("c".utf8)) { isSent, _ in
                continuation.resume(returning: isSent)
            }
        }
        #expect(isSent)
        try await world.watchListener.wait(for: 1)
        #expect(world.watchListener.lines == ["data c"])
        let largest = Data(count: HKWorkoutSession.maximumRemoteDataLength)
        try await mirror.sendToRemoteWorkoutSession(data: largest)
        await #expect {
            try await mirror.sendToRemoteWorkoutSession(data: largest + [0])
        } throws: { ($0 as? HKError)?.code == .errorDataSizeExceeded }
        world.session.end()
    }

    @Test(
        "the delegate of a mirror is notified without an error when the app stops mirroring",
        .covers(
            "HKWorkoutSession.stopMirroringToCompanionDevice()",
            "HKWorkoutSession.stopMirroringToCompanionDevice(completion:)",
            "HKWorkoutSessionDelegate.workoutSession(_:didDisconnectFromRemoteDeviceWithError:)"))
    func stop() async throws {
        let world = try MirroringWorld()
        world.listen()
        await #expect { try await world.session.stopMirroringToCompanionDevice() } throws: {
            isInvalidArgument($0)
        }
        world.session.startActivity(with: nil)
        try await world.session.startMirroringToCompanionDevice()
        let mirror = try await world.mirrors.next()
        try await world.session.stopMirroringToCompanionDevice()
        try await world.phoneListener.wait(for: 1)
        #expect(world.phoneListener.lines == ["stopped"])
        mirror.pause()
        try await world.phoneListener.wait(for: 2)
        #expect(world.phoneListener.errors == [.errorHealthDataUnavailable])
        #expect(world.session.state == .running && mirror.state == .running)
        await #expect { try await mirror.startMirroringToCompanionDevice() } throws: {
            isInvalidArgument($0)
        }
        // Mirroring can start again, with a new session.
        try await world.session.startMirroringToCompanionDevice()
        #expect(try await world.mirrors.next() !== mirror)
        world.session.end()
        await #expect { try await world.session.startMirroringToCompanionDevice() } throws: {
            isInvalidArgument($0)
        }
    }

    @Test("a device that sets its handler later gets the session then", arguments: [true, false])
    func later(_ isInFile: Bool) async throws {
        let folder = try StoreFolder()
        let world = try MirroringWorld(at: isInFile ? folder.path + "/health.sqlite" : nil)
        try await world.session.startMirroringToCompanionDevice()
        world.session.startActivity(with: nil)
        world.listen()
        #expect(try await world.mirrors.next().state == .running)
        world.session.end()
    }

    @Test("only a companion with a handler gets the session, not another app or the same handle")
    func companions() async throws {
        let world = try MirroringWorld()
        let (foreign, own) = (Received<HKWorkoutSession>(), Received<HKWorkoutSession>())
        let other = world.phone.withIdentity(AppIdentity("com.example.running"))
        other.workoutSessionMirroringStartHandler = { foreign($0) }
        world.watch.workoutSessionMirroringStartHandler = { own($0) }
        try await world.session.startMirroringToCompanionDevice()
        world.listen()
        _ = try await world.mirrors.next()
        #expect(foreign.count == 0 && own.count == 0)
        world.session.end()
        #expect(AppIdentity("a.b").isCompanion(of: AppIdentity("a.b.c")))
        #expect(AppIdentity("a.b.c").isCompanion(of: AppIdentity("a.b")))
        #expect(!AppIdentity("a.b").isCompanion(of: AppIdentity("a.bc")))
    }

    @Test("the builder of a mirrored session can't begin its collection")
    func builder() async throws {
        let world = try MirroringWorld()
        world.listen()
        try await world.session.startMirroringToCompanionDevice()
        let mirror = try await world.mirrors.next()
        await #expect {
            try await mirror.associatedWorkoutBuilder().beginCollection(at: world.clock.now)
        } throws: { isInvalidArgument($0) }
        world.session.end()
    }

    @Test("a socket of a process that ended is removed, and none is left without a handler")
    func sockets() async throws {
        let folder = try StoreFolder()
        let path = folder.path + "/health.sqlite"
        let world = try MirroringWorld(at: path)
        func sockets() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { $0.hasPrefix("health.sqlite-mirror-") }
        }
        let abandoned = MirrorReceiver.prefix(of: path) + "0"
        close(try #require(LocalSocket.listening(at: abandoned)))
        try await world.session.startMirroringToCompanionDevice()
        #expect(try sockets().isEmpty)
        world.listen()
        _ = try await world.mirrors.next()
        #expect(try sockets().count == 1)
        world.phone.workoutSessionMirroringStartHandler = nil
        #expect(try sockets().isEmpty)
        world.session.end()
    }

    @Test("a store in a deep folder has a socket, although its path is too long for an address")
    func longPath() throws {
        let folder = try StoreFolder()
        let deep = folder.path + "/" + String(repeating: "d", count: 150)
        try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
        let listener = try #require(LocalSocket.listening(at: deep + "/health.sqlite-mirror-1"))
        defer { close(listener) }
        guard
            case .connected(let descriptor) = LocalSocket.connection(
                to: deep + "/health.sqlite-mirror-1")
        else {
            Issue.record("not connected")
            return
        }
        close(descriptor)
    }

    @Test(
        "bytes that are no message close the channel",
        arguments: [
            [UInt8](repeating: 255, count: 8), [0, 0, 0, 2, 65, 66], [0, 0, 0, 0],
        ])
    func garbage(_ bytes: [UInt8]) async throws {
        let (own, other) = try #require(LocalSocket.pair())
        let events = Received<Bool>()
        let channel = MirrorChannel(descriptor: own)
        channel.start { event in
            if case .closed = event { events(true) }
        }
        #expect(bytes.withUnsafeBytes { LocalSocket.write($0, to: other) } == bytes.count)
        #expect(try await events.next())
        let error: HKError? = await withCheckedContinuation { continuation in
            channel.send(Data()) { continuation.resume(returning: $1 as? HKError) }
        }
        #expect(error?.code == .errorHealthDataUnavailable)
        close(other)
    }
}
