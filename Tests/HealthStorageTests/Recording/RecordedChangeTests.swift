#if os(Linux)
    import Foundation
    import GRDB
    import HealthEngine
    import HealthTesting
    import Testing

    @testable import HealthStorage

    /// Changes of one store, applied to another one.
    @Suite struct RecordedChangeTests {
        /// Two stores in the same state.
        private struct Pair {
            let folder: TemporaryFolder
            let recorded: SampleStore
            let replica: SampleStore

            init() throws {
                folder = try TemporaryFolder()
                let first = folder.path + "/recorded.sqlite"
                recorded = try SampleStore(at: first, access: .creating)
                let second = folder.path + "/replica.sqlite"
                _ = try recorded.copyForLog(to: second)
                try SampleStore.completeLogCopy(at: second)
                replica = try SampleStore(at: second, access: .writing)
            }

            /// Runs a change on one store, and applies it to the other.
            @discardableResult
            func change(_ body: (SampleStore) throws -> Void) throws -> RecordedChange {
                var recording = RecordedChange(changeset: [], tables: [])
                try recorded.recording {
                    try body(recorded)
                } confirm: { change, _ in
                    recording = change
                }
                let isApplied = try replica.apply(recording.changeset) {}
                #expect(isApplied)
                return recording
            }
        }

        /// All rows except those that a store derives, as lines.
        private static func rows(_ store: SampleStore) throws -> [String] {
            try store.read { db in
                let tables = try String.fetchAll(
                    db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
                return try tables.filter { !ChangesetSession.derivedTables.contains($0) }
                    .flatMap { table in
                        try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY 1, 2").map {
                            "\(table) \($0.databaseValues.map { "\($0)" })"
                        }
                    }
            }
        }

        @Test(
            "After random changes, a store to which they were applied has the same rows and answers",
            arguments: TestTier.seeds(TestTier.count(quick: 8, all: 60, torture: 1000), from: 1))
        func sameAfterRandomChanges(_ seed: UInt64) throws {
            let pair = try Pair()
            var editor = RandomStoreEditor(seed: seed)
            for _ in 0..<25 {
                try pair.change { store in try editor.edit(store) }
                let (query, edges, rules) = editor.statisticsParameters()
                let original = try pair.recorded.statistics(query, over: edges, rules: rules)
                let copied = try pair.replica.statistics(query, over: edges, rules: rules)
                #expect(original.buckets == copied.buckets, "seed \(seed)")
                #expect(original.skipped == copied.skipped, "seed \(seed)")
            }
            let (first, second) = (
                try Self.rows(pair.recorded), try Self.rows(pair.replica)
            )
            #expect(first == second, "seed \(seed)")
            #expect(try pair.replica.check() == [], "seed \(seed)")
        }

        @Test("If the confirmation throws, nothing of the change is stored")
        func refusedChange() throws {
            struct Refused: Error {}
            let pair = try Pair()
            let before = try Self.rows(pair.recorded)
            #expect(throws: Refused.self) {
                try pair.recorded.recording {
                    try pair.recorded.setPreferredUnit(
                        "lb", ofType: "HKQuantityTypeIdentifierBodyMass")
                } confirm: { change, _ in
                    #expect(change.tables == ["store"])
                    throw Refused()
                }
            }
            #expect(try Self.rows(pair.recorded) == before)
        }

        @Test("A call that fails within a recorded change leaves only its own part undone")
        func failedPart() throws {
            let pair = try Pair()
            try pair.change { store in
                try store.setPreferredUnit("lb", ofType: "HKQuantityTypeIdentifierBodyMass")
                struct Failure: Error {}
                #expect(throws: Failure.self) {
                    try store.write { db in
                        try db.execute(sql: "INSERT INTO characteristic VALUES ('a', 'b')")
                        throw Failure()
                    }
                }
                #expect(try store.characteristics() == [:])
            }
            #expect(try pair.replica.preferredUnits().count == 1)
            #expect(try pair.replica.characteristics() == [:])
        }

        @Test("A change of another state is refused, and changes nothing")
        func foreignState() throws {
            let pair = try Pair()
            var editor = RandomStoreEditor(seed: 7)
            for _ in 0..<10 { try pair.change { try editor.edit($0) } }
            var later = RecordedChange(changeset: [], tables: [])
            try pair.recorded.recording {
                var saved = SavedBatch("app")
                saved.add(.steps, 1, 2, 3, uuid: SampleUUID(number: 999))
                try pair.recorded.save(saved)
            } confirm: { change, _ in
                later = change
            }
            // The replica goes on by itself.
            var saved = SavedBatch("other")
            saved.add(.steps, 5, 6, 7, uuid: SampleUUID(number: 998))
            try pair.replica.save(saved)
            let before = try Self.rows(pair.replica)
            var isConfirmed = false
            #expect(try !pair.replica.apply(later.changeset) { isConfirmed = true })
            #expect(!isConfirmed)
            #expect(try Self.rows(pair.replica) == before)
        }

        @Test("A store that is built from a log can't be opened for writing by a program")
        func writerOutside() throws {
            let folder = try TemporaryFolder()
            let path = folder.path + "/1.sqlite"
            let store = try SampleStore.ofLog(at: path)
            let position = LogPosition(number: 3, hash: "00ff")
            try store.setLogPosition(position)
            #expect(try store.logPosition == position)
            for access in [SampleStore.Access.writing, .creating] {
                let error = #expect(throws: StoreError.self) {
                    try SampleStore(at: path, access: access)
                }
                #expect(error?.reason == .builtFromLog(at: path))
            }
            let reader = try SampleStore(at: path, access: .reading)
            #expect(try reader.logPosition == position)
            _ = try store.copyForLog(to: folder.path + "/copy.sqlite")
            try SampleStore.completeLogCopy(at: folder.path + "/copy.sqlite")
            let copy = try SampleStore(at: folder.path + "/copy.sqlite", access: .writing)
            #expect(try copy.logPosition == nil)
        }
    }
#endif
