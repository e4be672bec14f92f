import Foundation
import HealthEngine
import HealthSimulator
import HealthStorage
import HealthSync
import HealthTesting
import OpenHealthKit
import Testing

@Suite struct PushContentTests {
    private let beats = HKUnit.count().unitDivided(by: .minute())

    private func quantity(
        _ identifier: HKQuantityTypeIdentifier, _ value: Double, _ unit: HKUnit,
        metadata: [String: Any]? = nil
    ) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(identifier), quantity: HKQuantity(unit: unit, doubleValue: value),
            start: PushWorld.start, end: PushWorld.start.addingTimeInterval(0.1),
            device: HKDevice(
                name: "Apple Watch", manufacturer: "Apple Inc.", model: "Watch",
                hardwareVersion: "Watch7,5", firmwareVersion: "1", softwareVersion: "11.2",
                localIdentifier: "L", udiDeviceIdentifier: "U"), metadata: metadata)
    }

    @Test("quantities, categories and correlations arrive with unit, device and metadata")
    func samples() async throws {
        let world = try await PushWorld()
        let metadata: [String: Any] = [
            HKMetadataKeyTimeZone: "Europe/Paris", HKMetadataKeyWasUserEntered: true,
            HKMetadataKeyWeatherTemperature: HKQuantity(
                unit: .degreeFahrenheit(), doubleValue: 47.6),
            "moment": Date(timeIntervalSinceReferenceDate: 1234.125), "count": 3, "part": 0.1,
        ]
        let mile = quantity(.distanceWalkingRunning, 0.3, .mile(), metadata: metadata)
        let sleep = HKCategorySample(
            type: HKCategoryType(.sleepAnalysis), value: 4, start: PushWorld.start,
            end: PushWorld.start.addingTimeInterval(3600))
        let pressure = HKCorrelation(
            type: HKCorrelationType(.bloodPressure), start: PushWorld.start, end: PushWorld.start,
            objects: [
                quantity(.bloodPressureSystolic, 121, .millimeterOfMercury()),
                quantity(.bloodPressureDiastolic, 79, .millimeterOfMercury()),
            ])
        try await world.store.save([mile, sleep, pressure])
        try await world.syncUntilDone()
        let (phone, server) = try world.exports()
        #expect(phone.count == 5)
        #expect(phone == server)
        #expect(server.contains { $0.contains(#""value":0.3,"unit":"mi""#) })
        #expect(server.contains { $0.contains(#""members":["#) })
    }

    @Test("times and values arrive bit by bit")
    func exactness() async throws {
        let world = try await PushWorld()
        var walks: [HKQuantitySample] = []
        for index in 0..<50 {
            let start = Date(timeIntervalSinceReferenceDate: 794_044_800 + Double(index) / 7)
            walks.append(
                HKQuantitySample(
                    type: HKQuantityType(.stepCount),
                    quantity: HKQuantity(unit: .count(), doubleValue: 1 / Double(index + 3)),
                    start: start, end: start.addingTimeInterval(0.3)))
        }
        try await world.store.save(walks)
        try await world.syncUntilDone([HKQuantityType(.stepCount)])
        var received: [String: [Double]] = [:]
        try world.server.store.forEachExportedBatch(ExportSelection()) { exported in
            for (index, sample) in exported.batch.samples.enumerated() {
                received[exported.uuids[index]] = [sample.start, sample.end, sample.value]
            }
        }
        for walk in walks {
            #expect(
                received[walk.uuid.uuidString] == [
                    walk.startDate.timeIntervalSinceReferenceDate,
                    walk.endDate.timeIntervalSinceReferenceDate,
                    walk.quantity.doubleValue(for: .count()),
                ])
        }
        #expect(received.count == 50)
    }

    @Test("a series arrives with each of its quantities")
    func series() async throws {
        let world = try await PushWorld()
        let builder = HKQuantitySeriesSampleBuilder(
            healthStore: world.store, quantityType: HKQuantityType(.heartRate),
            startDate: PushWorld.start, device: nil)
        for index in 0..<5 {
            try builder.insert(
                HKQuantity(unit: beats, doubleValue: 60 + Double(index)),
                at: PushWorld.start.addingTimeInterval(Double(index) * 5))
        }
        _ = try await builder.finishSeries(metadata: nil)
        try await world.syncUntilDone()
        let (phone, server) = try world.exports()
        #expect(phone.count == 1)
        #expect(phone == server)
        #expect(server.first?.contains(#""series":["#) == true)
    }

    @Test("a workout arrives with its events, and a later route with the link to it")
    func workout() async throws {
        let world = try await PushWorld()
        let builder = HKWorkoutBuilder(
            healthStore: world.store, configuration: HKWorkoutConfiguration(), device: nil)
        try await builder.beginCollection(at: PushWorld.start)
        try await builder.addSamples([
            quantity(.distanceWalkingRunning, 1.75, .meterUnit(with: .kilo))
        ])
        try await builder.addWorkoutEvents([
            HKWorkoutEvent(
                type: .lap,
                dateInterval: DateInterval(
                    start: PushWorld.start.addingTimeInterval(1), duration: 2.5), metadata: nil)
        ])
        try await builder.endCollection(at: PushWorld.start.addingTimeInterval(600))
        let workout = try #require(try await builder.finishWorkout())
        try await world.syncUntilDone()
        let route = HKWorkoutRouteBuilder(healthStore: world.store, device: nil)
        try await route.insertRouteData(
            (0..<1200).map { index in
                CLLocation(
                    coordinate: CLLocationCoordinate2D(
                        latitude: 48.8 + Double(index) / 10_000, longitude: 2.3),
                    altitude: 35.5, horizontalAccuracy: 1, verticalAccuracy: 2, course: 3,
                    courseAccuracy: 4, speed: 5, speedAccuracy: 6,
                    timestamp: PushWorld.start.addingTimeInterval(Double(index) / 2))
            })
        let saved = try await route.finishRoute(with: workout, metadata: nil)
        try await world.syncUntilDone()
        let (phone, server) = try world.exports()
        // The samples of a workout aren't linked to it by the protocol, its routes are.
        let distance = try #require(
            phone.first { $0.contains("DistanceWalkingRunning") && $0.contains(#""value":1.75"#) })
        #expect(server.contains(distance))
        let stored = try #require(server.first { $0.contains(workout.uuid.uuidString) })
        #expect(stored.contains(#""members":["\#(saved.uuid.uuidString)"]"#))
        #expect(stored.contains(#""type":"lap""#))
        #expect(stored.contains(#""sum":1.75"#))
        let line = #""uuid":"\#(saved.uuid.uuidString)""#
        #expect(phone.first { $0.contains(line) } == server.first { $0.contains(line) })
        #expect(world.server.count(.duplicate) == 1)
        #expect(world.server.count(.changed) == 0)
    }

    @Test("a phone, a late watch, edits and deletions give the same store as at the source")
    func devices() async throws {
        let world = try await PushWorld { number in
            number % 5 == 0 ? .lostAnswer : number % 7 == 0 ? .lostRequest : .none
        }
        let script = Self.script()
        let devices = DevicePlayback(script, store: world.store)
        for hour in stride(from: 0.0, through: 72, by: 6) {
            try await devices.run(until: PushWorld.start.addingTimeInterval(hour * 3600))
            try await world.syncUntilDone(
                [HKQuantityType(.stepCount), HKCategoryType(.sleepAnalysis)], pageSize: 7)
        }
        let (phone, server) = try world.exports()
        #expect(phone.count > 80)
        #expect(phone == server)
        #expect(world.server.count(.duplicate) <= 7)
        #expect(world.server.count(.deleted) > 5)
    }

    private static func script() -> DeviceScript {
        var script = DeviceScript()
        let phone = script.add(.current, timeZone: TimeZone(identifier: "Europe/Paris"))
        let watch = script.add(.watch(named: "Ann’s Watch"))
        for hour in 0..<48 {
            let start = PushWorld.start.addingTimeInterval(Double(hour) * 3600)
            let walk = script.measure(
                .quantity(.stepCount, Double(100 + hour), unit: .count()), from: start, for: 600,
                on: phone)
            let same = script.measure(
                .quantity(.stepCount, Double(101 + hour), unit: .count()),
                from: start.addingTimeInterval(7), for: 590, on: watch)
            if hour % 6 == 1 {
                script.edit(walk, to: 7, at: start.addingTimeInterval(9 * 3600))
            }
            if hour % 8 == 3 { script.delete(same, at: start.addingTimeInterval(20 * 3600)) }
        }
        script.measure(
            .category(.sleepAnalysis, 3), from: PushWorld.start.addingTimeInterval(80_000),
            for: 1800, on: watch)
        script.goOffline(watch, from: PushWorld.start.addingTimeInterval(3600), for: 30_000)
        return script
    }

    @Test("a heartbeat series arrives with its gaps")
    func heartbeats() async throws {
        let world = try await PushWorld()
        let type = HKSeriesType.heartbeat()
        try await world.store.requestAuthorization(toShare: [type], read: [type])
        let builder = HKHeartbeatSeriesBuilder(
            healthStore: world.store, device: nil, start: PushWorld.start)
        for (time, isAfterGap) in [(0.8, false), (1.6, false), (4, true)] {
            try await builder.addHeartbeat(at: time, precededByGap: isAfterGap)
        }
        _ = try await builder.finishSeries()
        let (watcher, _) = try await world.launch([type])
        #expect(try await watcher.sync().failures.isEmpty)
        let (phone, server) = try world.exports()
        #expect(phone.count == 1)
        #expect(phone == server)
        #expect(server.first?.contains(#""offset":4,"gap":true"#) == true)
    }

    @Test("clinical records and documents arrive with their resources and data")
    func clinical() async throws {
        let document = ClinicalDocument(
            title: "T", patientName: "P", authorName: "A", custodianName: "C", text: "<a/>\r\n")
        let record = ClinicalRecord(
            resourceType: "Condition", identifier: "1", fhirVersion: "4.0.1", displayName: "C",
            sourceURL: "https://example.com/1", resource: "{\"resourceType\":\"Condition\"}\n")
        let samples: [(HKSampleType, SampleDetail)] = [
            (HKDocumentType(.CDA), .document(document)),
            (HKClinicalType(.conditionRecord), .clinicalRecord(record)),
        ]
        for (type, detail) in samples {
            let world = try await PushWorld()
            let code = try #require(Catalogue.type(identifier: type.identifier)?.code)
            try world.store(
                Sample(type: code, origin: 0, start: 794_044_800, end: 794_044_800), detail)
            try await world.store.requestAuthorization(toShare: [], read: [type])
            _ = try await world.syncUntilDone([type])
            let (phone, server) = try world.exports()
            #expect(phone.count == 1 && phone == server)
        }
    }

    @Test("what HealthKit can’t return here is counted, and the sample is sent without it")
    func incomplete() async throws {
        let world = try await PushWorld()
        let type = try #require(HKObjectType.documentType(forIdentifier: .CDA))
        let detail = SampleDetail.numbers(["pages": [1]])
        let code = try #require(Catalogue.type(identifier: type.identifier)?.code)
        try world.store(
            Sample(type: code, origin: 0, start: 794_044_800, end: 794_044_802), detail)
        try await world.store.requestAuthorization(toShare: [], read: [type])
        let (watcher, push) = try await world.launch([type])
        #expect(try await watcher.sync().failures.isEmpty)
        #expect(push.state.incomplete == [type.identifier: 1])
        #expect(world.server.count(.accepted) == 1)
    }
}
