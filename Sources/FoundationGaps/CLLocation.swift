public import Foundation

/// A storey of a building: 0 is the ground floor.
// Immutable.
open class CLFloor: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let number: Int

    /// A storey by its number; not Apple's.
    public init(_level: Int) { number = _level }

    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived storey.
    public required init?(coder: NSCoder) { number = coder.decodeInteger(forKey: "level") }

    open func encode(with coder: NSCoder) { coder.encode(number, forKey: "level") }
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// 0 for the ground floor, negative below it.
    open var level: Int { number }
}

/// A place at a moment, as a receiver measured it: what a workout's route consists of.
///
/// CoreLocation's class, here without a receiver. What isn't known is negative (accuracies,
/// course, speed), as CoreLocation has it.
// Immutable.
open class CLLocation: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let place: CLLocationCoordinate2D
    private let height: CLLocationDistance
    private let horizontal: CLLocationAccuracy
    private let vertical: CLLocationAccuracy
    private let heading: CLLocationDirection
    private let headingAccuracy: CLLocationDirectionAccuracy
    private let pace: CLLocationSpeed
    private let paceAccuracy: CLLocationSpeedAccuracy
    private let moment: Date

    /// A place with everything known about it.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
        courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed,
        speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
    ) {
        place = coordinate
        height = altitude
        horizontal = hAccuracy
        vertical = vAccuracy
        heading = course
        headingAccuracy = courseAccuracy
        pace = speed
        paceAccuracy = speedAccuracy
        moment = timestamp
    }

    /// A place with course and speed whose accuracies aren't known.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
        speed: CLLocationSpeed, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
            verticalAccuracy: vAccuracy, course: course, courseAccuracy: -1, speed: speed,
            speedAccuracy: -1, timestamp: timestamp)
    }

    /// A place at a moment, without course and speed.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
            verticalAccuracy: vAccuracy, course: -1, speed: -1, timestamp: timestamp)
    }

    /// A place, now: altitude and horizontal accuracy are 0, the rest isn't known.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            altitude: 0, horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
    }

    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived location.
    public required init?(coder: NSCoder) {
        place = CLLocationCoordinate2D(
            latitude: coder.decodeDouble(forKey: "latitude"),
            longitude: coder.decodeDouble(forKey: "longitude"))
        height = coder.decodeDouble(forKey: "altitude")
        horizontal = coder.decodeDouble(forKey: "horizontalAccuracy")
        vertical = coder.decodeDouble(forKey: "verticalAccuracy")
        heading = coder.decodeDouble(forKey: "course")
        headingAccuracy = coder.decodeDouble(forKey: "courseAccuracy")
        pace = coder.decodeDouble(forKey: "speed")
        paceAccuracy = coder.decodeDouble(forKey: "speedAccuracy")
        moment = Date(
            timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timestamp"))
    }

    open func encode(with coder: NSCoder) {
        coder.encode(place.latitude, forKey: "latitude")
        coder.encode(place.longitude, forKey: "longitude")
        coder.encode(height, forKey: "altitude")
        coder.encode(horizontal, forKey: "horizontalAccuracy")
        coder.encode(vertical, forKey: "verticalAccuracy")
        coder.encode(heading, forKey: "course")
        coder.encode(headingAccuracy, forKey: "courseAccuracy")
        coder.encode(pace, forKey: "speed")
        coder.encode(paceAccuracy, forKey: "speedAccuracy")
        coder.encode(moment.timeIntervalSinceReferenceDate, forKey: "timestamp")
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Where.
    open var coordinate: CLLocationCoordinate2D { place }
    /// Metres above sea level.
    open var altitude: CLLocationDistance { height }
    /// Metres above the ellipsoid; nobody measures it here, so it is ``altitude``.
    open var ellipsoidalAltitude: CLLocationDistance { height }
    /// The radius, in metres, that the place lies within.
    open var horizontalAccuracy: CLLocationAccuracy { horizontal }
    /// Metres that the altitude may be off.
    open var verticalAccuracy: CLLocationAccuracy { vertical }
    /// Where to, in degrees clockwise from north.
    open var course: CLLocationDirection { heading }
    /// Degrees that the course may be off.
    open var courseAccuracy: CLLocationDirectionAccuracy { headingAccuracy }
    /// How fast, in metres a second.
    open var speed: CLLocationSpeed { pace }
    /// Metres a second that the speed may be off.
    open var speedAccuracy: CLLocationSpeedAccuracy { paceAccuracy }
    /// When.
    open var timestamp: Date { moment }
    /// The storey of a building; nil, as no receiver tells it here.
    open var floor: CLFloor? { nil }

    /// Metres between two places along the ground, heights left out: one degree of longitude on
    /// the equator is 111,319.49.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        Geodesic.distance(coordinate, location.coordinate)
    }

    /// "<+37.33000000,-122.01000000> +/- 5.00m (speed 3.00 mps / course 90.00) @ …".
    open override var description: String {
        func signed(_ degrees: Double) -> String { String(format: "%+.8f", degrees) }
        let motion = String(format: "(speed %.2f mps / course %.2f)", pace, heading)
        let radius = String(format: "%.2f", horizontal)
        return "<\(signed(place.latitude)),\(signed(place.longitude))> +/- \(radius)m "
            + "\(motion) @ \(moment)"
    }
}
