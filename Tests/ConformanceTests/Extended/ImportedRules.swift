import HealthArchive
import Testing

@testable import PortableConformance

/// The rules for imported data, tested through HealthKit's API.
@Suite struct ImportedRules {
    @Test("§1.11 an import excludes a source of day totals and keeps its samples")
    func dayTotals() async throws {
        let days = (1...20).map { day in
            let date = String(format: "2024-05-%02d", day)
            let next = String(format: "2024-05-%02d", day + 1)
            return record("Counter", "\(date) 00:00:00", "\(next) 00:00:00", 2400)
        }
        try await FileFixture.imported(
            days + [record("Stick", "2024-05-01 10:00:00", "2024-05-01 14:00:00", 1000)]
        ) { fixture in
            let store = try await fixture.open(.diary)
            #expect(try await store.totalSteps() == 1000)
            #expect(try await store.samples(HKQuantityType(.stepCount)).count == 21)
            #expect(try await store.sources(of: HKQuantityType(.stepCount)).count == 2)
        }
    }

    @Test(
        "§10.9 an imported workout has the samples of its source within its interval",
        .covers("HKQuery.predicateForObjects(from:)", "HKWorkout.statistics(for:)"))
    func importedWorkout() async throws {
        let lines = [
            record("Stick", "2024-05-01 10:05:00", "2024-05-01 10:15:00", 900),
            record("Stick", "2024-05-01 10:55:00", "2024-05-01 11:05:00", 70),
            record("Other", "2024-05-01 10:20:00", "2024-05-01 10:25:00", 500),
            """
            <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="60" \
            durationUnit="min" sourceName="Stick" sourceVersion="1" \
            creationDate="2024-05-01 11:00:00 +0000" startDate="2024-05-01 10:00:00 +0000" \
            endDate="2024-05-01 11:00:00 +0000">
             <WorkoutStatistics type="HKQuantityTypeIdentifierStepCount" \
            startDate="2024-05-01 10:00:00 +0000" endDate="2024-05-01 11:00:00 +0000" sum="950" \
            unit="count"/>
            </Workout>
            """,
        ]
        try await FileFixture.imported(lines) { fixture in
            let store = try await fixture.open(.diary)
            let workout = try #require(
                try await store.samples(HKObjectType.workoutType()).first as? HKWorkout)
            let members = try await store.samples(
                HKQuantityType(.stepCount), HKQuery.predicateForObjects(from: workout))
            #expect(members.map { $0.number() } == [900])
            #expect(workout.statistics(for: HKQuantityType(.stepCount))?.sum() == 950)
        }
    }

    @Test("§10.5 heartbeats of an export are a heartbeat series")
    func importedHeartbeats() async throws {
        let lines = [
            """
            <Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" sourceName="Watch" \
            unit="ms" startDate="2024-05-01 10:00:00 +0000" \
            endDate="2024-05-01 10:01:00 +0000" value="41">
             <HeartRateVariabilityMetadataList>
              <InstantaneousBeatsPerMinute bpm="60" time="12:00:01,25"/>
              <InstantaneousBeatsPerMinute bpm="60" time="12:00:02,25"/>
              <InstantaneousBeatsPerMinute bpm="61" time="12:00:09,00"/>
             </HeartRateVariabilityMetadataList>
            </Record>
            """
        ]
        try await FileFixture.imported(lines) { fixture in
            let store = try await fixture.open(.diary)
            try await store.requestAuthorization(toShare: [], read: [HKSeriesType.heartbeat()])
            let found = try await store.samples(HKSeriesType.heartbeat())
            let series = try #require(found.first as? HKHeartbeatSeriesSample)
            #expect(found.count == 1)
            #expect(series.sourceRevision.source.name == "Watch")
            var beats: [String] = []
            let query = HKHeartbeatSeriesQueryDescriptor(series)
            for try await beat in query.results(for: store) {
                beats.append("\(beat.timeIntervalSinceStart)\(beat.precededByGap ? " gap" : "")")
            }
            #expect(beats == ["1.25", "2.25", "9.0 gap"])
        }
    }

    private func record(_ source: String, _ start: String, _ end: String, _ value: Int) -> String {
        """
        <Record type="HKQuantityTypeIdentifierStepCount" sourceName="\(source)" sourceVersion="1" \
        unit="count" creationDate="\(end) +0000" startDate="\(start) +0000" \
        endDate="\(end) +0000" value="\(value)"/>
        """
    }
}

extension FileFixture {
    /// Runs a test with a store imported from an export with these elements.
    static func imported(
        _ elements: [String], _ body: (FileFixture) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("conformance-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let export = folder.appendingPathComponent("export.xml")
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <HealthData locale="en_US">
            <ExportDate value="2024-06-01 10:00:00 +0000"/>
            \(elements.joined(separator: "\n"))
            </HealthData>
            """
        try text.write(to: export, atomically: true, encoding: .utf8)
        let store = folder.appendingPathComponent("health.store").path
        _ = try ExportImporter(
            path: export.path, store: store, timeZone: "Europe/London",
            systemTimeZone: "Europe/London", now: at(800).timeIntervalSinceReferenceDate
        ).run()
        try await body(FileFixture(path: store))
    }
}
