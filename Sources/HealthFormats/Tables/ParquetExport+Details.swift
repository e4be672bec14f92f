import HealthEngine
import HealthStorage

// The tables of workouts, routes, activity summaries and members.
extension ParquetExport {
    func writeDetail(
        _ index: Int, _ exported: ExportedBatch, _ shared: inout BatchValues
    ) throws {
        let uuid = ParquetValue.text(exported.uuids[index])
        for held in exported.members[index] ?? [] {
            try append([uuid, shared.type, .text(held)], to: .members)
        }
        let sample = exported.batch.samples[index]
        switch exported.batch.details[index] {
        case .workout(let workout):
            try append(workoutRow(workout, uuid, sample, &shared), to: .workouts)
            try writeParts(of: workout, uuid, shared)
        case .activitySummary(let summary):
            try append(summaryRow(summary, uuid), to: .activitySummaries)
        case .route(let points):
            let route = WorkoutRoute(start: sample.start, end: sample.end, points: points)
            try write(route, workout: .null, sample: uuid, shared)
        case .heartbeats, .series, .numbers, .medicationDose, nil: break
        case .audiogram, .visionPrescription: break
        case .clinicalRecord, .document, .verifiableClinicalRecord: break
        }
    }

    private func workoutRow(
        _ workout: Workout, _ uuid: ParquetValue, _ sample: Sample, _ shared: inout BatchValues
    ) -> [ParquetValue] {
        let (distance, energy) = (workout.total(.distance), workout.total(.energyBurned))
        return [
            uuid, .text(workout.activityName), ParquetTimes.timestamp(sample.start),
            sample.isUndetermined ? .null : ParquetTimes.timestamp(sample.end),
            times.day(sample.start), zone, .double(orNull: workout.duration),
            .double(orNull: distance?.value), .text(orNull: distance?.unit),
            .double(orNull: energy?.value), .text(orNull: energy?.unit),
            .double(orNull: workout.total(.swimmingStrokeCount)?.value),
            .double(orNull: workout.total(.flightsClimbed)?.value),
            shared.origin(sample).source, .int32(Int32(clamping: workout.routes.count)),
        ]
    }

    private func writeParts(
        of workout: Workout, _ uuid: ParquetValue, _ shared: BatchValues
    ) throws {
        for part in workout.statistics {
            try append(
                [
                    uuid, .text(part.type), .text(orNull: part.unit), .double(orNull: part.sum),
                    .double(orNull: part.average), .double(orNull: part.minimum),
                    .double(orNull: part.maximum),
                ], to: .workoutStatistics)
        }
        for event in workout.events {
            try append(
                [
                    uuid, .text(event.name), ParquetTimes.timestamp(event.start),
                    .double(orNull: event.duration), shared.metadata(event.metadata),
                ], to: .workoutEvents)
        }
        for route in workout.routes { try write(route, workout: uuid, sample: .null, shared) }
    }

    private func write(
        _ route: WorkoutRoute, workout: ParquetValue, sample: ParquetValue, _ shared: BatchValues
    ) throws {
        let number = ParquetValue.int64(nextRoute())
        try append(
            [
                number, workout, sample, ParquetTimes.timestamp(route.start),
                ParquetTimes.timestamp(route.end), .text(orNull: route.path),
                .int32(Int32(clamping: route.points.count)), shared.metadata(route.metadata),
            ], to: .routes)
        for (position, point) in route.points.enumerated() {
            try append(
                [
                    number, .int32(Int32(clamping: position)), ParquetTimes.timestamp(point.time),
                    .double(orNull: point.latitude), .double(orNull: point.longitude),
                    .double(orNull: point.altitude), .double(orNull: point.horizontalAccuracy),
                    .double(orNull: point.verticalAccuracy), .double(orNull: point.course),
                    .double(orNull: point.speed), .double(orNull: point.courseAccuracy),
                    .double(orNull: point.speedAccuracy),
                ], to: .routePoints)
        }
    }

    private func summaryRow(_ summary: ActivitySummary, _ uuid: ParquetValue) -> [ParquetValue] {
        [
            uuid, CivilDate(summary.date).map(ParquetTimes.date) ?? .null,
            .double(orNull: summary.activeEnergyBurned),
            .double(orNull: summary.activeEnergyBurnedGoal),
            .text(orNull: summary.activeEnergyBurnedUnit), .double(orNull: summary.appleMoveTime),
            .double(orNull: summary.appleMoveTimeGoal),
            .double(orNull: summary.appleExerciseTime),
            .double(orNull: summary.appleExerciseTimeGoal),
            .double(orNull: summary.appleStandHours), .double(orNull: summary.appleStandHoursGoal),
        ]
    }
}
