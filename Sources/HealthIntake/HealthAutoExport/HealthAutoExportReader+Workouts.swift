import HealthEngine
import HealthStorage

extension HealthAutoExportReader {
    /// Reads a workout. Its route is read location by location; the rest is one value.
    func readWorkout(_ reader: inout JSONReader, into pages: inout IntakePages) throws {
        guard try pages.beginRecord() else { return try reader.skipValue() }
        guard try reader.nextKind() == .object else {
            let record = try reader.readValue()
            return pages.reject(.type, field: "workouts", record)
        }
        let start = reader.offset
        var members: [JSONValue.Member] = []
        var route = HealthAutoExportRoute()
        var routeBytes = 0
        try reader.readObject { name, reader in
            let offset = reader.offset
            if name == "route", try reader.nextKind() == .array {
                route = HealthAutoExportRoute()
                try reader.readArray { reader in route.add(try reader.readValue(), self) }
                routeBytes += reader.offset - offset
            } else {
                members.append(.init(name: name, value: try reader.readValue()))
            }
            if reader.offset - start - routeBytes > JSONReader.maximumValueBytes {
                throw IntakeError.recordTooLong(offset: start)
            }
        }
        let record = JSONValue.object(members)
        guard let type = Catalogue.type(named: "workout"),
            let span = span(of: record, keptAs: whole(at: start) ?? record, &pages)
        else { return }
        guard span.hasEnd else {
            return pages.reject(
                .date, field: "end", id: record["id"]?.string, whole(at: start) ?? record)
        }
        add(record, route, type, span, to: &pages)
    }

    private func add(
        _ record: JSONValue, _ route: HealthAutoExportRoute, _ type: SampleType,
        _ span: HealthAutoExportSpan, to pages: inout IntakePages
    ) {
        var workout = HealthAutoExportWorkout(self, record, start: span.start, end: span.end)
        workout.add(route)
        var sample = sample(type, span, source: record["source"], metadata: workout.metadata)
        // The app's identifiers of workouts differ between its versions.
        sample.identity = .workout
        sample.detail = .workout(workout.workout)
        pages.add(sample)
    }

    /// Reads a workout with its route; nil if it is too long for one value.
    private func whole(at offset: Int) -> JSONValue? {
        var reader = JSONReader(request.body, at: offset)
        return try? reader.readValue()
    }
}
