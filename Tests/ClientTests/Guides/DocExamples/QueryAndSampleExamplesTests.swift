import Foundation
import HealthKit
import Testing

/// The examples in OpenHealthKit's doc comments: queries, samples and workouts.
@Suite struct QueryAndSampleExamplesTests {
    let store = HKHealthStore.inMemory()
    let steps = HKQuantityType(.stepCount)
    let start = Date(timeIntervalSinceReferenceDate: 796_899_600)
    var end: Date { start.addingTimeInterval(1800) }

    init() async throws {
        let types: Set<HKSampleType> = [
            steps, .workoutType(), HKSeriesType.workoutRoute(),
        ]
        try await store.requestAuthorization(toShare: types, read: types)
    }

    private func walk() -> HKQuantitySample {
        HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 842), start: start,
            end: end)
    }

    @Test("a clinical document has the title of its header")
    func document() async throws {
        let type = HKDocumentType(.CDA)
        try await store.requestAuthorization(toShare: [type], read: [type])
        let xml = Data(
            """
            <ClinicalDocument xmlns="urn:hl7-org:v3">
            <title>Good Health Clinic Consultation Note</title></ClinicalDocument>
            """.utf8)
        let date = start
        let sample = try HKCDADocumentSample(data: xml, start: date, end: date, metadata: nil)
        #expect(sample.document?.title == "Good Health Clinic Consultation Note")
        try await store.save(sample)
    }

    @Test("samples can be sorted by descending end")
    func sampleQuery() async throws {
        try await store.save(walk())
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.stepCount))],
            sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)], limit: 10)
        let latest = try await descriptor.result(for: store)
        #expect(latest.map(\.endDate) == [end])
    }

    @Test("an anchor can be archived, and the initial one created from a number")
    func anchor() throws {
        let anchor = HKQueryAnchor(fromValue: Int(HKAnchoredObjectQueryNoAnchor))
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: anchor, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
        #expect(read == anchor)
    }

    @Test("queries find the app's own samples and sources")
    func defaultSource() async throws {
        try await store.save(walk())
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: steps)], sortDescriptors: [], limit: 10
        ).result(for: store)
        let own = samples.filter { $0.sourceRevision.source == .default() }
        #expect(own.count == 1)
        let sources = Set(samples.map(\.sourceRevision.source))
        let ownSources = sources.filter {
            $0.bundleIdentifier == HKSource.default().bundleIdentifier
        }
        #expect(ownSources.count == 1)
    }

    @Test("a sample with a unit of another dimension is invalid")
    func validation() {
        let now = start
        let grams = HKQuantity(unit: .gram(), doubleValue: 5)
        #expect(throws: HKError.self) {
            try HKQuantitySample(type: steps, quantity: grams, start: now, end: now).validate()
        }
    }

    @Test("a series of quantities is one sample")
    func series() async throws {
        let minute = DateInterval(start: start, duration: 60)
        let builder = HKQuantitySeriesSampleBuilder(
            healthStore: store, quantityType: HKQuantityType(.stepCount), startDate: start,
            device: nil)
        try builder.insert(HKQuantity(unit: .count(), doubleValue: 12), for: minute)
        let samples = try await builder.finishSeries(metadata: nil)
        #expect(samples.count == 1)
    }

    @Test("a builder saves a workout with its samples and a route")
    func workout() async throws {
        let run = HKWorkoutConfiguration()
        run.activityType = .running
        let samples = [walk()]
        let workout = try #require(try await savedWorkout(run, samples))
        #expect(workout.duration == 1800)
        let location = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 48, longitude: 11), altitude: 500,
            horizontalAccuracy: 5, verticalAccuracy: 4, course: 0, courseAccuracy: 1, speed: 3,
            speedAccuracy: 0.25, timestamp: start)
        try await saveRoute([location], of: workout)
    }

    private func savedWorkout(
        _ run: HKWorkoutConfiguration, _ samples: [HKSample]
    ) async throws -> HKWorkout? {
        let builder = HKWorkoutBuilder(healthStore: store, configuration: run, device: nil)
        try await builder.beginCollection(at: start)
        try await builder.addSamples(samples)
        try await builder.endCollection(at: end)
        let workout = try await builder.finishWorkout()
        return workout
    }

    private func saveRoute(_ locations: [CLLocation], of workout: HKWorkout) async throws {
        let builder = HKWorkoutRouteBuilder(healthStore: store, device: nil)
        try await builder.insertRouteData(locations)
        let route = try await builder.finishRoute(with: workout, metadata: nil)
        #expect(route.count == 1)
    }

    @Test("a heartbeat series is saved beat by beat")
    func heartbeats() async throws {
        let type = HKSeriesType.heartbeat()
        try await store.requestAuthorization(toShare: [type], read: [type])
        let builder = HKHeartbeatSeriesBuilder(healthStore: store, device: nil, start: start)
        try await builder.addHeartbeat(at: 0.8, precededByGap: false)
        let series = try await builder.finishSeries()
        #expect(series.count == 1)
    }

    @Test("a file is attached to a sample and read again")
    func attachment() async throws {
        let type = HKQuantityType(.bodyMass)
        try await store.requestAuthorization(toShare: [type], read: [type])
        let prescription = HKQuantitySample(
            type: type, quantity: HKQuantity(unit: .gram(), doubleValue: 70_000), start: start,
            end: start)
        try await store.save(prescription)
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
        try Data([1, 2]).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let attachments = HKAttachmentStore(healthStore: store)
        let scan = try await attachments.addAttachment(
            to: prescription, name: "Prescription", contentType: .pdf, url: file)
        let bytes = try await attachments.dataReader(for: scan).data
        #expect(bytes == Data([1, 2]))
    }

    @Test("a session has the builder of its workout")
    func session() async throws {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
        let builder = session.associatedWorkoutBuilder()
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
        #expect(session.state == .running)
        session.end()
    }
}
