/// Workouts with the elements that exports have used since iOS 8.
extension ExportGrammar {
    mutating func workout(_ chance: inout Chance) -> ExportElement {
        let (start, end) = span(&chance, longest: 7200)
        let activity =
            hostile(&chance)
            ? chance.pick(["HKWorkoutActivityTypeNew", "", "52"]) : chance.pick(catalogue.workouts)
        var attributes = [
            ("workoutActivityType", activity),
            ("duration", number(5...100, &chance)),
            ("durationUnit", chance.pick(["min", "s", "hr"])),
            ("sourceName", chance.pick(sources)), ("creationDate", date(end, &chance)),
            ("startDate", date(start, &chance)), ("endDate", date(end, &chance)),
        ]
        if chance.percent(30) {
            attributes += [
                ("totalDistance", number(1...20, &chance)), ("totalDistanceUnit", "km"),
                ("totalEnergyBurned", number(50...900, &chance)),
                ("totalEnergyBurnedUnit", "kcal"),
            ]
        }
        var children = entries(&chance)
        for _ in 0..<chance.below(4) { children.append(event(start, end, &chance)) }
        for _ in 0..<chance.below(4) { children.append(statistics(start, end, &chance)) }
        if chance.percent(25) { children.append(activityElement(start, end, &chance)) }
        if chance.percent(30) { children.append(route(start, end, &chance)) }
        if chance.percent(10) { children.append(zones(&chance)) }
        if chance.percent(10) { children.append(quantity(&chance)) }
        return ExportElement("Workout", attributes, children)
    }

    private func event(_ start: Double, _ end: Double, _ chance: inout Chance) -> ExportElement {
        let at = start + Double(chance.below(max(1, Int(end - start))))
        return ExportElement(
            "WorkoutEvent",
            [
                ("type", chance.pick(catalogue.events)), ("date", date(at, &chance)),
                ("duration", number(0...9, &chance)), ("durationUnit", "min"),
            ], entries(&chance))
    }

    private func statistics(_ start: Double, _ end: Double, _ chance: inout Chance) -> ExportElement
    {
        let kind = catalogue.quantity(&chance)
        return ExportElement(
            "WorkoutStatistics",
            [
                ("type", kind.identifier), ("startDate", date(start, &chance)),
                ("endDate", date(end, &chance)), ("sum", number(0...900, &chance)),
                ("average", number(60...180, &chance)), ("minimum", number(40...90, &chance)),
                ("unit", kind.unit),
            ])
    }

    private func activityElement(
        _ start: Double, _ end: Double, _ chance: inout Chance
    ) -> ExportElement {
        let uuid = chance.pick(["8E1B9D2A-0C6B-4C57-9F36-0D1C7A3B5E11", "x", ""])
        return ExportElement(
            "WorkoutActivity",
            [
                ("uuid", uuid), ("startDate", date(start, &chance)),
                ("endDate", date(end, &chance)), ("duration", number(1...60, &chance)),
                ("durationUnit", "min"),
            ],
            [event(start, end, &chance), statistics(start, end, &chance)] + entries(&chance))
    }

    private mutating func route(
        _ start: Double, _ end: Double, _ chance: inout Chance
    ) -> ExportElement {
        let attributes = [
            ("sourceName", chance.pick(sources)), ("startDate", date(start, &chance)),
            ("endDate", date(end, &chance)),
        ]
        if chance.percent(40) {
            let points = (0..<chance.below(5)).map { index in
                ExportElement(
                    "Location",
                    [
                        ("date", date(start + Double(index), &chance)),
                        ("latitude", number(-90...90, &chance)),
                        ("longitude", number(-180...180, &chance)),
                        ("altitude", number(0...3000, &chance)),
                        ("horizontalAccuracy", "5"), ("verticalAccuracy", "5"), ("course", "-1"),
                        ("speed", number(0...9, &chance)),
                    ])
            }
            return ExportElement("WorkoutRoute", attributes, points)
        }
        var path = "/workout-routes/route_2024-03-10_\(1 + routes.count).21pm.gpx"
        routes.append(path)
        if hostile(&chance) {
            path = chance.pick(["/../../etc/passwd", "", "/", "\\x", path + "x"])
        }
        return ExportElement(
            "WorkoutRoute", attributes, [ExportElement("FileReference", [("path", path)])])
    }

    private func zones(_ chance: inout Chance) -> ExportElement {
        ExportElement(
            "WorkoutZoneGroup",
            [("type", "HKQuantityTypeIdentifierHeartRate"), ("unit", "count/min")],
            [
                ExportElement(
                    "WorkoutZone",
                    [("maximum", number(90...120, &chance)), ("duration", "3")])
            ])
    }
}
