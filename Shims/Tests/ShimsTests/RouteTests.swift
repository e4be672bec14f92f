import CoreLocation
import HealthKit
import Testing

@Suite struct RouteTests {
    @Test("in a file that imports both modules, CLLocation is one type")
    func oneType() {
        let locations: [CLLocation] = [CLLocation(latitude: 1, longitude: 2)]
        let distance: CLLocationDistance = locations[0].distance(from: locations[0])
        #expect(distance == 0)
        #expect(HKSeriesType.workoutRoute().identifier == HKWorkoutRouteTypeIdentifier)
    }
}
