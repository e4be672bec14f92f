internal import HealthEngine

extension ExportWriter {
    /// Writes a route as a reference to its file, and the file itself; or as points if it has no
    /// file name. A route whose start or end can't be written is left out.
    mutating func write(
        _ route: WorkoutRoute, of workout: Sample, _ fragments: inout ExportFragments
    ) throws(Failure) {
        guard ExportText.isWritable(route.start), ExportText.isWritable(route.end) else { return }
        count("WorkoutRoute")
        text.append("  <WorkoutRoute")
        var sample = workout
        sample.start = route.start
        sample.end = route.end
        writeProvenance(sample, &fragments)
        text.append(">\n")
        text.entries(route.metadata, indent: 3)
        if let path = route.path {
            text.append("   <FileReference")
            text.attribute("path", try writeFile(of: route, path))
            text.append("/>\n")
        } else {
            for point in route.points { write(point) }
        }
        text.append("  </WorkoutRoute>\n")
    }

    /// Writes a route that an app saved as a sample of its own, in the form of a workout's route.
    /// It is left out if its end can't be written.
    mutating func write(
        _ points: [RoutePoint], of sample: Sample, _ fragments: inout ExportFragments
    ) throws(Failure) {
        guard ExportText.isWritable(sample.end) else { return }
        let metadata = fragments.metadata(of: sample)
        let route = WorkoutRoute(
            start: sample.start, end: sample.end,
            path: "/workout-routes/" + RouteFile.name(endingAt: sample.end, offset: header.offset),
            points: points, metadata: metadata)
        try write(route, of: sample, &fragments)
    }

    /// Passes the points to the route sink as a file, unless they were passed before under the same
    /// name. Returns the path for the reference. Without points or a sink this is `path`, and the
    /// route is counted.
    private mutating func writeFile(of route: WorkoutRoute, _ path: String) throws(Failure)
        -> String
    {
        if route.points.isEmpty {
            tally.routesWithoutPoints += 1
            return path
        }
        guard let routeSink else {
            tally.routesWithoutFile += 1
            return path
        }
        let wanted = String(path.split(separator: "/").last ?? "route.gpx")
        if let number = route.storedPoints, routeNumbers[wanted] == number {
            return "/workout-routes/\(wanted)"
        }
        let name = unusedName(wanted)
        routeNumbers[name] = route.storedPoints
        let points = route.points.filter(RouteFile.canWrite)
        tally.routePointsLeftOut += route.points.count - points.count
        let bytes = RouteFile.bytes(name: name, points: points, written: header.exportDate)
        tally.routeFiles.append(name)
        if name != wanted { tally.renamedFiles.append(wanted) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { buffer.deallocate() }
        buffer.copyBytes(from: bytes)
        try routeSink(name, UnsafeRawBufferPointer(buffer))
        return "/workout-routes/\(name)"
    }

    /// Returns a file name that is not in use. Two routes that end in the same minute have the same
    /// name: the second becomes "…_2.gpx". A name that is unsafe in a zip becomes "route.gpx".
    private mutating func unusedName(_ wanted: String) -> String {
        let name = ZipEntry.isSafe(wanted) ? wanted : "route.gpx"
        var candidate = name
        var number = 2
        while !usedRouteNames.insert(candidate).inserted {
            let stem = name.hasSuffix(".gpx") ? String(name.dropLast(4)) : name
            candidate = "\(stem)_\(number).gpx"
            number += 1
        }
        return candidate
    }

    private mutating func write(_ point: RoutePoint) {
        text.append("   <Location")
        text.attribute("date", date: point.time)
        text.attribute("latitude", point.latitude)
        text.attribute("longitude", point.longitude)
        text.attribute("altitude", point.altitude)
        text.attribute("horizontalAccuracy", point.horizontalAccuracy)
        text.attribute("verticalAccuracy", point.verticalAccuracy)
        text.attribute("course", point.course)
        text.attribute("speed", point.speed)
        text.append("/>\n")
    }
}

/// A GPX 1.1 file in the format of Apple's workout routes (ExportFormat §4.3).
enum RouteFile {
    static func bytes(name: String, points: [RoutePoint], written: Double) -> [UInt8] {
        var text = ExportText(offset: 0)
        text.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Apple Health Export" \
            xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xsi:schemaLocation="http://www.topografix.com/GPX/1/1 \
            http://www.topografix.com/GPX/1/1/gpx.xsd">
              <metadata>
                <time>
            """)
        text.instant(written)
        text.append("</time>\n  </metadata>\n  <trk>\n    <name>")
        text.escape(title(of: name))
        text.append("</name>\n    <trkseg>\n")
        for point in points { text.trackPoint(point) }
        text.append("    </trkseg>\n  </trk>\n</gpx>\n")
        return text.bytes
    }

    /// Returns whether a point has a valid position and a writable time.
    static func canWrite(_ point: RoutePoint) -> Bool {
        ExportText.isWritable(point.time) && abs(point.latitude) <= 90
            && abs(point.longitude) <= 180
    }

    /// Returns a file name such as "route_2024-09-03_7.48pm.gpx", from the route's end in seconds
    /// since 2001-01-01T00:00:00Z, at an offset in seconds east of UTC.
    static func name(endingAt end: Double, offset: Int) -> String {
        let (date, second) = CivilDate.split(seconds: ExportText.writable(end) + offset)
        let (hour, minute) = (second / 3600, second / 60 % 60)
        return "route_\(date)_\((hour + 11) % 12 + 1)."
            + "\(minute < 10 ? "0" : "")\(minute)\(hour < 12 ? "am" : "pm").gpx"
    }

    /// Returns "Route 2024-09-03 7:48pm" for "route_2024-09-03_7.48pm.gpx"; for a name of another
    /// form, the name without ".gpx".
    static func title(of name: String) -> String {
        let stem = name.hasSuffix(".gpx") ? name.dropLast(4) : Substring(name)
        let parts = stem.split(separator: "_")
        guard parts.count >= 3, parts[0] == "route" else { return String(stem) }
        let clock = String(parts[2].map { $0 == "." ? ":" : $0 })
        return "Route \(parts[1]) \(clock)"
    }
}

extension ExportText {
    fileprivate mutating func trackPoint(_ point: RoutePoint) {
        append("      <trkpt")
        attribute("lon", point.longitude)
        attribute("lat", point.latitude)
        append("><ele>")
        number(point.altitude)
        append("</ele><time>")
        instant(point.time)
        append("</time><extensions>")
        for (name, value) in [
            ("speed", point.speed), ("course", point.course), ("hAcc", point.horizontalAccuracy),
            ("vAcc", point.verticalAccuracy),
        ] {
            append("<\(name)>")
            number(value)
            append("</\(name)>")
        }
        append("</extensions></trkpt>\n")
    }

    /// Appends a time in UTC such as "2024-09-03T17:48:05Z", with milliseconds unless they are 0. A
    /// time that can't be written becomes 2001-01-01T00:00:00Z.
    fileprivate mutating func instant(_ seconds: Double) {
        let seconds = ExportText.isWritable(seconds) ? seconds : 0
        let milliseconds = (seconds * 1000).rounded()
        let whole = (milliseconds / 1000).rounded(.down)
        var clock = ExportText(offset: 0)
        clock.date(whole)
        append(Array(clock.bytes[0..<10]))
        append("T")
        append(Array(clock.bytes[11..<19]))
        let rest = Int(clamping: milliseconds - whole * 1000)
        if rest > 0 { append("." + String(1000 + rest).dropFirst()) }
        append("Z")
    }
}
