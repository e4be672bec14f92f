import CoreLocation
import Testing

@Suite struct LocationTests {
    @Test("locations have their coordinates and the distance between them")
    func distance() {
        let gate = CLLocation(latitude: 52.5163, longitude: 13.3777)
        let tower = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 52.5208, longitude: 13.4094), altitude: 37,
            horizontalAccuracy: 5, verticalAccuracy: 5, timestamp: .distantPast)
        #expect(tower.coordinate.latitude == 52.5208)
        #expect(tower.altitude == 37)
        #expect(abs(gate.distance(from: tower) - 2200) < 50)
        #expect(CLLocationCoordinate2DIsValid(gate.coordinate))
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
    }
}
