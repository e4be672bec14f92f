import Foundation
import FoundationGaps
import HealthTesting
import Testing

@Suite("Locations")
struct LocationTests {
    @Test(
        "a degree of longitude on the equator is 111,319.49 m, one of latitude 110,574.39 m",
        .covers("CLLocation", "CLLocation.distance(from:)", "CLLocation.init(latitude:longitude:)"))
    func degrees() {
        let origin = CLLocation(latitude: 0, longitude: 0)
        #expect(
            abs(origin.distance(from: CLLocation(latitude: 0, longitude: 1)) - 111_319.491) < 0.001)
        #expect(
            abs(origin.distance(from: CLLocation(latitude: 1, longitude: 0)) - 110_574.389) < 0.001)
        #expect(origin.distance(from: origin) == 0)
    }

    @Test("the line that geodesy's textbooks measure, Flinders Peak to Buninyong, is 54,972.271 m")
    func flinders() {
        // The worked example of Australia's geodetic manual. Its ellipsoid equals WGS 84's to
        // within 0.1 mm.
        let peak = CLLocation(latitude: -37.951_033_416_7, longitude: 144.424_867_888_9)
        let town = CLLocation(latitude: -37.652_821_138_9, longitude: 143.926_495_527_8)
        #expect(abs(peak.distance(from: town) - 54_972.271) < 0.001)
        #expect(abs(peak.distance(from: town) - town.distance(from: peak)) < 1e-6)
    }

    @Test("places opposite to each other are half the Earth apart, and nothing hangs")
    func antipodes() {
        let distance = CLLocation(latitude: 0, longitude: 0).distance(
            from: CLLocation(latitude: 0.3, longitude: 179.7))
        #expect((19_900_000...20_040_000).contains(distance))
        #expect(
            CLLocation(latitude: .nan, longitude: 0)
                .distance(from: CLLocation(latitude: 0, longitude: 0)).isNaN)
    }

    @Test(
        "every property comes back from an archive bit by bit",
        .covers("CLLocation.coordinate", "CLLocation.timestamp", "CLLocation.altitude"))
    func archive() throws {
        let location = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 48.1, longitude: -11.5), altitude: 519.25,
            horizontalAccuracy: 4, verticalAccuracy: 3, course: 90.5, courseAccuracy: 2,
            speed: 3.25,
            speedAccuracy: 0.5, timestamp: Date(timeIntervalSinceReferenceDate: 0.1))
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: location, requiringSecureCoding: true)
        let copy = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data))
        #expect(copy.coordinate.latitude == 48.1)
        #expect(copy.coordinate.longitude == -11.5)
        #expect(copy.altitude == 519.25)
        #expect(copy.ellipsoidalAltitude == 519.25)
        #expect(copy.horizontalAccuracy == 4)
        #expect(copy.verticalAccuracy == 3)
        #expect(copy.course == 90.5)
        #expect(copy.courseAccuracy == 2)
        #expect(copy.speed == 3.25)
        #expect(copy.speedAccuracy == 0.5)
        #expect(copy.timestamp.timeIntervalSinceReferenceDate == 0.1)
        #expect(copy.floor == nil)
    }

    @Test("what an initializer isn't told is negative, as CoreLocation has it")
    func unknown() {
        let place = CLLocationCoordinate2DMake(1, 2)
        let location = CLLocation(
            coordinate: place, altitude: 0, horizontalAccuracy: 1, verticalAccuracy: 1,
            timestamp: Date())
        #expect(location.course == -1)
        #expect(location.speed == -1)
        #expect(location.courseAccuracy == -1)
        #expect(location.speedAccuracy == -1)
        #expect(CLLocation(latitude: 1, longitude: 2).verticalAccuracy == -1)
    }

    @Test(
        "a coordinate is valid from pole to pole and round the Earth",
        .covers("CLLocationCoordinate2DIsValid(_:)", "kCLLocationCoordinate2DInvalid"))
    func validity() {
        #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(-90, 180)))
        #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(90.1, 0)))
        #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(0, -180.1)))
        #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(.nan, 0)))
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
    }
}
