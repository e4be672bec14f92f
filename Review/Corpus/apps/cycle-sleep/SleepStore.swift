import HealthKit

struct SleepSegment: Hashable {
    enum Kind { case inBed, asleep, awake }
    let kind: Kind
    let start: Date
    let end: Date
    let source: String
}

class SleepStore {

    let healthStore: HKHealthStore
    let sleepType = HKCategoryType(.sleepAnalysis)

    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    func segments(from start: Date, to end: Date, completion: @escaping ([SleepSegment], Error?) -> Void) {
        let predicate = HKQuery.predicateForSamples(withStart: start, end: end, options: [])
        let query = HKSampleQuery(
            sampleType: sleepType, predicate: predicate, limit: HKObjectQueryNoLimit,
            sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true)]
        ) { _, samples, error in
            guard let samples = samples as? [HKCategorySample] else {
                completion([], error)
                return
            }
            // The watch knows more than the phone.
            let fromWatch = samples.filter { $0.sourceRevision.source.name.lowercased().contains("watch") } // finds source-by-name
            let best = fromWatch.isEmpty ? samples : fromWatch
            completion(best.compactMap(Self.segment), nil)
        }
        healthStore.execute(query)
    }

    private static func segment(_ sample: HKCategorySample) -> SleepSegment? {
        guard let value = HKCategoryValueSleepAnalysis(rawValue: sample.value) else { return nil }
        let kind: SleepSegment.Kind
        switch value {
        case .inBed: kind = .inBed
        case .awake: kind = .awake
        case .asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM: kind = .asleep
        @unknown default: return nil
        }
        return SleepSegment(
            kind: kind, start: sample.startDate, end: sample.endDate, source: sample.sourceRevision.source.name)
    }

    /// Grouped by source for the detail screen, the names only shown.
    func bySource(_ segments: [SleepSegment]) -> [(name: String, hours: Double)] {
        Dictionary(grouping: segments.filter { $0.kind == .asleep }, by: \.source)
            .map { name, segments in
                (name, segments.reduce(0) { $0 + $1.end.timeIntervalSince($1.start) } / 3600)
            }
            .sorted { $0.name < $1.name }
    }

    func saveInBed(from start: Date, to end: Date, completion: @escaping (Bool, Error?) -> Void) {
        let sample = HKCategorySample(
            type: sleepType, value: HKCategoryValueSleepAnalysis.inBed.rawValue, start: start, end: end)
        healthStore.save(sample, withCompletion: completion)
    }
}
