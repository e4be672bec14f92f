public import Foundation
import FoundationGaps
public import HealthEngine

/// The route of a workout. ``HKWorkoutRouteQuery`` returns its locations.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKWorkoutRoute: HKSeriesSample, @unchecked Sendable {
    /// The points in chronological order; empty if a query has to read them from the store.
    let points: [RoutePoint]

    /// Creates a route from its record. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _record: The properties that all samples have.
    ///   - points: The points in chronological order.
    public init(_record: SampleRecord, points: [RoutePoint]) {
        self.points = points
        super.init(_record: _record, count: points.count)
    }

    /// Creates a route without its points, which a query reads from the store.
    init(_record: SampleRecord, storedCount: Int) {
        points = []
        super.init(_record: _record, count: storedCount)
    }

    /// Decodes a route; nil if its UUID or type is missing.
    public required init?(coder: NSCoder) {
        points = coder.property([RoutePoint].self, "points") ?? []
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(property: points, for: "points")
    }

    override var detail: SampleDetail? { .route(points) }
}

extension RoutePoint {
    /// Converts a location to its stored form.
    init(_ location: CLLocation) {
        self.init(
            time: location.timestamp.timeIntervalSinceReferenceDate,
            latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
            altitude: location.altitude, horizontalAccuracy: location.horizontalAccuracy,
            verticalAccuracy: location.verticalAccuracy, course: location.course,
            speed: location.speed, courseAccuracy: location.courseAccuracy,
            speedAccuracy: location.speedAccuracy)
    }

    /// The location with bit-equal values. If the course or speed accuracy is not stored, it is -1.
    var location: CLLocation {
        CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: course,
            courseAccuracy: courseAccuracy ?? -1, speed: speed,
            speedAccuracy: speedAccuracy ?? -1,
            timestamp: Date(timeIntervalSinceReferenceDate: time))
    }

    /// Whether the latitude is within ±90°, the longitude within ±180° and all numbers are finite.
    var isValid: Bool {
        latitude.magnitude <= 90 && longitude.magnitude <= 180
            && [
                time, altitude, horizontalAccuracy, verticalAccuracy, course, speed,
                courseAccuracy ?? 0, speedAccuracy ?? 0,
            ].allSatisfy(\.isFinite)
    }
}
