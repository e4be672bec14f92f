import Foundation
import HealthStorage

@testable import OpenHealthKit

/// What another process does to a store's file: it has a connection of its own.
enum OtherConnection {
    static func save(_ sample: HKQuantitySample, in path: String) throws {
        let store = try SampleStore(at: path, access: .writing)
        let app = AppIdentity("com.example.other")
        let writing = try SampleObjects.batch(of: [sample], source: app.source.value)
        try store.save(
            writing.batch, uuids: writing.uuids, at: Date().timeIntervalSinceReferenceDate)
    }
}
