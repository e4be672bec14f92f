import HealthEngine
import HealthStorage

extension ExportReader {
    func workout(_ tag: Tag) throws -> Bool {
        let attributes = RecordAttributes(tag)
        let times: SampleTimes
        switch SampleTimes.read(attributes, &dates) {
        case .success(let read): times = read
        case .failure(let fault): return try quarantineGroup(tag, kind: .workout, fault)
        }
        guard let origin = origins.number(attributes) else {
            return try quarantineGroup(tag, kind: .workout, .tooManySources)
        }
        var entries = MetadataEntries()
        var workout = Workout(activityType: 3000)
        workout.duration = try seconds(tag)
        let name = tag.string("workoutActivityType") ?? ""
        if let activity = Catalogue.workoutActivity(exportedAs: name) {
            workout.activityType = activity.rawValue
        } else {
            workout.unknownActivityName = name
            tally.unknownValues.add(name)
        }
        let totals = totals(tag, activity: workout.activityType)
        let others =
            attributes.others
            + [attributes.type, attributes.unit, attributes.value].compactMap { $0 }
        for attribute in others
        where !ExportReader.workoutAttributes.contains(attribute.nameString) {
            note(attribute, of: "Workout", keepIn: &entries)
        }
        seenActivities.removeAll()
        let code = try type(identifier: ExportReader.workoutType)
        let index = append(code: code, origin, times)
        let isComplete = try children(of: tag) { child in
            if child.name.equals("Record") { return try member(child, of: index) }
            return try workoutChild(child, &workout, &entries)
        }
        guard isComplete else { return dropIncomplete("Workout", from: index) }
        // For each type, statistics of newer exports take precedence over a total in an attribute,
        // which older exports have.
        for total in totals where !workout.statistics.contains(where: { $0.type == total.type }) {
            workout.statistics.append(total)
        }
        batch.samples[index].metadata = metadata.index(of: &entries)
        batch.details[index] = .workout(workout)
        return true
    }

    static let workoutType =
        Catalogue.types.first { $0.kind == .workout }?.identifier ?? "HKWorkoutTypeIdentifier"

    private static let workoutAttributes: Set<String> = [
        "workoutActivityType", "duration", "durationUnit", "totalDistance", "totalDistanceUnit",
        "totalEnergyBurned", "totalEnergyBurnedUnit", "totalFlightsClimbed",
        "totalFlightsClimbedUnit", "totalSwimmingStrokeCount", "totalSwimmingStrokeCountUnit",
    ]

    private func totals(_ tag: Tag, activity: Int) -> [WorkoutStatistics] {
        var totals: [WorkoutStatistics] = []
        func add(_ type: String, _ value: Double?, _ unit: String?) {
            guard let value else { return }
            totals.append(
                WorkoutStatistics(type: type, unit: unit, sum: value))
        }
        add(
            "HKQuantityTypeIdentifierActiveEnergyBurned", tag.number("totalEnergyBurned"),
            tag.string("totalEnergyBurnedUnit"))
        add(
            Workout.distanceType(ofActivity: activity), tag.number("totalDistance"),
            tag.string("totalDistanceUnit"))
        add(
            "HKQuantityTypeIdentifierFlightsClimbed", tag.number("totalFlightsClimbed"), "count")
        add(
            "HKQuantityTypeIdentifierSwimmingStrokeCount", tag.number("totalSwimmingStrokeCount"),
            "count")
        return totals
    }

    private func workoutChild(
        _ child: Tag, _ workout: inout Workout, _ entries: inout MetadataEntries
    ) throws -> Bool {
        if child.name.equals("MetadataEntry") { return try metadataEntry(child, into: &entries) }
        count(child)
        if !countPart(child) { return try skipChildren(of: child) }
        try noteUnknownAttributes(of: child)
        switch child.nameString {
        case "WorkoutEvent":
            return try event(child, into: &workout.events)
        case "WorkoutStatistics":
            workout.statistics.append(statistics(child))
            return try skipChildren(of: child)
        case "WorkoutActivity": return try activity(child, into: &workout.activities)
        case "WorkoutRoute": return try route(child, into: &workout.routes)
        case "WorkoutZoneGroup": return try zones(child, into: &workout.zones)
        default: return try keepRaw(child, .unknown)
        }
    }

    private func event(_ tag: Tag, into events: inout [WorkoutEvent]) throws -> Bool {
        guard let date = tag.date("date") else {
            try keep(tag, .malformed)
            return try skipChildren(of: tag)
        }
        var event = WorkoutEvent(
            type: 0, start: date, duration: try seconds(tag) ?? 0)
        let name = tag.string("type") ?? ""
        if let known = Catalogue.workoutEvent(exportedAs: name) {
            event.type = known.rawValue
        } else {
            event.unknownTypeName = name
            tally.unknownValues.add(name)
        }
        let isComplete = try metadata(of: tag, into: &event.metadata)
        events.append(event)
        return isComplete
    }

    /// Reads the metadata of an element into `set`. Other children are kept as text. Returns false
    /// if the file ends inside the element.
    private func metadata(of tag: Tag, into set: inout Metadata) throws -> Bool {
        if tag.isEmpty { return true }
        var entries = MetadataEntries()
        let isComplete = try children(of: tag) { child in
            if child.name.equals("MetadataEntry") {
                return try metadataEntry(child, into: &entries)
            }
            count(child)
            return try keepRaw(child, .unknown)
        }
        set = self.metadata.set(of: entries)
        return isComplete
    }

    private func statistics(_ tag: Tag) -> WorkoutStatistics {
        let dates = tag.attributes.filter { $0.name.equals("startDate") }
        return WorkoutStatistics(
            type: tag.string("type") ?? "", unit: tag.string("unit"),
            start: tag.date("startDate"),
            // A defect of betas of iOS 16 (ExportFormat §3.5): `startDate` appears twice, and the
            // second one is the end.
            end: tag.date("endDate")
                ?? (dates.count > 1 ? ExportDate.seconds(dates[1].value) : nil),
            sum: tag.number("sum"), average: tag.number("average"),
            minimum: tag.number("minimum"), maximum: tag.number("maximum"))
    }

    private func activity(_ tag: Tag, into activities: inout [WorkoutActivity]) throws -> Bool {
        var activity = WorkoutActivity(
            uuid: tag.string("uuid") ?? "", start: tag.date("startDate"), end: tag.date("endDate"),
            duration: try seconds(tag))
        var entries = MetadataEntries()
        let isComplete = try children(of: tag) { child in
            if child.name.equals("MetadataEntry") {
                return try metadataEntry(child, into: &entries)
            }
            count(child)
            if !countPart(child) { return try skipChildren(of: child) }
            try noteUnknownAttributes(of: child)
            switch child.nameString {
            case "WorkoutEvent": return try event(child, into: &activity.events)
            case "WorkoutStatistics":
                activity.statistics.append(statistics(child))
                return try skipChildren(of: child)
            default: return try keepRaw(child, .unknown)
            }
        }
        activity.metadata = metadata.set(of: entries)
        // An equal activity can appear twice in one workout.
        if seenActivities.insert(activity).inserted {
            activities.append(activity)
        } else {
            tally.repairs["repeatedWorkoutActivity", default: 0] += 1
        }
        return isComplete
    }

    private func zones(_ tag: Tag, into groups: inout [WorkoutZoneGroup]) throws -> Bool {
        var group = WorkoutZoneGroup(
            type: tag.string("type") ?? "", source: tag.string("source"), unit: tag.string("unit"))
        let isComplete = try children(of: tag) { child in
            count(child)
            if !countPart(child) { return try skipChildren(of: child) }
            guard child.name.equals("WorkoutZone") else { return try keepRaw(child, .unknown) }
            try noteUnknownAttributes(of: child)
            group.zones.append(
                WorkoutZone(
                    minimum: child.number("minimum"), maximum: child.number("maximum"),
                    duration: try seconds(child)))
            return try skipChildren(of: child)
        }
        groups.append(group)
        return isComplete
    }
}
