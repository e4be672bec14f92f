import CoreData
import Foundation
import HealthKit

public struct StoredGlucoseSample: Equatable {
    public let uuid: UUID
    public let syncIdentifier: String?
    public let startDate: Date
    public let quantity: HKQuantity
    public let isOurs: Bool
}

extension HKUnit {
    static let milligramsPerDeciliter = HKUnit.gramUnit(with: .milli).unitDivided(by: .literUnit(with: .deci))
    static let millimolesPerLiter = HKUnit
        .moleUnit(with: .milli, molarMass: HKUnitMolarMassBloodGlucose).unitDivided(by: .liter())
}

public final class GlucoseStore: HealthKitSampleStore {

    private let context: NSManagedObjectContext
    private let dataAccessQueue = DispatchQueue(label: "org.example.loopstore.glucose", qos: .utility)
    private var latest: StoredGlucoseSample?

    public init(healthStore: HKHealthStore, context: NSManagedObjectContext, keeping interval: TimeInterval) {
        self.context = context
        super.init(
            healthStore: healthStore, type: HKQuantityType(.bloodGlucose),
            observationStart: Date(timeIntervalSinceNow: -interval))
    }

    override func processResults(
        added: [HKSample], deleted: [HKDeletedObject], completion: @escaping (Bool) -> Void
    ) {
        dataAccessQueue.async {
            var failed = false
            self.context.performAndWait {
                for sample in added.compactMap({ $0 as? HKQuantitySample }) {
                    let object = CachedGlucose(context: self.context)
                    object.update(from: sample)
                }
                for object in deleted {
                    CachedGlucose.delete(uuid: object.uuid, in: self.context)
                }
                do {
                    try self.context.save()
                } catch {
                    self.context.rollback()
                    failed = true
                }
            }
            completion(!failed)
        }
    }

    /// Samples of a sensor, each once in HealthKit by its sync identifier.
    public func add(_ samples: [NewGlucoseSample], completion: @escaping (Result<Void, Error>) -> Void) {
        let objects = samples.map { sample in
            HKQuantitySample(
                type: HKQuantityType(.bloodGlucose),
                quantity: HKQuantity(unit: .milligramsPerDeciliter, doubleValue: sample.milligrams),
                start: sample.date, end: sample.date,
                device: sample.device,
                metadata: [
                    HKMetadataKeySyncIdentifier: sample.syncIdentifier,
                    HKMetadataKeySyncVersion: 1,
                ])
        }
        healthStore.save(objects) { success, error in
            if let error = error {
                completion(.failure(error))
            } else {
                completion(.success(()))
            }
        }
    }

    public func average(last hours: Int, completion: @escaping (Double?) -> Void) {
        let start = Date().addingTimeInterval(-Double(hours) * 3600)
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.bloodGlucose),
            quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: nil),
            options: [.discreteAverage, .discreteMin]
        ) { _, statistics, _ in
            completion(statistics?.averageQuantity()?.doubleValue(for: .milligramsPerDeciliter))
        }
        healthStore.execute(query)
    }

    public func timeInRange(
        from start: Date, to end: Date, range: ClosedRange<Double>, completion: @escaping (Double) -> Void
    ) {
        let query = HKSampleQuery(
            sampleType: sampleType,
            predicate: HKQuery.predicateForSamples(withStart: start, end: end),
            limit: HKObjectQueryNoLimit,
            sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true)]
        ) { _, samples, _ in
            let values = (samples as? [HKQuantitySample] ?? []).map {
                $0.quantity.doubleValue(for: .milligramsPerDeciliter)
            }
            let mean = values.reduce(0, +) / Double(max(values.count, 1))
            let inside = values.filter(range.contains).count
            completion(values.isEmpty ? mean : Double(inside) / Double(values.count))
        }
        healthStore.execute(query)
    }

    /// Removes what the cache no longer has, so Health shows the same as the app.
    func purgeStaleGlucose(before date: Date, completion: @escaping (Error?) -> Void) {
        context.performAndWait {
            let keep = CachedGlucose.all(since: date, in: context).map(\.uuid)
            let query = HKSampleQuery(
                sampleType: sampleType, predicate: HKQuery.predicateForSamples(withStart: nil, end: date),
                limit: HKObjectQueryNoLimit, sortDescriptors: nil
            ) { _, samples, error in
                let stale = (samples ?? []).filter { !keep.contains($0.uuid) }
                guard !stale.isEmpty else { completion(error); return }
                self.healthStore.delete(stale) { _, error in // finds mirror-deletes
                    completion(error)
                }
            }
            healthStore.execute(query)
        }
    }
}

public struct NewGlucoseSample {
    public let date: Date
    public let milligrams: Double
    public let syncIdentifier: String
    public let device: HKDevice?
}

@objc(CachedGlucose)
final class CachedGlucose: NSManagedObject {
    @NSManaged var uuid: UUID
    @NSManaged var startDate: Date
    @NSManaged var value: Double

    func update(from sample: HKQuantitySample) {
        uuid = sample.uuid
        startDate = sample.startDate
        value = sample.quantity.doubleValue(for: .milligramsPerDeciliter)
    }

    static func all(since date: Date, in context: NSManagedObjectContext) -> [CachedGlucose] {
        let request = NSFetchRequest<CachedGlucose>(entityName: "CachedGlucose")
        request.predicate = NSPredicate(format: "startDate >= %@", date as NSDate)
        return (try? context.fetch(request)) ?? []
    }

    static func delete(uuid: UUID, in context: NSManagedObjectContext) {
        let request = NSFetchRequest<CachedGlucose>(entityName: "CachedGlucose")
        request.predicate = NSPredicate(format: "uuid == %@", uuid as NSUUID)
        for object in (try? context.fetch(request)) ?? [] { context.delete(object) }
    }
}
