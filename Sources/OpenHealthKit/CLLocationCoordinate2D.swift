/// Degrees of latitude or longitude, north and east positive.
public typealias CLLocationDegrees = Double
/// Metres.
public typealias CLLocationDistance = Double
/// Metres a second; negative where it isn't known.
public typealias CLLocationSpeed = Double
/// Metres a second; negative where it isn't known.
public typealias CLLocationSpeedAccuracy = Double
/// Metres around a place, negative where it isn't known.
public typealias CLLocationAccuracy = Double
/// Degrees clockwise from north; negative where it isn't known.
public typealias CLLocationDirection = Double
/// Degrees; negative where it isn't known.
public typealias CLLocationDirectionAccuracy = Double

/// A place on Earth by its degrees, in WGS 84.
public struct CLLocationCoordinate2D: Sendable {
    /// North positive, from -90 to 90.
    public var latitude: CLLocationDegrees
    /// East positive, from -180 to 180.
    public var longitude: CLLocationDegrees

    /// 0° north, 0° east.
    public init() { self.init(latitude: 0, longitude: 0) }

    /// A place by its degrees, taken as they are: ask ``CLLocationCoordinate2DIsValid(_:)``.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A place that is none: both its degrees are -180.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(
    latitude: -180, longitude: -180)

/// A place by its degrees.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether a latitude lies from -90 to 90 and a longitude from -180 to 180.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    coord.latitude.magnitude <= 90 && coord.longitude.magnitude <= 180
}
