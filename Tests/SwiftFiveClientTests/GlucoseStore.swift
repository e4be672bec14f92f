import Foundation
import HealthKit

extension HKUnit {
    static let milligramsPerDeciliter: HKUnit = HKUnit.gramUnit(with: .milli).unitDivided(
        by: .literUnit(with: .deci))
    static let millimolesPerLiter: HKUnit = HKUnit.moleUnit(
        with: .milli, molarMass: HKUnitMolarMassBloodGlucose
    ).unitDivided(by: .liter())
    static let internationalUnitsPerHour: HKUnit = HKUnit.internationalUnit().unitDivided(
        by: .hour())
    static let gramsPerUnit: HKUnit = HKUnit.gram().unitDivided(by: .internationalUnit())
    var foundationUnit: Unit? {
        if self == HKUnit.milligramsPerDeciliter {
            return UnitConcentrationMass.milligramsPerDeciliter
        }
        if self == HKUnit.millimolesPerLiter {
            return UnitConcentrationMass.millimolesPerLiter(
                withGramsPerMole: HKUnitMolarMassBloodGlucose)
        }
        if self == HKUnit.gram() { return UnitMass.grams }
        return nil
    }
    var maxFractionDigits: Int {
        switch self {
        case .millimolesPerLiter: return 1;
        default: return 0
        }
    }
    var localizedShortUnitString: String {
        if self == HKUnit.millimolesPerLiter {
            return "mmol/L"
        } else if self == .milligramsPerDeciliter {
            return "mg/dL"
        } else if self == .internationalUnit() {
            return "U"
        } else {
            return String(describing: self)
        }
    }
}
extension HKQuantity: Comparable {
    public static func < (lhs: HKQuantity, rhs: HKQuantity) -> Bool {
        lhs.compare(rhs) == .orderedAscending
    }
}

struct NewGlucose: Equatable {
    var date: Date; var quantity: HKQuantity; var isDisplayOnly: Bool; var wasUserEntered: Bool;
    var syncIdentifier: String; var syncVersion = 1; var device: HKDevice?
}
struct StoredGlucose: Equatable {
    let uuid: UUID?; let provenance: String; let startDate: Date; let quantity: HKQuantity;
    let isDisplayOnly: Bool; let trend: Int?
}

let MetadataKeyGlucoseIsDisplayOnly = "com.example.GlucoseKit.HKMetadataKey.GlucoseIsDisplayOnly"

extension HKQuantitySample {
    var isDisplayOnly: Bool { metadata?[MetadataKeyGlucoseIsDisplayOnly] as? Bool ?? false }
    var createdByCurrentApp: Bool { sourceRevision.source == HKSource.default() }
    var syncIdentifier: String? { metadata?[HKMetadataKeySyncIdentifier] as? String }
    var syncVersion: Int? { metadata?[HKMetadataKeySyncVersion] as? Int }
    var automaticallyIssued: Bool? { metadata?["MetadataKeyAutomaticallyIssued"] as? Bool }
}

/// A cache of one type's samples, updated by an observer and an anchored query.
class HealthKitSampleStore {
    enum StoreError: Error { case authorizationDenied, healthKitError(HKError) }
    let healthStore: HKHealthStore
    let sampleType: HKSampleType
    let observationStart: Date
    private(set) var observerQuery: HKObserverQuery?
    private(set) var anchoredObjectQuery: HKAnchoredObjectQuery?
    private let queryAnchorLock = NSLock()
    private var _queryAnchor: HKQueryAnchor?
    var queryAnchor: HKQueryAnchor? {
        get { queryAnchorLock.lock(); defer { queryAnchorLock.unlock() }; return _queryAnchor }
        set { queryAnchorLock.lock(); _queryAnchor = newValue; queryAnchorLock.unlock() }
    }
    var createObserverQuery:
        (
            HKSampleType, NSPredicate?,
            @escaping (HKObserverQuery, @escaping HKObserverQueryCompletionHandler, Error?) -> Void
        ) -> HKObserverQuery = { HKObserverQuery(sampleType: $0, predicate: $1, updateHandler: $2) }
    init(healthStore: HKHealthStore, type: HKSampleType, observationStart: Date) {
        self.healthStore = healthStore; self.sampleType = type;
        self.observationStart = observationStart
    }
    deinit { if let q = observerQuery { healthStore.stop(q) } }
    func authorize(
        toShare: Bool = true, read: Bool = true,
        _ completion: @escaping (Result<Bool, Error>) -> Void
    ) {
        healthStore.requestAuthorization(
            toShare: toShare ? [sampleType] : [], read: read ? [sampleType] : []
        ) { completed, error in
            if let error { completion(.failure(error)) } else { completion(.success(completed)) }
        }
    }
    var authorizationRequired: Bool {
        healthStore.authorizationStatus(for: sampleType) == .notDetermined
    }
    var sharingDenied: Bool { healthStore.authorizationStatus(for: sampleType) == .sharingDenied }
    func processResults(
        added: [HKSample], deleted: [HKDeletedObject], anchor: HKQueryAnchor,
        completion: @escaping (Bool) -> Void
    ) { completion(true) }
    func createQuery() {
        let predicate = HKQuery.predicateForSamples(withStart: observationStart, end: nil)
        let q = createObserverQuery(sampleType, predicate) {
            [weak self] query, completionHandler, error in
            guard let self = self else { completionHandler(); return }
            self.observeUpdates(to: query, error: error, done: completionHandler)
        }
        observerQuery = q
        healthStore.execute(q)
    }
    private func observeUpdates(
        to query: HKObserverQuery, error: Error?, done: @escaping HKObserverQueryCompletionHandler
    ) {
        if let error = error {
            _ = error
            done()
            return
        }
        let a = HKAnchoredObjectQuery(
            type: sampleType, predicate: query.predicate, anchor: queryAnchor,
            limit: HKObjectQueryNoLimit
        ) { [weak self] query, new, deleted, anchor, error in
            guard let self, let anchor, error == nil else { done(); return }
            self.processResults(added: new ?? [], deleted: deleted ?? [], anchor: anchor) { ok in
                if ok { self.queryAnchor = anchor }; done()
            }
        }
        anchoredObjectQuery = a
        healthStore.execute(a)
    }
}

final class GlucoseStore: HealthKitSampleStore {
    private let queue = DispatchQueue(label: "GlucoseStore.queue", qos: .utility)
    private let glucoseType = HKQuantityType(.bloodGlucose)
    private var cache: [UUID: StoredGlucose] = [:]
    var onChange: (() -> Void)?
    init(healthStore: HKHealthStore, start: Date) {
        super.init(
            healthStore: healthStore, type: HKQuantityType(.bloodGlucose), observationStart: start)
    }
    override func processResults(
        added: [HKSample], deleted: [HKDeletedObject], anchor: HKQueryAnchor,
        completion: @escaping (Bool) -> Void
    ) {
        queue.async {
            for case let s as HKQuantitySample in added {
                self.cache[s.uuid] = StoredGlucose(
                    uuid: s.uuid, provenance: s.sourceRevision.source.bundleIdentifier,
                    startDate: s.startDate, quantity: s.quantity, isDisplayOnly: s.isDisplayOnly,
                    trend: nil)
            }
            for d in deleted { self.cache[d.uuid] = nil }
            completion(true)
            self.onChange?()
        }
    }
    var samples: [StoredGlucose] {
        queue.sync { cache.values.sorted { $0.startDate < $1.startDate } }
    }
    func add(
        _ values: [NewGlucose], completion: @escaping (Result<[HKQuantitySample], Error>) -> Void
    ) {
        let new = values.map { v -> HKQuantitySample in
            var metadata: [String: Any] = [
                HKMetadataKeySyncIdentifier: v.syncIdentifier,
                HKMetadataKeySyncVersion: v.syncVersion,
            ]
            if v.isDisplayOnly { metadata[MetadataKeyGlucoseIsDisplayOnly] = true }
            if v.wasUserEntered { metadata[HKMetadataKeyWasUserEntered] = true }
            metadata[HKMetadataKeyBloodGlucoseMealTime] =
                HKBloodGlucoseMealTime.preprandial.rawValue
            return HKQuantitySample(
                type: glucoseType, quantity: v.quantity, start: v.date, end: v.date,
                device: v.device, metadata: metadata)
        }
        healthStore.save(new) { ok, error in
            if let error { completion(.failure(error)) } else { completion(.success(new)) }
        }
    }
    func purge(before date: Date, completion: @escaping (Int) -> Void) {
        let p = NSCompoundPredicate(andPredicateWithSubpredicates: [
            HKQuery.predicateForObjects(from: HKSource.default()),
            NSPredicate(format: "%K < %@", HKPredicateKeyPathStartDate, date as NSDate),
        ])
        healthStore.deleteObjects(of: glucoseType, predicate: p) { _, n, e in completion(n) }
    }
    func range() -> ClosedRange<HKQuantity>? {
        let q = samples.map(\.quantity)
        guard let lo = q.min(), let hi = q.max() else { return nil }
        return lo...hi
    }
}
