import HealthEngine

/// The locations of a workout, which are read one by one: a long route has more of them than a
/// record may have bytes.
struct HealthAutoExportRoute {
    /// The maximum number of locations: more than five days with one per second.
    static let maximumPoints = 500_000

    private(set) var points: [RoutePoint] = []
    /// The number of locations without a valid time, latitude or longitude, or beyond the maximum.
    private(set) var leftOut = 0

    /// Adds a location of version 1 or 2.
    mutating func add(_ location: JSONValue, _ reader: HealthAutoExportReader) {
        guard points.count < HealthAutoExportRoute.maximumPoints,
            let point = HealthAutoExportRoute.point(location, reader)
        else {
            leftOut += 1
            return
        }
        points.append(point)
    }

    private static func point(
        _ location: JSONValue, _ reader: HealthAutoExportReader
    ) -> RoutePoint? {
        guard let time = reader.date(location["timestamp"])?.seconds,
            let latitude = (location["latitude"] ?? location["lat"])?.number,
            let longitude = (location["longitude"] ?? location["lon"])?.number,
            abs(latitude) <= 90, abs(longitude) <= 180
        else { return nil }
        let altitude = location["altitude"]?.number
        return RoutePoint(
            time: time, latitude: latitude, longitude: longitude, altitude: altitude ?? 0,
            horizontalAccuracy: location["horizontalAccuracy"]?.number ?? -1,
            verticalAccuracy: altitude == nil ? -1 : location["verticalAccuracy"]?.number ?? -1,
            course: location["course"]?.number ?? -1, speed: location["speed"]?.number ?? -1,
            courseAccuracy: location["courseAccuracy"]?.number,
            speedAccuracy: location["speedAccuracy"]?.number)
    }

    /// The route in order of time; nil without locations.
    var route: WorkoutRoute? {
        // Sorting by the place too keeps the order of locations with equal times.
        let ordered = points.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        guard let first = ordered.first, let last = ordered.last else { return nil }
        return WorkoutRoute(start: first.time, end: last.time, points: ordered)
    }
}
