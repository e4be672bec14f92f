import Foundation
import HealthCalendar
import HealthEngine
import HealthSimulator
import HealthStorage
import OpenHealthKit

/// A simulated person whose devices save and delete samples in a health store, which apps read.
final class IntakePerson {
    /// The path of the health store.
    let path: String
    /// The store that the devices write.
    let store: SampleStore
    /// All samples that were ever saved, as a receiver has them that gets no deletions and, of
    /// quantities, possibly no ends.
    let undeleted: SampleStore
    private let ends: Ends
    let zone: TimeZone
    /// The boundaries of the person's days, in reference seconds.
    let days: [Double]
    private(set) var deleted: [Saved] = []
    /// The samples that can be varied for new ones: batches with one sample each.
    private var templates: [SampleBatch] = []
    private var live: [Saved] = []

    /// What the apps send of the ends of quantity samples.
    enum Ends { case known, unknown }

    /// A sample that was saved.
    struct Saved {
        var uuid: SampleUUID
        /// The code of its type.
        var type: Int32
        var bundleIdentifier: String
    }

    /// Creates the person's stores in a folder, with the simulated days.
    init(
        _ person: SimulatedPerson, ends: Ends, folder: String, _ random: inout TortureRandom
    ) throws {
        self.ends = ends
        path = folder + "/phone.sqlite"
        store = try SampleStore(at: path, access: .creating)
        undeleted = try SampleStore.inMemory()
        zone = TimeZone(identifier: person.homeTimeZone) ?? .gmt
        let simulation = try Simulation(person)
        let first = CivilDate(dayNumber: person.end.dayNumber - (person.days ?? 1) - 1)
        let last = CivilDate(dayNumber: person.end.dayNumber + 1)
        let buckets = CalendarBuckets(timeZone: zone)
        days = try buckets.edges(
            from: buckets.time(first.description), to: buckets.time(last.description), by: .day)
        for var batch in simulation.batches {
            // Rings are no samples; no format carries them.
            if batch.samples.contains(where: { Self.kind($0) == .activitySummary }) { continue }
            for index in batch.details.keys { Self.simplify(&batch.details[index]) }
            addTemplates(of: batch, &random)
            try save(batch, &random)
        }
        try save(Self.otherReadings(person, simulation.exportDate - 100_000, &random), &random)
    }

    /// Removes what the formats of this client don't carry: routes and beats.
    private static func simplify(_ detail: inout SampleDetail?) {
        guard case .workout(var workout) = detail else { return }
        workout.routes = []
        workout.activities = []
        detail = .workout(workout)
    }

    private static func kind(_ sample: Sample) -> SampleType.Kind? {
        Catalogue.type(code: sample.type)?.kind
    }

    private func addTemplates(of batch: SampleBatch, _ random: inout TortureRandom) {
        for (index, sample) in batch.samples.enumerated() where batch.parents[index] == nil {
            guard let kind = Self.kind(sample), kind != .correlation, random.percent(10) else {
                continue
            }
            var single = batch
            single.samples = [sample]
            single.details = batch.details[index].map { [0: $0] } ?? [:]
            single.parents = [:]
            templates.append(single)
        }
    }

    private func save(_ batch: SampleBatch, _ random: inout TortureRandom) throws {
        let uuids = batch.samples.map { _ in random.uuid() }
        let moment = batch.samples[0].end + 60
        try store.save(batch, uuids: uuids, at: moment)
        var sent = batch
        for index in sent.samples.indices
        where ends == .unknown && Self.kind(sent.samples[index]) == .quantity {
            sent.samples[index].end = sent.samples[index].start
        }
        try undeleted.save(sent, uuids: uuids, at: moment)
        for (uuid, sample) in zip(uuids, batch.samples) {
            live.append(
                Saved(
                    uuid: uuid, type: sample.type,
                    bundleIdentifier: batch.source(of: sample).bundleIdentifier))
        }
    }

    /// Saves a few new samples, and deletes a few samples by their sources. Some of the deleted
    /// samples are new ones, which no app has read.
    func change(_ random: inout TortureRandom) throws {
        let known = Set(live.map(\.uuid))
        for _ in 0..<(3 + random.below(12)) {
            try save(varied(random.pick(templates), &random), &random)
        }
        var doomed: [String: [SampleUUID]] = [:]
        for _ in 0..<(2 + random.below(12)) where !live.isEmpty {
            let index =
                random.percent(20)
                ? max(0, live.count - 1 - random.below(5)) : random.below(live.count)
            let saved = live.remove(at: index)
            doomed[saved.bundleIdentifier, default: []].append(saved.uuid)
            deleted.append(saved)
        }
        for (bundle, uuids) in doomed.sorted(by: { $0.key < $1.key }) {
            try store.delete(uuids, by: bundle)
            let unread = uuids.filter { !known.contains($0) }
            if !unread.isEmpty { try undeleted.delete(unread, by: bundle) }
        }
    }

    /// Returns a sample like a given one, some minutes or hours earlier or later. A workout gets
    /// another activity.
    private func varied(_ batch: SampleBatch, _ random: inout TortureRandom) -> SampleBatch {
        var batch = batch
        let shift = Double(random.below(20_000) - 10_000)
        batch.samples[0].start += shift
        batch.samples[0].end += shift
        batch.samples[0].created = .nan
        if Self.kind(batch.samples[0]) == .quantity, batch.samples[0].value > 20 {
            batch.samples[0].value += Double(random.below(5))
        }
        guard case .workout(var workout) = batch.details[0] else { return batch }
        workout.activityType = random.pick(Self.activities)
        workout.events = []
        let distance = Workout.distanceType(ofActivity: workout.activityType)
        for index in workout.statistics.indices {
            workout.statistics[index].start = nil
            workout.statistics[index].end = nil
            if workout.statistics[index].type.contains("IdentifierDistance") {
                workout.statistics[index].type = distance
            }
        }
        batch.details[0] = .workout(workout)
        return batch
    }

    /// `HKWorkoutActivityType` raw values.
    private static let activities = [13, 16, 20, 24, 35, 37, 46, 50, 52, 57, 61, 63, 66, 71, 3000]
}

// MARK: - Other types

extension IntakePerson {
    /// Types that the simulator lacks, each with a unit and a value.
    private static let readings: [(type: String, unit: String, value: Double)] = [
        ("BodyFatPercentage", "%", 0.231), ("BodyMassIndex", "count", 24.1),
        ("LeanBodyMass", "kg", 58.4), ("Height", "cm", 178), ("WaistCircumference", "cm", 91),
        ("BodyTemperature", "degC", 36.7), ("RespiratoryRate", "count/min", 15),
        ("BloodGlucose", "mg/dL", 97), ("VO2Max", "mL/min·kg", 41.25),
        ("WalkingSpeed", "km/hr", 4.9), ("WalkingStepLength", "cm", 71),
        ("WalkingAsymmetryPercentage", "%", 0.031),
        ("WalkingDoubleSupportPercentage", "%", 0.284), ("DietaryWater", "mL", 330),
        ("DietaryCarbohydrates", "g", 61.5), ("DietaryFatTotal", "g", 12.25),
        ("DistanceCycling", "km", 7.125), ("DistanceSwimming", "m", 850),
        ("SixMinuteWalkTestDistance", "m", 512),
    ]

    private static let categories: [(type: String, value: Double)] = [
        ("MindfulSession", 0), ("CervicalMucusQuality", 3), ("OvulationTestResult", 2),
    ]

    private static func otherReadings(
        _ person: SimulatedPerson, _ time: Double, _ random: inout TortureRandom
    ) -> SampleBatch {
        var batch = SampleBatch(
            sources: [Source(name: "Vitality", bundleIdentifier: "com.example.vitality")])
        func add(_ type: String, _ unit: String?, _ value: Double, _ seconds: Double) {
            guard let code = Catalogue.type(identifier: type)?.code else { return }
            let origin = Origin(source: 0, version: "2.0", unit: unit)
            let start = time.rounded() - Double(random.below(60_000))
            batch.origins.append(origin)
            batch.samples.append(
                Sample(
                    type: code, origin: Int32(batch.origins.count - 1), start: start,
                    end: start + seconds, value: value))
        }
        for (type, unit, value) in readings {
            add("HKQuantityTypeIdentifier" + type, unit, value, 0)
        }
        for (type, value) in categories { add("HKCategoryTypeIdentifier" + type, nil, value, 60) }
        return batch
    }
}
