import HealthSync
import Testing

struct TrackedTypeTests {
    @Test("a type without a filter has an empty filter name")
    func plainType() {
        #expect(TrackedType(HKQuantityType(.stepCount)).filterName.isEmpty)
    }
}
