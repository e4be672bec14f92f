internal import HealthEngine

extension ExportWriter {
    mutating func write(
        _ workout: Workout, of sample: Sample, members: [Int], in batch: SampleBatch,
        _ fragments: inout ExportFragments
    ) throws(Failure) {
        count("Workout")
        text.append(" <Workout")
        text.attribute(
            "workoutActivityType",
            workout.unknownActivityName
                ?? Catalogue.workoutActivity(workout.activityType)?.exportedName
                ?? "\(workout.activityType)")
        text.minutes(workout.duration)
        writeProvenance(sample, &fragments)
        text.append(">\n")
        text.append(fragments.entries(sample.metadata))
        for event in workout.events { write(event, indent: "  ") }
        for activity in workout.activities { write(activity) }
        for statistics in workout.statistics { write(statistics, indent: "  ") }
        for group in workout.zones { write(group) }
        for route in workout.routes { try write(route, of: sample, &fragments) }
        for member in members where fragments.describes(batch.samples[member]) {
            guard case .route(let points) = batch.details[member] else { continue }
            tally.savedRoutes += 1
            try write(points, of: batch.samples[member], &fragments)
        }
        writeMembers(members, in: batch, &fragments)
        text.append(" </Workout>\n")
    }

    private mutating func write(_ event: WorkoutEvent, indent: String) {
        count("WorkoutEvent")
        text.append(indent)
        text.append("<WorkoutEvent")
        text.attribute(
            "type",
            event.unknownTypeName
                ?? Catalogue.value(event.type, of: Catalogue.workoutEventType)?.exportedName
                ?? "\(event.type)")
        text.attribute("date", date: event.start)
        if event.duration > 0 { text.minutes(event.duration) }
        close("WorkoutEvent", holding: event.metadata, indent: indent)
    }

    private mutating func close(_ element: String, holding metadata: Metadata, indent: String) {
        if metadata.isEmpty {
            text.append("/>\n")
            return
        }
        text.append(">\n")
        text.entries(metadata, indent: indent.utf8.count + 1)
        text.append("\(indent)</\(element)>\n")
    }

    private mutating func write(_ activity: WorkoutActivity) {
        count("WorkoutActivity")
        text.append("  <WorkoutActivity")
        text.attribute("uuid", activity.uuid)
        text.attribute("startDate", date: activity.start)
        text.attribute("endDate", date: activity.end)
        text.minutes(activity.duration)
        text.append(">\n")
        for event in activity.events { write(event, indent: "   ") }
        for statistics in activity.statistics { write(statistics, indent: "   ") }
        text.entries(activity.metadata, indent: 3)
        text.append("  </WorkoutActivity>\n")
    }

    private mutating func write(_ statistics: WorkoutStatistics, indent: String) {
        count("WorkoutStatistics")
        text.append(indent)
        text.append("<WorkoutStatistics")
        text.attribute("type", statistics.type)
        text.attribute("startDate", date: statistics.start)
        text.attribute("endDate", date: statistics.end)
        text.attribute("average", statistics.average)
        text.attribute("minimum", statistics.minimum)
        text.attribute("maximum", statistics.maximum)
        text.attribute("sum", statistics.sum)
        if let unit = statistics.unit { text.attribute("unit", unit) }
        text.append("/>\n")
    }

    private mutating func write(_ group: WorkoutZoneGroup) {
        count("WorkoutZoneGroup")
        text.append("  <WorkoutZoneGroup")
        text.attribute("type", group.type)
        if let source = group.source { text.attribute("source", source) }
        if let unit = group.unit { text.attribute("unit", unit) }
        text.append(">\n")
        for zone in group.zones {
            text.append("   <WorkoutZone")
            text.attribute("minimum", zone.minimum)
            text.attribute("maximum", zone.maximum)
            text.minutes(zone.duration)
            text.append("/>\n")
        }
        text.append("  </WorkoutZoneGroup>\n")
    }
}

extension ExportText {
    /// Appends ` duration="31.5" durationUnit="min"` for a number of seconds; nothing for nil. The
    /// minutes multiplied by 60 give the same double or a neighbour.
    mutating func minutes(_ seconds: Double?) {
        guard let seconds else { return }
        attribute("duration", seconds / 60)
        attribute("durationUnit", "min")
    }
}
