import HealthEngine
import HealthStorage

extension ExportReader {
    /// Reads a `WorkoutRoute` element and the files it references. Without a valid start and end it
    /// is kept as text instead. Returns false if the file ends inside it.
    func route(_ tag: Tag, into routes: inout [WorkoutRoute]) throws -> Bool {
        var route = WorkoutRoute(
            start: tag.date("startDate") ?? .nan, end: tag.date("endDate") ?? .nan)
        guard route.start <= route.end else { return try keepRaw(tag, .unknown) }
        let offset = tag.offset
        var entries = MetadataEntries()
        var paths: [String] = []
        let isComplete = try children(of: tag) { child in
            if child.name.equals("MetadataEntry") {
                return try metadataEntry(child, into: &entries)
            }
            count(child)
            if !countPart(child) { return try skipChildren(of: child) }
            try noteUnknownAttributes(of: child)
            switch child.nameString {
            case "FileReference": if let path = child.string("path") { paths.append(path) }
            case "Location":
                if let point = RoutePoint(child) {
                    route.points.append(point)
                } else {
                    try keep(child, .malformed)
                }
            default: return try keepRaw(child, .unknown)
            }
            return try skipChildren(of: child)
        }
        route.path = paths.first
        for path in paths { route.points += try points(inFile: path, referredAt: offset) }
        route.metadata = metadata.set(of: entries)
        routes.append(route)
        return isComplete
    }

    /// Returns the points of a route file; none if it is missing or damaged, which the report
    /// lists. The beginning of a damaged file is kept as text.
    private func points(inFile path: String, referredAt offset: Int64) throws -> [RoutePoint] {
        guard let file = files.find(path) else {
            tally.routes.countMissing(path)
            return []
        }
        do throws(RouteFile.Fault) {
            let contents = try read(file)
            tally.routes.files += 1
            tally.routes.points += contents.points.count
            tally.routes.pointsLeftOut += contents.leftOut
            countParts(contents.points.count)
            return contents.points
        } catch {
            tally.routes.quarantine(file.path, error.rawValue)
            try keep(
                files.head(file), element: file.path, reason: .quarantined, at: offset)
            return []
        }
    }

    private func read(
        _ file: ExportSource.Companion
    ) throws(RouteFile.Fault) -> RouteFile.Contents {
        let stream: any ByteStream
        do throws(ArchiveError) {
            stream = try files.open(file)
        } catch {
            throw .unreadable
        }
        return try RouteFile.read(stream, name: file.path)
    }
}

extension RoutePoint {
    /// Creates a point from a `Location` element (iOS 12); nil without a valid time, latitude and
    /// longitude. Other missing values are -1, and the altitude is 0.
    init?(_ tag: ElementScanner.Tag) {
        guard let time = tag.date("date"), let latitude = tag.number("latitude"),
            let longitude = tag.number("longitude")
        else { return nil }
        self.init(
            time: time, latitude: latitude, longitude: longitude,
            altitude: tag.number("altitude") ?? 0,
            horizontalAccuracy: tag.number("horizontalAccuracy") ?? -1,
            verticalAccuracy: tag.number("verticalAccuracy") ?? -1,
            course: tag.number("course") ?? -1, speed: tag.number("speed") ?? -1)
    }
}
