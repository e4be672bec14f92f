internal import Foundation
internal import HealthEngine

extension Simulation {
    /// Records most runs and some strolls as workouts, if the Watch is worn during the whole walk.
    func recordWorkouts(_ plan: DayPlan, into builder: inout BatchBuilder) {
        var random = SeededGenerator(seed: person.seed, stream: .workouts, day: plan.day)
        for walk in plan.walks where walk.kind == .run || walk.kind == .stroll {
            let isRecorded = random.chance(walk.kind == .run ? 0.95 : 0.25)
            let onWrist = plan.worn.contains {
                $0.lowerBound <= walk.start && walk.end <= $0.upperBound
            }
            guard isRecorded, onWrist else { continue }
            var metadata: Metadata = [
                "HKIndoorWorkout": .number(0),
                "HKTimeZone": .string(plan.zoneIdentifier),
                "HKAverageMETs": .quantity(
                    walk.kind == .run ? 9.2 : 3.6, unit: "kcal/hr·kg"),
            ]
            if random.chance(0.7) {
                metadata["HKWeatherTemperature"] = .quantity(
                    (57 + 12 * random.normal()).rounded(), unit: "degF")
                // The percentage times 100, as in Apple's exports.
                metadata["HKWeatherHumidity"] = .quantity(
                    Double(random.integer(30...95) * 100), unit: "%")
            }
            let workout = workout(walk, plan, &random)
            builder.add(
                SimulatedType.workout.code, builder.origin(origin(.watch, on: plan.day)),
                walk.start..<walk.end, metadata: builder.metadata(metadata), delay: 20,
                detail: .workout(workout))
        }
    }

    private func workout(_ walk: Walk, _ plan: DayPlan, _ random: inout SeededGenerator)
        -> Workout
    {
        let isRun = walk.kind == .run
        var workout = Workout(activityType: isRun ? 37 : 52)
        let pauseSeconds = (walk.pause?.count ?? 0) * 60
        workout.duration = Double(walk.end - walk.start - pauseSeconds)
        workout.events = events(of: walk)
        workout.statistics = statistics(of: walk, plan, &random)
        workout.activities = [
            WorkoutActivity(
                uuid: Simulation.uuid(&random), start: Double(walk.start), end: Double(walk.end),
                duration: workout.duration, events: workout.events,
                statistics: workout.statistics)
        ]
        if random.chance(isRun ? 0.9 : 0.6) { workout.routes = [route(of: walk, plan)] }
        return workout
    }

    /// Returns the events of a workout: a pause and a resume event if it has a break, and a segment
    /// for each full 15 minutes.
    private func events(of walk: Walk) -> [WorkoutEvent] {
        var events: [WorkoutEvent] = []
        if let pause = walk.pause {
            events.append(
                WorkoutEvent(type: 1, start: Double(walk.start + pause.lowerBound * 60)))
            events.append(
                WorkoutEvent(type: 2, start: Double(walk.start + pause.upperBound * 60)))
        }
        for lap in stride(from: 0, to: walk.cadence.count - 14, by: 15) {
            events.append(
                WorkoutEvent(type: 7, start: Double(walk.start + lap * 60), duration: 900))
        }
        return events
    }

    private func statistics(of walk: Walk, _ plan: DayPlan, _ random: inout SeededGenerator)
        -> [WorkoutStatistics]
    {
        let (start, end) = (Double(walk.start), Double(walk.end))
        let steps = walk.steps(in: walk.start..<walk.end)
        let rate = restingHeartRate(plan.day) + (walk.kind == .run ? 86 : 44)
        let spread = Double(random.integer(9...24))
        return [
            WorkoutStatistics(
                type: SimulatedType.activeEnergyBurned.rawValue, unit: "Cal", start: start,
                end: end, sum: activeEnergy(plan, from: walk.start, to: walk.end).rounded(to: 1000)
            ),
            WorkoutStatistics(
                type: SimulatedType.distanceWalkingRunning.rawValue, unit: "mi", start: start,
                end: end, sum: (steps * walk.stride / 1609.344).rounded(to: 100_000)),
            WorkoutStatistics(
                type: SimulatedType.heartRate.rawValue, unit: "count/min", start: start, end: end,
                average: (rate + random.normal()).rounded(to: 1000),
                minimum: (rate - spread).rounded(), maximum: (rate + spread).rounded()),
        ]
    }

    /// Returns a route. One in twelve has a path but no points, as if its file were missing.
    private func route(of walk: Walk, _ plan: DayPlan) -> WorkoutRoute {
        var random = SeededGenerator(seed: person.seed, stream: .routes, day: plan.day)
        let path = "/workout-routes/" + RouteName.file(endingAt: walk.end, in: plan.zone)
        var route = WorkoutRoute(
            start: Double(walk.start), end: Double(walk.end), path: path,
            metadata: [
                "HKMetadataKeySyncIdentifier": .string(Simulation.uuid(&random)),
                "HKMetadataKeySyncVersion": .number(2),
            ])
        guard !random.chance(1.0 / 12) else { return route }
        var latitude = isAbroad(plan) ? 38.7223 : 40.7821
        var longitude = isAbroad(plan) ? -9.1393 : -73.9654
        let legs = max(4, walk.cadence.count / 4)
        let points = walk.cadence.count * 6
        // Eight compass directions as constants, because sines differ between C libraries.
        let compass: [(north: Double, east: Double)] = [
            (1, 0), (0.7071, 0.7071), (0, 1), (-0.7071, 0.7071),
            (-1, 0), (-0.7071, -0.7071), (0, -1), (0.7071, -0.7071),
        ]
        var altitude = random.real(4...60)
        for point in 0..<points {
            let direction = compass[point * legs / points % 8]
            let steps = Double(walk.cadence[point / 6]) / 6
            let metres = steps * walk.stride * (1 + 0.1 * random.normal())
            latitude += direction.north * metres / 111_320
            longitude += direction.east * metres / 84_000
            altitude += 0.3 * random.normal()
            route.points.append(
                RoutePoint(
                    time: Double(walk.start + point * 10), latitude: latitude.rounded(to: 1e6),
                    longitude: longitude.rounded(to: 1e6), altitude: altitude.rounded(to: 1e6),
                    horizontalAccuracy: random.real(2...8).rounded(to: 1e6),
                    verticalAccuracy: random.real(1...4).rounded(to: 1e6),
                    course: Double(point * legs / points % 8 * 45),
                    speed: (metres / 10).rounded(to: 1e6)))
        }
        return route
    }

    private func isAbroad(_ plan: DayPlan) -> Bool { calendar.isTravelling(plan.day) }
}

extension Walk {
    /// The length of a step in metres, so that routes are as long as the workouts' distances.
    fileprivate var stride: Double { kind == .run ? 1.02 : 0.8 }
}

/// The names of route files, with the local time at which the route ends:
/// "route_2024-09-03_7.48pm.gpx".
enum RouteName {
    static func file(endingAt instant: Int, in zone: TimeZone) -> String {
        let offset = zone.secondsFromGMT(
            for: Date(timeIntervalSinceReferenceDate: Double(instant)))
        let local = instant + offset
        let day = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
        let second = local - day * 86_400
        let hour = second / 3600
        let minute = second / 60 % 60
        return "route_\(CivilDate(dayNumber: day))_\((hour + 11) % 12 + 1)."
            + "\(minute < 10 ? "0" : "")\(minute)\(hour < 12 ? "am" : "pm").gpx"
    }
}
