#if os(Linux)
    import Foundation
    import HealthStorage
    import HealthTesting
    import Testing

    @testable import OpenHealthKit

    /// File system events for a store's file, and the fallback without them.
    @Suite(.serialized) struct FileWatchTests {
        private let folder: StoreFolder
        private let path: String

        init() throws {
            folder = try StoreFolder()
            path = folder.path + "/health.sqlite"
        }

        private func open() throws -> HKHealthStore {
            try HKHealthStore(
                path: path, configuration: HealthStoreConfiguration(authorization: .assumed))
        }

        private func write(_ text: String, to path: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        }

        @Test("creating, writing, removing and replacing the file or its log each cause an event")
        func events() async throws {
            let events = Collected<FileWatch.Event>()
            let watch = try #require(FileWatch(path: path) { events.add($0) })
            let log = path + "-wal"
            let steps: [() throws -> Void] = [
                { try write("1", to: path) }, { try write("2", to: log) },
                { try write("3", to: log) },
                { try FileManager.default.removeItem(atPath: log) },
                { try write("4", to: log) }, { try write("5", to: folder.path + "/new") },
                { #expect(rename(folder.path + "/new", path) == 0) },
                { try write("6", to: path) },
            ]
            for (number, step) in steps.enumerated() {
                let before = events.count
                try step()
                // Events of other files in the folder are ignored.
                if number != 5 {
                    #expect(await eventually { events.count > before }, "step \(number)")
                }
                try await Task.sleep(for: .milliseconds(60))
                if number == 5 { #expect(events.count == before) }
            }
            withExtendedLifetime(watch) {}
        }

        @Test("a missing folder gives no watch; removing the folder ends the watch")
        func ending() async throws {
            #expect(FileWatch(path: folder.path + "/none/health.sqlite") { _ in } == nil)
            let inner = folder.path + "/inner"
            try FileManager.default.createDirectory(
                atPath: inner, withIntermediateDirectories: true)
            let hasEnded = Collected<Bool>()
            let watch = FileWatch(path: inner + "/health.sqlite") {
                if case .ended = $0 { hasEnded.add(true) }
            }
            #expect(watch != nil)
            try FileManager.default.removeItem(atPath: inner)
            #expect(await eventually { hasEnded.count == 1 })
            withExtendedLifetime(watch) {}
        }

        @Test(
            "a write by another process notifies a listener of a store that is not polled",
            .inTestAll)
        func otherProcess() async throws {
            let store = try open()
            let changes = Collected<StoreChange>()
            // Once quiet, this feed checks the file only after an event, or after an hour.
            let feed = store.connection.makeFeed(idlePollInterval: 3_600_000)
            let subscription = feed.subscribe { changes.add($0) }
            #expect(await eventually { feed.isIdle })
            for round in 1...2 {
                await #expect(processExitsWith: .success) { [path = path as String] in
                    try OtherConnection.save(StoreFixture().walk(), in: path)
                }
                #expect(await eventually { changes.count >= round })
                // The write-ahead log is checkpointed and emptied; the next commit starts it again.
                try store.connection.store.checkpointForTest()
                #expect(await eventually { feed.isIdle })
            }
            #expect(changes.count == 2)
            withExtendedLifetime(subscription) {}
        }

        @Test("a save of this process notifies a listener once, despite the file system event")
        func ownSave() async throws {
            let store = try open()
            let changes = Collected<StoreChange>()
            let feed = store.connection.feed
            let subscription = feed.subscribe { changes.add($0) }
            #expect(await eventually { feed.isWatching })
            try await store.save(StoreFixture().walk())
            #expect(await eventually { changes.count == 1 })
            try await Task.sleep(for: .milliseconds(500))
            #expect(changes.count == 1)
            withExtendedLifetime(subscription) {}
        }

        @Test("without an available watch, changes are found by polling")
        func unavailableWatch() async throws {
            try open().connection.store.close()
            await #expect(processExitsWith: .success) { [path = path as String] in
                let store = try HKHealthStore(
                    path: path, configuration: HealthStoreConfiguration(authorization: .assumed))
                let other = try SampleStore(at: path, access: .writing)
                let changes = Collected<StoreChange>()
                let feed = store.connection.feed
                _ = try store.connection.store.dataVersion()
                try await Task.sleep(for: .milliseconds(50))
                // From here on no file descriptor is available for a watch.
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                let before = limit
                let used = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                var descriptorsInUse: [Int32] = []
                limit.rlim_cur = rlim_t(used.count + 32)
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                while case let descriptor = dup(0), descriptor >= 0 {
                    descriptorsInUse.append(descriptor)
                }
                let unavailableWatch = FileWatch(path: path) { _ in }
                let subscription = feed.subscribe { changes.add($0) }
                try await Task.sleep(for: .milliseconds(300))
                let isWatching = feed.isWatching
                descriptorsInUse.forEach { close($0) }
                var restored = before
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &restored)
                #expect(unavailableWatch == nil)
                #expect(!isWatching && !feed.isWatching)
                try await Task.sleep(for: .milliseconds(700))
                try OtherConnection.save(StoreFixture().walk(), in: path)
                #expect(await eventually { changes.count == 1 })
                withExtendedLifetime((subscription, other)) {}
            }
        }

        @Test("after a watch ends, the store is polled")
        func endedWatch() async throws {
            let store = try open()
            let feed = store.connection.feed
            let changes = Collected<StoreChange>()
            let subscription = feed.subscribe { changes.add($0) }
            #expect(await eventually { feed.isWatching })
            let moved = folder.path + "-moved"
            try FileManager.default.createDirectory(
                atPath: moved, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: moved) }
            for end in ["", "-wal", "-shm"] {
                #expect(rename(path + end, moved + "/health.sqlite" + end) == 0)
            }
            try FileManager.default.removeItem(atPath: folder.path)
            #expect(await eventually { !feed.isWatching })
            try OtherConnection.save(StoreFixture().walk(), in: moved + "/health.sqlite")
            #expect(await eventually { changes.count == 1 })
            withExtendedLifetime(subscription) {}
        }

        @Test("a handle opened after the file was replaced uses the new file and gets its changes")
        func replaced() async throws {
            let old = try open()
            _ = try old.connection.store.dataVersion()
            let replacement = folder.path + "/replacement.sqlite"
            try SampleStore(at: replacement, access: .creating).close()
            for end in ["-wal", "-shm"] { unlink(path + end) }
            #expect(rename(replacement, path) == 0)
            let new = try open()
            #expect(new.connection !== old.connection)
            let changes = Collected<StoreChange>()
            let feed = new.connection.feed
            let subscription = feed.subscribe { changes.add($0) }
            #expect(await eventually { feed.isWatching })
            try OtherConnection.save(StoreFixture().walk(), in: path)
            #expect(await eventually { changes.count == 1 })
            #expect(try new.visibleCount(StoreFixture.steps) == 1)
            #expect(try open().connection === new.connection)
            withExtendedLifetime((subscription, old)) {}
        }

        @Test(
            "opening, observing and closing a thousand stores leaks no file descriptor",
            .inTestAll)
        func descriptors() async throws {
            await #expect(processExitsWith: .success) { [path = path as String] in
                func descriptors() throws -> Int {
                    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
                }
                var before = 0
                var failures = 0
                for round in 0..<1001 {
                    let store = try HKHealthStore(
                        path: path,
                        configuration: HealthStoreConfiguration(authorization: .assumed))
                    let subscription = store.connection.feed.subscribe { _ in }
                    let watch = FileWatch(path: path) { _ in }
                    if watch == nil { failures += 1 }
                    withExtendedLifetime((subscription, watch)) {}
                    if round == 0 {
                        try await Task.sleep(for: .milliseconds(200))
                        before = try descriptors()
                    }
                }
                #expect(failures == 0)
                let maximum = before
                #expect(try await eventually { try descriptors() <= maximum })
            }
        }

        @Test("a hundred idle listeners use less than 0.1 % of a core", .inTestAll)
        func idle() async throws {
            await #expect(processExitsWith: .success) { [path = path as String] in
                let store = try HKHealthStore(
                    path: path, configuration: HealthStoreConfiguration(authorization: .assumed))
                let feed = store.connection.feed
                let subscriptions = (0..<100).map { _ in feed.subscribe { _ in } }
                #expect(await eventually { feed.isWatching })
                try await Task.sleep(for: .seconds(2))
                let before = clock()
                try await Task.sleep(for: .seconds(6))
                // Processor time, which other programs don't affect.
                #expect(clock() - before < CLOCKS_PER_SEC * 6 / 1000)
                withExtendedLifetime(subscriptions) {}
            }
        }
    }

    extension SampleStore {
        /// Checkpoints the log like another connection that closes last.
        fileprivate func checkpointForTest() throws {
            let other = try SampleStore(at: path, access: .writing)
            try other.close()
        }
    }
#endif
