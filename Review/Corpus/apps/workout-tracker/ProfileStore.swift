// Age, sex and the most recent weight and height.
import HealthKit

enum ProfileStore {
    static func ageAndSex() throws -> (age: Int, sex: HKBiologicalSex) {
        let store = HealthKitSetup.store
        let birthday = try store.dateOfBirthComponents()
        let sex = try store.biologicalSex().biologicalSex
        let year = Calendar.current.component(.year, from: Date())
        return (year - (birthday.year ?? year), sex) // finds age-by-years
    }

    static func mostRecent(
        _ type: HKQuantityType, completion: @escaping (HKQuantitySample?, Error?) -> Void
    ) {
        let past = HKQuery.predicateForSamples(
            withStart: .distantPast, end: Date(), options: .strictEndDate)
        let newest = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
        let query = HKSampleQuery(
            sampleType: type, predicate: past, limit: 1, sortDescriptors: [newest]
        ) { _, samples, error in
            DispatchQueue.main.async {
                completion(samples?.first as? HKQuantitySample, error)
            }
        }
        HealthKitSetup.store.execute(query)
    }

    static func saveBodyMassIndex(_ index: Double, date: Date) {
        guard let type = HKQuantityType.quantityType(forIdentifier: .bodyMassIndex) else { return }
        let quantity = HKQuantity(unit: .count(), doubleValue: index)
        let sample = HKQuantitySample(type: type, quantity: quantity, start: date, end: date)
        HealthKitSetup.store.save(sample) { success, error in
            if let error = error {
                print("BMI not saved: \(error.localizedDescription)")
            }
        }
    }

    static func weightHistory(completion: @escaping ([HKQuantitySample]) -> Void) {
        let query = HKSampleQuery(  // finds unbounded-query
            sampleType: HKQuantityType(.bodyMass), predicate: nil, limit: HKObjectQueryNoLimit,
            sortDescriptors: nil
        ) { _, samples, _ in
            DispatchQueue.main.async { completion(samples as? [HKQuantitySample] ?? []) }
        }
        HealthKitSetup.store.execute(query)
    }
}
