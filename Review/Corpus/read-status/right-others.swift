// Statuses of cameras, calendars and places; of types that nobody here asks for; before a save.
import AVFoundation
import CoreLocation
import EventKit
import HealthKit

final class Statuses {
    private let healthStore: HKHealthStore
    private let events = EKEventStore()

    init(store: HKHealthStore) { healthStore = store }

    var canReadEvents: Bool { EKEventStore.authorizationStatus(for: .event) == .fullAccess }
    var canReadPictures: Bool { AVCaptureDevice.authorizationStatus(for: .video) == .authorized }

    func status(of type: HKObjectType) -> HKAuthorizationStatus {
        healthStore.authorizationStatus(for: type)
    }

    func readAuthorizationStatus(of type: HKObjectType) -> String {
        switch healthStore.authorizationStatus(for: type) {
        case .sharingAuthorized: "shared"
        default: "not shared"
        }
    }

    func keep(_ sample: HKQuantitySample, replacing range: NSPredicate) {
        guard healthStore.authorizationStatus(for: sample.quantityType) == .sharingAuthorized else {
            return
        }
        let query = HKSampleQuery(
            sampleType: sample.quantityType, predicate: range, limit: 1, sortDescriptors: nil
        ) { _, found, _ in
            if found?.isEmpty == true { self.healthStore.save(sample) { _, _ in } }
        }
        healthStore.execute(query)
    }
}
