// What reads from HealthKit and sends it.
import Foundation
import HealthKit

struct Sync {
    let transport: any Transport

    func push(_ samples: [HKQuantitySample]) async throws {
        let values = samples.map { $0.quantity.doubleValue(for: .count()) }
        try await transport.send(JSONEncoder().encode(values), to: "steps")
    }
}
