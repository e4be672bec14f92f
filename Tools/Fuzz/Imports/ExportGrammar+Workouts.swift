/// Workouts with the elements that exports have used since iOS 8.
extension ExportGrammar {
    mutating func workout(_ random: inout SeededRandom) -> ExportElement {
        let (start, end) = span(&random, longest: 7200)
        let activity =
            hostile(&random)
            ? random.pick(["HKWorkoutActivityTypeNew", "", "52"]) : random.pick(catalogue.workouts)
        var attributes = [
            ("workoutActivityType", activity),
            ("duration", number(5...100, &random)),
            ("durationUnit", random.pick(["min", "s", "hr"])),
            ("sourceName", random.pick(sources)), ("creationDate", date(end, &random)),
            ("startDate", date(start, &random)), ("endDate", date(end, &random)),
        ]
        if random.percent(30) {
            attributes += [
                ("totalDistance", number(1...20, &random)), ("totalDistanceUnit", "km"),
                ("totalEnergyBurned", number(50...900, &random)),
                ("totalEnergyBurnedUnit", "kcal"),
            ]
        }
        var children = entries(&random)
        for _ in 0..<random.below(4) { children.append(event(start, end, &random)) }
        for _ in 0..<random.below(4) { children.append(statistics(start, end, &random)) }
        if random.percent(25) { children.append(activityElement(start, end, &random)) }
        if random.percent(30) { children.append(route(start, end, &random)) }
        if random.percent(10) { children.append(zones(&random)) }
        if random.percent(10) { children.append(quantity(&random)) }
        return ExportElement("Workout", attributes, children)
    }

    private func event(_ start: Double, _ end: Double, _ random: inout SeededRandom)
        -> ExportElement
    {
        let at = start + Double(random.below(max(1, Int(end - start))))
        return ExportElement(
            "WorkoutEvent",
            [
                ("type", random.pick(catalogue.events)), ("date", date(at, &random)),
                ("duration", number(0...9, &random)), ("durationUnit", "min"),
            ], entries(&random))
    }

    private func statistics(_ start: Double, _ end: Double, _ random: inout SeededRandom)
        -> ExportElement
    {
        let kind = catalogue.quantity(&random)
        return ExportElement(
            "WorkoutStatistics",
            [
                ("type", kind.identifier), ("startDate", date(start, &random)),
                ("endDate", date(end, &random)), ("sum", number(0...900, &random)),
                ("average", number(60...180, &random)), ("minimum", number(40...90, &random)),
                ("unit", kind.unit),
            ])
    }

    private func activityElement(
        _ start: Double, _ end: Double, _ random: inout SeededRandom
    ) -> ExportElement {
        let uuid = random.pick(["8E1B9D2A-0C6B-4C57-9F36-0D1C7A3B5E11", "x", ""])
        return ExportElement(
            "WorkoutActivity",
            [
                ("uuid", uuid), ("startDate", date(start, &random)),
                ("endDate", date(end, &random)), ("duration", number(1...60, &random)),
                ("durationUnit", "min"),
            ],
            [event(start, end, &random), statistics(start, end, &random)] + entries(&random))
    }

    private mutating func route(
        _ start: Double, _ end: Double, _ random: inout SeededRandom
    ) -> ExportElement {
        let attributes = [
            ("sourceName", random.pick(sources)), ("startDate", date(start, &random)),
            ("endDate", date(end, &random)),
        ]
        if random.percent(40) {
            let points = (0..<random.below(5)).map { index in
                ExportElement(
                    "Location",
                    [
                        ("date", date(start + Double(index), &random)),
                        ("latitude", number(-90...90, &random)),
                        ("longitude", number(-180...180, &random)),
                        ("altitude", number(0...3000, &random)),
                        ("horizontalAccuracy", "5"), ("verticalAccuracy", "5"), ("course", "-1"),
                        ("speed", number(0...9, &random)),
                    ])
            }
            return ExportElement("WorkoutRoute", attributes, points)
        }
        var path = "/workout-routes/route_2024-03-10_\(1 + routes.count).21pm.gpx"
        routes.append(path)
        if hostile(&random) {
            path = random.pick(["/../../etc/passwd", "", "/", "\\x", path + "x"])
        }
        return ExportElement(
            "WorkoutRoute", attributes, [ExportElement("FileReference", [("path", path)])])
    }

    private func zones(_ random: inout SeededRandom) -> ExportElement {
        ExportElement(
            "WorkoutZoneGroup",
            [("type", "HKQuantityTypeIdentifierHeartRate"), ("unit", "count/min")],
            [
                ExportElement(
                    "WorkoutZone",
                    [("maximum", number(90...120, &random)), ("duration", "3")])
            ])
    }
}
