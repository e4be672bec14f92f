import Foundation
import HealthSync
import OpenHealthKit
import Testing

/// Entries whose read access was revoked are marked at the next refresh.
@Suite struct MirroredWeightsTests {
    let fixture: ClientFixture
    let mass = HKQuantityType(.bodyMass)
    let kilo = HKUnit.gramUnit(with: .kilo)

    init() throws { fixture = try ClientFixture() }

    @Test("revoking permission hides other apps' rows at the next sync; granting it restores them")
    func revoked() async throws {
        try await fixture.authorize(share: [mass], read: [mass])
        try await fixture.record(
            .bodyMass, kilo, [(6, 0, 80), (7, 0, 81), (8, 0, 82)], by: fixture.phone)
        try await fixture.record(.bodyMass, kilo, [(9, 0, 83)], by: fixture.store)
        let weights = try await MirroredWeights(
            healthStore: fixture.store, mirror: try Mirror.inMemory())
        try await weights.refresh()
        #expect(try await weights.weights(.synced) == [80, 81, 82, 83])
        // The app can still read its own samples.
        try fixture.store.setAuthorization(.shareOnly, for: [mass])
        try await weights.refresh()
        #expect(try await weights.weights(.notVisible) == [80, 81, 82])
        #expect(try await weights.weights(.synced) == [83])
        try fixture.store.setAuthorization(.granted, for: [mass])
        try await weights.refresh()
        #expect(try await weights.weights(.synced) == [80, 81, 82, 83])
        #expect(try await weights.weights(.notVisible) == [])
    }

    @Test("a type without read permission is hidden completely")
    func denied() async throws {
        try await fixture.authorize(read: [mass])
        try await fixture.record(
            .bodyMass, kilo, [(6, 0, 80), (7, 0, 81)], by: fixture.phone)
        let weights = try await MirroredWeights(
            healthStore: fixture.store, mirror: try Mirror.inMemory())
        try await weights.refresh()
        try fixture.store.setAuthorization(.denied, for: [mass])
        try await weights.refresh()
        #expect(try await weights.weights(.notVisible) == [80, 81])
        #expect(try await weights.weights(.synced) == [])
    }
}
