import HealthEngine
import HealthStorage

/// A chunk of the locations of a workout, which can arrive before or after the workout.
struct OpenHealthExporterRoute {
    /// The UUID of the workout.
    let parent: SampleUUID
    /// The number of the chunk; nil if the sender doesn't number it.
    let chunk: Int?
    let points: [RoutePoint]

    init(_ record: JSONValue) throws(UnreadableRecord) {
        parent = try OpenHealthExporterFrame.uuid(record, "parentUuid")
        chunk = record["chunkIndex"]?.integer
        guard let elements = record["points"]?.array else {
            throw .invalid(.value, field: "points")
        }
        var points: [RoutePoint] = []
        points.reserveCapacity(elements.count)
        for element in elements {
            do throws(UnreadableRecord) {
                points.append(try OpenHealthExporterRoute.point(element))
            } catch { throw error.within("points") }
        }
        self.points = points
    }

    private static func point(_ element: JSONValue) throws(UnreadableRecord) -> RoutePoint {
        let time = try OpenHealthExporterFrame.instant(element, "t")
        guard let latitude = element["lat"]?.number, (-90...90).contains(latitude) else {
            throw .invalid(.value, field: "lat")
        }
        guard let longitude = element["lon"]?.number, (-180...180).contains(longitude) else {
            throw .invalid(.value, field: "lon")
        }
        let altitude = element["altitudeM"]?.number
        let verticalAccuracy = element["verticalAccuracyM"]?.number
        // As in Core Location, a negative accuracy marks an unknown value.
        return RoutePoint(
            time: time, latitude: latitude, longitude: longitude, altitude: altitude ?? 0,
            horizontalAccuracy: element["horizontalAccuracyM"]?.number ?? -1,
            verticalAccuracy: altitude == nil ? -1 : verticalAccuracy ?? -1,
            course: element["courseDeg"]?.number ?? -1, speed: element["speedMps"]?.number ?? -1,
            courseAccuracy: element["courseAccuracyDeg"]?.number,
            speedAccuracy: element["speedAccuracyMps"]?.number)
    }

    /// Joins the chunks of one workout, in order of time.
    ///
    /// - Parameter chunks: The chunks in the order of the body. Of several with one number, the
    ///   last one counts.
    /// - Returns: The route; nil without locations.
    static func joined(_ chunks: [OpenHealthExporterRoute]) -> WorkoutRoute? {
        var kept: [OpenHealthExporterRoute] = []
        var places: [Int: Int] = [:]
        for chunk in chunks {
            if let number = chunk.chunk, let place = places[number] {
                kept[place] = chunk
                continue
            }
            if let number = chunk.chunk { places[number] = kept.count }
            kept.append(chunk)
        }
        let points = kept.flatMap(\.points).sorted { $0.time < $1.time }
        guard let first = points.first, let last = points.last else { return nil }
        return WorkoutRoute(start: first.time, end: last.time, points: points)
    }
}
