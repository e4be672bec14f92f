import Foundation
import HealthEngine
import HealthTesting
import Testing

@testable import OpenHealthKit

@Suite("Batches and objects")
struct SampleObjectsTests {
    private let start = Date(timeIntervalSinceReferenceDate: 700_000_000.125)
    private let end = Date(timeIntervalSinceReferenceDate: 700_000_060.25)
    private let app = Source(name: "App", bundleIdentifier: "com.example.app")

    /// Returns objects after a save and a read.
    private func roundTrip(_ objects: [HKObject]) throws -> [HKSample] {
        let new = try SampleObjects.batch(
            of: objects, source: app,
            revision: Origin(
                source: 0, version: "4", productType: "PC", operatingSystemVersion: "6.1.2"))
        return SampleObjects.objects(
            from: new.batch, uuids: new.uuids, count: new.batch.samples.count)
    }

    @Test("§9.9 a quantity sample is read back unchanged, with its source")
    func quantity() throws {
        let sample = HKQuantitySample(
            type: HKQuantityType(.bodyMass),
            quantity: HKQuantity(unit: .pound(), doubleValue: 154.3), start: start, end: end,
            device: .local(), metadata: [HKMetadataKeyWasUserEntered: true])
        let back = try #require(try roundTrip([sample]).first as? HKDiscreteQuantitySample)
        #expect(back.uuid == sample.uuid)
        #expect(back.quantityType == sample.quantityType)
        #expect(back.startDate == start)
        #expect(back.endDate == end)
        #expect(back.quantity.doubleValue(for: .pound()) == 154.3)
        #expect(back.device == .local())
        #expect(back.metadata?[HKMetadataKeyWasUserEntered] as? Bool == true)
        let revision = back.sourceRevision
        #expect(revision.source.bundleIdentifier == "com.example.app")
        #expect(revision.version == "4")
        #expect(revision.productType == "PC")
        #expect(revision.operatingSystemVersion.minorVersion == 1)
        #expect(revision.operatingSystemVersion.patchVersion == 2)
    }

    @Test("samples of every catalogue type are read back as objects of their class")
    func everyType() throws {
        for row in Catalogue.types where row.kind != .activitySummary {
            let type = HKSampleType.of(row)
            let record = SampleRecord(uuid: UUID(), sampleType: type, start: 1, end: 1)
            let sample: HKSample
            switch type {
            case is HKQuantityType:
                let unit = try #require(row.canonicalUnit)
                sample = HKQuantitySample(_record: record, value: 2.5, unit: HKUnit(from: unit))
            case is HKCategoryType: sample = HKCategorySample(_record: record, value: 1)
            default: sample = HKSample(_record: record)
            }
            let back = try #require(try roundTrip([sample]).first)
            #expect(back.sampleType === type, "one instance a type")
            #expect(back.uuid == record.uuid)
            #expect(
                (back as? HKQuantitySample)?.quantity.value == (sample as? HKQuantitySample)?.value)
            #expect((back as? HKCategorySample)?.value == (sample as? HKCategorySample)?.value)
            #expect(
                back is HKCumulativeQuantitySample
                    == (row.aggregation == .cumulative), "\(row.name)")
        }
    }

    @Test("a correlation is read back with its members, one object for each")
    func correlation() throws {
        let readings = [HKQuantityTypeIdentifier.bloodPressureSystolic, .bloodPressureDiastolic]
            .map {
                HKQuantitySample(
                    type: HKQuantityType($0),
                    quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: 100),
                    start: start, end: start)
            }
        let pressure = HKCorrelation(
            type: HKCorrelationType(.bloodPressure), start: start, end: start,
            objects: Set(readings))
        let new = try SampleObjects.batch(of: [pressure, readings[0]], source: app)
        #expect(new.batch.samples.count == 3, "a member given twice is written once")
        #expect(new.batch.parents == [1: 0, 2: 0])
        let objects = SampleObjects.objects(
            from: new.batch, uuids: new.uuids, count: 1)
        let back = try #require(objects.first as? HKCorrelation)
        #expect(objects.count == 1, "members are no answers of their own")
        #expect(back.objects == Set(readings))
    }

    @Test("§3.8 a series, a state of mind and an assessment keep their parts")
    func details() throws {
        let beats = HKUnit(from: "count/min")
        let series = HKDiscreteQuantitySample(
            _record: SampleRecord(
                uuid: UUID(), sampleType: HKQuantityType(.heartRate), start: 0, end: 20),
            value: 65, unit: beats,
            series: [.init(start: 0, end: 10, value: 60), .init(start: 10, end: 20, value: 70)])
        let mind = HKStateOfMind(
            date: start, kind: .momentaryEmotion, valence: -0.25, labels: [.sad],
            associations: [.weather, .money])
        let answers = [HKGAD7Assessment.Answer](repeating: .severalDays, count: 7)
        let assessment = HKGAD7Assessment(date: start, answers: answers)
        let back = try roundTrip([series, mind, assessment])
        let readings = try #require(back[0] as? HKDiscreteQuantitySample)
        #expect(readings.count == 2)
        #expect(readings.maximumQuantity.doubleValue(for: beats) == 70)
        let state = try #require(back[1] as? HKStateOfMind)
        #expect(state.valence == -0.25)
        #expect(state.labels == [.sad])
        #expect(state.associations == [.weather, .money])
        #expect((back[2] as? HKGAD7Assessment)?.answers == answers)
    }

    @Test("samples with equal origins and metadata share them")
    func interning() throws {
        let samples = (0..<50).map { index in
            HKQuantitySample(
                type: HKQuantityType(.heartRate),
                quantity: HKQuantity(
                    unit: HKUnit.count().unitDivided(by: .minute()), doubleValue: Double(index)),
                start: start, end: end, metadata: ["context": 1])
        }
        let new = try SampleObjects.batch(of: samples, source: app)
        #expect(new.batch.origins.count == 1)
        #expect(new.batch.metadata.count == 1)
        let back = SampleObjects.objects(
            from: new.batch, uuids: new.uuids, count: samples.count)
        #expect(back.map(\.uuid) == samples.map(\.uuid))
        #expect(back[0].sourceRevision === back[49].sourceRevision)
    }

    @Test("a type unknown to the catalogue is read back under its name")
    func unknownType() throws {
        let name = "HKQuantityTypeIdentifierHeartRateVariabilityRMSSD"
        let row = SampleType(code: 20_000, identifier: name, name: name, kind: .quantity)
        let batch = SampleBatch(
            samples: [Sample(type: 20_000, origin: 0, start: 1, end: 1, value: 40)],
            sources: [app], origins: [Origin(source: 0, unit: "ms")])
        let back = SampleObjects.objects(
            from: batch, uuids: [SampleUUID(UUID())], count: 1, lookUp: { _ in row })
        let sample = try #require(back.first as? HKDiscreteQuantitySample)
        #expect(sample.quantityType.identifier == name)
        #expect(sample.quantity.doubleValue(for: .secondUnit(with: .milli)) == 40)
        #expect(throws: HKError.self) {
            try SampleObjects.batch(of: [sample], source: app)
        }
    }

    @Test("an object that is not a sample is rejected")
    func noSample() {
        let object = HKObject(_uuid: UUID(), origin: nil, device: nil, metadata: nil)
        let error = #expect(throws: HKError.self) {
            try SampleObjects.batch(of: [object], source: app)
        }
        #expect(error?.code == .errorInvalidArgument)
    }

    @Test("UUIDs convert in both directions without loss")
    func uuids() throws {
        for _ in 0..<100 {
            let uuid = UUID()
            #expect(UUID(SampleUUID(uuid)) == uuid)
            #expect(SampleUUID(uuid).description == uuid.uuidString)
        }
    }

    @Test("a filter matches an object in memory exactly if it matches the stored row")
    func facts() {
        let sample = HKQuantitySample(
            type: HKQuantityType(.stepCount),
            quantity: HKQuantity(unit: .count(), doubleValue: 12), start: start, end: end,
            device: .local(), metadata: ["a": "b"])
        let facts = sample.facts
        #expect(facts.typeIdentifier == "HKQuantityTypeIdentifierStepCount")
        #expect(facts.start == 700_000_000.125)
        #expect(facts.end == 700_000_060.25)
        #expect(facts.uuid == SampleUUID(sample.uuid))
        #expect(facts.quantity?.value == 12)
        #expect(facts.quantity?.unit == "count")
        #expect(facts.metadata("a") == .string("b"))
        #expect(facts.metadata("c") == nil)
        #expect(facts.device?.softwareVersion == HKDevice.local().softwareVersion)
        #expect(facts.bundleIdentifier == HKSource.default().bundleIdentifier)
        #expect(facts.categoryValue == nil)
        let sleep = HKCategorySample(
            type: HKCategoryType(.sleepAnalysis), value: 3, start: start, end: end)
        #expect(sleep.facts.categoryValue == 3)
        #expect(sleep.facts.quantity == nil)
        let mind = HKStateOfMind(
            date: start, kind: .dailyMood, valence: 0.5, labels: [.calm], associations: [])
        #expect(mind.facts.stateOfMind?.labels == [HKStateOfMind.Label.calm.rawValue])
    }
}
