//
//  ProfileDataStore.swift
//  StepBuddy
//

import HealthKit

class ProfileDataStore {

    class func getAgeAndSex() throws -> (age: Int, biologicalSex: HKBiologicalSex) {
        let healthKitStore = HealthKitManager.sharedInstance.healthStore
        let birthday = try healthKitStore.dateOfBirthComponents()
        let biologicalSex = try healthKitStore.biologicalSex()

        let today = Date()
        let calendar = Calendar.current
        let todayComponents = calendar.dateComponents([.year], from: today)
        let thisYear = todayComponents.year ?? 0
        let age = thisYear - (birthday.year ?? thisYear) // finds age-by-years
        return (age, biologicalSex.biologicalSex)
    }

    class func getMostRecentSample(for sampleType: HKSampleType,
                                   completion: @escaping (HKQuantitySample?, Error?) -> Swift.Void) {
        let mostRecentPredicate = HKQuery.predicateForSamples(withStart: Date.distantPast,
                                                              end: Date(),
                                                              options: .strictEndDate)
        let sortDescriptor = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
        let limit = 1

        let sampleQuery = HKSampleQuery(sampleType: sampleType,
                                        predicate: mostRecentPredicate,
                                        limit: limit,
                                        sortDescriptors: [sortDescriptor]) { (query, samples, error) in
            DispatchQueue.main.async {
                guard let samples = samples, let mostRecentSample = samples.first as? HKQuantitySample else {
                    completion(nil, error)
                    return
                }
                completion(mostRecentSample, nil)
            }
        }
        HealthKitManager.sharedInstance.healthStore.execute(sampleQuery)
    }

    class func saveBodyMassIndexSample(bodyMassIndex: Double, date: Date) {
        guard let bodyMassIndexType = HKQuantityType.quantityType(forIdentifier: .bodyMassIndex) else {
            print("Body Mass Index Type is no longer available in HealthKit")
            return
        }
        let bodyMassQuantity = HKQuantity(unit: HKUnit.count(), doubleValue: bodyMassIndex)
        let sample = HKQuantitySample(type: bodyMassIndexType, quantity: bodyMassQuantity, start: date, end: date)
        HealthKitManager.sharedInstance.healthStore.save(sample) { (success, error) in
            if let error = error {
                print("Error Saving BMI Sample: \(error.localizedDescription)")
            } else {
                print("Successfully saved BMI Sample")
            }
        }
    }
}

extension HKBiologicalSex {
    var stringRepresentation: String {
        switch self {
        case .notSet: return "Unknown"
        case .female: return "Female"
        case .male: return "Male"
        case .other: return "Other"
        @unknown default: return "Unknown"
        }
    }
}

extension HKUnit {
    /// What the scales show, by the region of the phone.
    static var preferredMass: HKUnit {
        return Locale.current.usesMetricSystem ? HKUnit.gramUnit(with: .kilo) : HKUnit.pound()
    }
}
