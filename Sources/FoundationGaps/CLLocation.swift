public import Foundation

/// A floor of a building.
// Immutable.
open class CLFloor: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let number: Int

    /// Creates a floor. Apple's class has no public initializer.
    ///
    /// - Parameter _level: The number of the floor; 0 is the ground floor.
    public init(_level: Int) { number = _level }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Creates a floor from an archive.
    ///
    /// - Parameter coder: The unarchiver.
    public required init?(coder: NSCoder) { number = coder.decodeInteger(forKey: "level") }

    /// Archives the floor.
    open func encode(with coder: NSCoder) { coder.encode(number, forKey: "level") }
    /// Returns this object, which is immutable.
    ///
    /// - Parameter zone: Ignored.
    /// - Returns: This object.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The number of the floor: 0 for the ground floor, negative below it.
    open var level: Int { number }
}

/// A measured location: a coordinate with accuracies, course, speed and time. Workout routes
/// consist of locations.
///
/// Corresponds to CoreLocation's class; there is no location service on Linux. Unknown accuracies,
/// courses and speeds are negative.
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

    /// Creates a location.
    ///
    /// - Parameters:
    ///   - coordinate: The latitude and longitude, in WGS 84.
    ///   - altitude: Metres above sea level.
    ///   - hAccuracy: The horizontal accuracy in metres; negative if unknown.
    ///   - vAccuracy: The accuracy of the altitude in metres; negative if unknown.
    ///   - course: Degrees clockwise from north; negative if unknown.
    ///   - courseAccuracy: The accuracy of the course in degrees; negative if unknown.
    ///   - speed: Metres per second; negative if unknown.
    ///   - speedAccuracy: The accuracy of the speed in metres per second; negative if unknown.
    ///   - timestamp: The time of the measurement.
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

    /// Creates a location with unknown accuracies of course and speed.
    ///
    /// - Parameters:
    ///   - coordinate: The latitude and longitude, in WGS 84.
    ///   - altitude: Metres above sea level.
    ///   - hAccuracy: The horizontal accuracy in metres; negative if unknown.
    ///   - vAccuracy: The accuracy of the altitude in metres; negative if unknown.
    ///   - course: Degrees clockwise from north; negative if unknown.
    ///   - speed: Metres per second; negative if unknown.
    ///   - timestamp: The time of the measurement.
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

    /// Creates a location with unknown course and speed.
    ///
    /// - Parameters:
    ///   - coordinate: The latitude and longitude, in WGS 84.
    ///   - altitude: Metres above sea level.
    ///   - hAccuracy: The horizontal accuracy in metres; negative if unknown.
    ///   - vAccuracy: The accuracy of the altitude in metres; negative if unknown.
    ///   - timestamp: The time of the measurement.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
            verticalAccuracy: vAccuracy, course: -1, speed: -1, timestamp: timestamp)
    }

    /// Creates a location at the current time. Altitude and horizontal accuracy are 0; vertical
    /// accuracy, course and speed are unknown.
    ///
    /// - Parameters:
    ///   - latitude: Degrees in WGS 84, positive north of the equator.
    ///   - longitude: Degrees in WGS 84, positive east of Greenwich.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            altitude: 0, horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Creates a location from an archive that ``encode(with:)`` wrote. Missing values are 0.
    ///
    /// - Parameter coder: The unarchiver.
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

    /// Archives the location.
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

    /// Returns this object, which is immutable.
    ///
    /// - Parameter zone: Ignored.
    /// - Returns: This object.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The latitude and longitude.
    open var coordinate: CLLocationCoordinate2D { place }
    /// The altitude above sea level, in metres.
    open var altitude: CLLocationDistance { height }
    /// The same as ``altitude``, in metres, because the height above the ellipsoid is not known.
    open var ellipsoidalAltitude: CLLocationDistance { height }
    /// The radius of uncertainty in metres; negative if unknown.
    open var horizontalAccuracy: CLLocationAccuracy { horizontal }
    /// The accuracy of the altitude in metres; negative if unknown.
    open var verticalAccuracy: CLLocationAccuracy { vertical }
    /// The direction of travel in degrees clockwise from north; negative if unknown.
    open var course: CLLocationDirection { heading }
    /// The accuracy of the course in degrees; negative if unknown.
    open var courseAccuracy: CLLocationDirectionAccuracy { headingAccuracy }
    /// The speed in metres per second; negative if unknown.
    open var speed: CLLocationSpeed { pace }
    /// The accuracy of the speed in metres per second; negative if unknown.
    open var speedAccuracy: CLLocationSpeedAccuracy { paceAccuracy }
    /// The time of the measurement.
    open var timestamp: Date { moment }
    /// The floor of a building. Always nil on Linux.
    open var floor: CLFloor? { nil }

    /// Returns the distance to another location on the WGS 84 ellipsoid, without altitude. One
    /// degree of longitude on the equator is 111,319.49 metres.
    ///
    /// - Parameter location: The other location.
    /// - Returns: The distance in metres.
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

/// A latitude or longitude in degrees, positive north and east.
public typealias CLLocationDegrees = Double
/// A distance in metres.
public typealias CLLocationDistance = Double
/// A speed in metres per second; negative if unknown.
public typealias CLLocationSpeed = Double
/// The accuracy of a speed in metres per second; negative if unknown.
public typealias CLLocationSpeedAccuracy = Double
/// An accuracy in metres; negative if unknown.
public typealias CLLocationAccuracy = Double
/// A direction in degrees clockwise from north; negative if unknown.
public typealias CLLocationDirection = Double
/// The accuracy of a direction in degrees; negative if unknown.
public typealias CLLocationDirectionAccuracy = Double

/// A coordinate on Earth, in WGS 84.
public struct CLLocationCoordinate2D: Sendable {
    /// The latitude in degrees, from -90 to 90, positive in the north.
    public var latitude: CLLocationDegrees
    /// The longitude in degrees, from -180 to 180, positive in the east.
    public var longitude: CLLocationDegrees

    /// Creates the coordinate 0° north, 0° east.
    public init() { self.init(latitude: 0, longitude: 0) }

    /// Creates a coordinate without validation; see ``CLLocationCoordinate2DIsValid(_:)``.
    ///
    /// - Parameters:
    ///   - latitude: Degrees, positive in the north.
    ///   - longitude: Degrees, positive in the east.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// An invalid coordinate: latitude and longitude are -180.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(
    latitude: -180, longitude: -180)

/// Returns a coordinate, without validation.
///
/// - Parameters:
///   - latitude: Degrees, positive in the north.
///   - longitude: Degrees, positive in the east.
/// - Returns: The coordinate.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Returns whether a latitude is from -90 to 90 and a longitude is from -180 to 180.
///
/// - Parameter coord: The coordinate.
/// - Returns: Whether both are in range.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    coord.latitude.magnitude <= 90 && coord.longitude.magnitude <= 180
}
