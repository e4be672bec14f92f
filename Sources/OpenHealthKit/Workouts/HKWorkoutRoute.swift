import Foundation
import HealthEngine

extension RoutePoint {
    /// What a store keeps of a location.
    init(_ location: CLLocation) {
        self.init(
            time: location.timestamp.timeIntervalSinceReferenceDate,
            latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
            altitude: location.altitude, horizontalAccuracy: location.horizontalAccuracy,
            verticalAccuracy: location.verticalAccuracy, course: location.course,
            speed: location.speed, courseAccuracy: location.courseAccuracy,
            speedAccuracy: location.speedAccuracy)
    }

    /// The location again, bit by bit.
    var location: CLLocation {
        CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: course,
            courseAccuracy: courseAccuracy ?? -1, speed: speed,
            speedAccuracy: speedAccuracy ?? -1,
            timestamp: Date(timeIntervalSinceReferenceDate: time))
    }

    /// Whether it is a place on Earth and every number can be kept.
    var isValid: Bool {
        latitude.magnitude <= 90 && longitude.magnitude <= 180
            && [
                time, altitude, horizontalAccuracy, verticalAccuracy, course, speed,
                courseAccuracy ?? 0, speedAccuracy ?? 0,
            ].allSatisfy(\.isFinite)
    }
}
