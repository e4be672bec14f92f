import Foundation
import HealthSync
import OpenHealthKit
import Testing

/// Entries whose read access was revoked are marked at the next refresh.
@Suite struct MirroredWeightsTests {
    let household: Household
    let mass = HKQuantityType(.bodyMass)
    let kilo = HKUnit.gramUnit(with: .kilo)

    init() throws { household = try Household() }

    @Test("revoking permission hides other apps' rows at the next sync; granting it restores them")
    func revoked() async throws {
        try await household.authorize(share: [mass], read: [mass])
        try await household.record(
            .bodyMass, kilo, [(6, 0, 80), (7, 0, 81), (8, 0, 82)], by: household.phone)
        try await household.record(.bodyMass, kilo, [(9, 0, 83)], by: household.store)
        let weights = try await MirroredWeights(
            healthStore: household.store, mirror: try Mirror.inMemory())
        try await weights.refresh()
        #expect(try await weights.weights(.synced) == [80, 81, 82, 83])
        // The app can still read its own samples.
        try household.store.setAuthorization(.shareOnly, for: [mass])
        try await weights.refresh()
        #expect(try await weights.weights(.notVisible) == [80, 81, 82])
        #expect(try await weights.weights(.synced) == [83])
        try household.store.setAuthorization(.granted, for: [mass])
        try await weights.refresh()
        #expect(try await weights.weights(.synced) == [80, 81, 82, 83])
        #expect(try await weights.weights(.notVisible) == [])
    }

    @Test("a type without read permission is hidden completely")
    func denied() async throws {
        try await household.authorize(read: [mass])
        try await household.record(
            .bodyMass, kilo, [(6, 0, 80), (7, 0, 81)], by: household.phone)
        let weights = try await MirroredWeights(
            healthStore: household.store, mirror: try Mirror.inMemory())
        try await weights.refresh()
        try household.store.setAuthorization(.denied, for: [mass])
        try await weights.refresh()
        #expect(try await weights.weights(.notVisible) == [80, 81])
        #expect(try await weights.weights(.synced) == [])
    }
}
