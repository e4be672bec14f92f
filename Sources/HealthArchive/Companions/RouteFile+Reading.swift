import HealthEngine

extension RouteFile {
    /// The reasons why a whole route file is quarantined.
    enum Fault: String, Error {
        case noRoute = "not a GPX file"
        case noPoints = "no point with a time and a location"
        case truncated
        case tooLong = "too many points"
        case unreadable = "can't be read"
    }

    /// The contents of a route file.
    struct Contents {
        var points: [RoutePoint] = []
        /// The number of skipped points (no valid time or position) and of skipped fragments that
        /// are not well-formed.
        var leftOut = 0
    }

    /// The maximum number of valid points: three days at one point per second. A longer file is
    /// quarantined.
    static let maximumPoints = ExportReader.maximumParts

    /// Reads the points of all tracks and segments in a GPX file, with any namespace prefix.
    ///
    /// Missing values follow Core Location: the altitude is 0 with a vertical accuracy of -1;
    /// course, speed and horizontal accuracy are -1.
    ///
    /// - Parameters:
    ///   - stream: The bytes of the file.
    ///   - name: The name of the file in errors.
    /// - Returns: The valid points in document order, and the number of skipped ones.
    /// - Throws: ``Fault`` if the file can't be read, is truncated, is not GPX, or has too many or
    ///   no valid points.
    /// - Complexity: O(*n*) in the bytes. Memory holds the points and the scanner's buffer.
    static func read(
        _ stream: any ByteStream, name: String
    ) throws(Fault) -> Contents {
        var scanner = ElementScanner(reading: stream, name: name, bufferByteCount: 64 << 10)
        var contents = Contents()
        var point: PointReading?
        while let event = try nextEvent(&scanner) {
            switch event {
            case .start(let tag):
                let element = tag.name.local
                if tag.depth == 0, !element.equals("gpx") { throw .noRoute }
                if element.equals("trkpt") {
                    contents.take(point)
                    point = PointReading(tag)
                    if tag.isEmpty { contents.take(point.take()) }
                } else {
                    point?.field = tag.isEmpty ? nil : PointReading.field(element)
                }
            case .text(let text): point?.take(text)
            case .end(let end):
                point?.field = nil
                if let depth = point?.depth, end.depth <= depth { contents.take(point.take()) }
            case .skipped: contents.leftOut += 1
            }
            if contents.points.count > maximumPoints { throw .tooLong }
        }
        switch scanner.ending {
        case .complete?, nil: break
        case .noElement?: throw .noRoute
        case .truncated?: throw .truncated
        }
        if contents.points.isEmpty { throw .noPoints }
        return contents
    }

    private static func nextEvent(
        _ scanner: inout ElementScanner
    ) throws(Fault) -> ElementScanner.Event? {
        do throws(ArchiveError) {
            return try scanner.next()
        } catch {
            throw .unreadable
        }
    }
}

extension RouteFile.Contents {
    /// Appends a point if it has a valid time and position; otherwise counts it as left out.
    fileprivate mutating func take(_ reading: PointReading?) {
        guard let reading else { return }
        if let point = reading.point {
            points.append(point)
        } else {
            leftOut += 1
        }
    }
}

/// The values of a `trkpt` element read so far.
private struct PointReading {
    enum Field { case altitude, time, speed, course, horizontalAccuracy, verticalAccuracy }

    var depth: Int
    var field: Field?
    private var latitude: Double?
    private var longitude: Double?
    private var time: Double?
    private var altitude: Double?
    private var horizontalAccuracy: Double?
    private var verticalAccuracy: Double?
    private var course: Double?
    private var speed: Double?

    init(_ tag: ElementScanner.Tag) {
        depth = tag.depth
        for attribute in tag.attributes {
            if attribute.name.equals("lat") { latitude = ExportNumber.parse(attribute.value) }
            if attribute.name.equals("lon") { longitude = ExportNumber.parse(attribute.value) }
        }
    }

    static func field(_ name: UnsafeBufferPointer<UInt8>) -> Field? {
        if name.equals("ele") { return .altitude }
        if name.equals("time") { return .time }
        if name.equals("speed") { return .speed }
        if name.equals("course") { return .course }
        if name.equals("hAcc") { return .horizontalAccuracy }
        return name.equals("vAcc") ? .verticalAccuracy : nil
    }

    mutating func take(_ text: ElementScanner.Text) {
        switch field {
        case .altitude: altitude = ExportNumber.parse(text.raw)
        case .time: time = ExportDate.seconds(text.raw)
        case .speed: speed = ExportNumber.parse(text.raw)
        case .course: course = ExportNumber.parse(text.raw)
        case .horizontalAccuracy: horizontalAccuracy = ExportNumber.parse(text.raw)
        case .verticalAccuracy: verticalAccuracy = ExportNumber.parse(text.raw)
        case nil: break
        }
    }

    var point: RoutePoint? {
        guard let time, abs(time) < SampleTimes.limit, let latitude, abs(latitude) <= 90,
            let longitude, abs(longitude) <= 180
        else { return nil }
        return RoutePoint(
            time: time, latitude: latitude, longitude: longitude, altitude: altitude ?? 0,
            horizontalAccuracy: horizontalAccuracy ?? -1,
            verticalAccuracy: altitude == nil ? -1 : verticalAccuracy ?? -1,
            course: course ?? -1, speed: speed ?? -1)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// An element's name without its namespace prefix.
    var local: UnsafeBufferPointer<UInt8> {
        guard let colon = lastIndex(of: UInt8(ascii: ":")) else { return self }
        return UnsafeBufferPointer(rebasing: self[(colon + 1)...])
    }
}
