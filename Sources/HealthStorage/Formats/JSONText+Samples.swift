package import HealthCalendar
package import HealthEngine

// The metadata, device and details of samples as JSON for other programs.
extension JSONText {
    /// Returns metadata as an object with sorted keys. Dates are texts in ISO 8601; quantities are
    /// objects with a value and a unit:
    /// `{"HKWasUserEntered":1,"HKWeatherTemperature":{"value":47.6,"unit":"degF"}}`.
    ///
    /// - Parameters:
    ///   - metadata: The metadata.
    ///   - calendar: The time zone of the dates.
    /// - Returns: A JSON object.
    package static func metadata(_ metadata: Metadata, _ calendar: CalendarBuckets) -> JSONText {
        .object(
            metadata.sorted { $0.key < $1.key }.map { key, value in
                switch value {
                case .string(let text): (key, .string(text))
                case .number(let number): (key, .number(number))
                case .date(let time): (key, .string(calendar.text(time)))
                case .quantity(let amount, let unit):
                    (key, .object(["value": .number(amount), "unit": .string(unit)]))
                }
            })
    }

    /// Returns the known properties of a device: `{"name":"Apple
    /// Watch","hardwareVersion":"Watch7,11"}`.
    ///
    /// - Parameter device: The device.
    /// - Returns: A JSON object.
    package static func device(_ device: Device) -> JSONText {
        .object([
            "name": device.name.map(JSONText.string),
            "manufacturer": device.manufacturer.map(JSONText.string),
            "model": device.model.map(JSONText.string),
            "hardwareVersion": device.hardwareVersion.map(JSONText.string),
            "firmwareVersion": device.firmwareVersion.map(JSONText.string),
            "softwareVersion": device.softwareVersion.map(JSONText.string),
            "localIdentifier": device.localIdentifier.map(JSONText.string),
            "udiDeviceIdentifier": device.udiDeviceIdentifier.map(JSONText.string),
        ])
    }

    /// Returns the details of a sample under the name of their kind: `{"workout":{…}}`.
    ///
    /// Times are in ISO 8601, except those of heartbeats, which are local clock times as exported.
    /// Durations of workouts are in seconds, times of activity summaries in minutes. The `totals`
    /// of a workout are calculated from its `statistics`, which are included too. Routes with
    /// stored points that weren't loaded have no `points`. The accuracies of course and speed are
    /// left out.
    ///
    /// - Parameters:
    ///   - detail: The details.
    ///   - calendar: The time zone of the times.
    /// - Returns: A JSON object with one key.
    package static func detail(_ detail: SampleDetail, _ calendar: CalendarBuckets) -> JSONText {
        switch detail {
        case .workout(let workout): .object(["workout": self.workout(workout, calendar)])
        case .activitySummary(let summary): .object(["activitySummary": self.summary(summary)])
        case .heartbeats(let beats):
            .object([
                "heartbeats": .array(
                    beats.map {
                        .object([
                            "bpm": .number($0.bpm), "time": .string($0.time),
                            "offset": $0.offset.map(JSONText.number),
                            "gap": $0.precededByGap ? .bool(true) : nil,
                        ])
                    })
            ])
        case .series(let quantities):
            .object([
                "series": .array(
                    quantities.map {
                        .object([
                            "start": .string(calendar.text($0.start)),
                            "end": .string(calendar.text($0.end)), "value": .number($0.value),
                        ])
                    })
            ])
        case .route(let points): .object(["route": .array(points.map { point($0, calendar) })])
        case .clinicalRecord(let record): clinicalRecord(record)
        case .document(let document): self.document(document)
        case .verifiableClinicalRecord(let record): verifiableClinicalRecord(record, calendar)
        case .medicationDose(let dose): .object(["medicationDose": medicationDose(dose, calendar)])
        case .numbers(let numbers):
            .object([
                "numbers": .object(
                    numbers.sorted { $0.key < $1.key }.map {
                        ($0.key, .array($0.value.map(JSONText.number)))
                    })
            ])
        case .audiogram(let audiogram): .object(["audiogram": self.audiogram(audiogram)])
        case .visionPrescription(let prescription):
            .object(["visionPrescription": visionPrescription(prescription, calendar)])
        }
    }

    private static func workout(_ workout: Workout, _ calendar: CalendarBuckets) -> JSONText {
        .object([
            "activity": .string(workout.activityName),
            "activityType": .integer(workout.activityType),
            "duration": workout.duration.map(JSONText.number),
            "totals": totals(workout),
            "events": .array(workout.events.map { event($0, calendar) }),
            "activities": .array(workout.activities.map { activity($0, calendar) }),
            "statistics": .array(workout.statistics.map { statistics($0, calendar) }),
            "routes": .array(workout.routes.map { route($0, calendar) }),
            "zones": .array(workout.zones.map(zones)),
        ])
    }

    private static func totals(_ workout: Workout) -> JSONText {
        func total(_ total: SampleFilter.WorkoutTotal) -> JSONText? {
            workout.total(total).map {
                .object(["value": .number($0.value), "unit": .string($0.unit)])
            }
        }
        return .object([
            "distance": total(.distance), "energyBurned": total(.energyBurned),
            "swimmingStrokeCount": total(.swimmingStrokeCount),
            "flightsClimbed": total(.flightsClimbed),
        ])
    }

    private static func event(_ event: WorkoutEvent, _ calendar: CalendarBuckets) -> JSONText {
        .object([
            "type": .string(event.name),
            "start": .string(calendar.text(event.start)),
            "duration": .number(event.duration),
            "metadata": event.metadata.isEmpty ? nil : metadata(event.metadata, calendar),
        ])
    }

    private static func activity(
        _ activity: WorkoutActivity, _ calendar: CalendarBuckets
    ) -> JSONText {
        .object([
            "uuid": .string(activity.uuid),
            "activityType": activity.configuration.map { .integer($0.activityType) },
            "locationType": activity.configuration.map { .integer($0.locationType) },
            "start": activity.start.map { .string(calendar.text($0)) },
            "end": activity.end.map { .string(calendar.text($0)) },
            "duration": activity.duration.map(JSONText.number),
            "events": .array(activity.events.map { event($0, calendar) }),
            "statistics": .array(activity.statistics.map { statistics($0, calendar) }),
            "metadata": activity.metadata.isEmpty ? nil : metadata(activity.metadata, calendar),
        ])
    }

    private static func statistics(
        _ statistics: WorkoutStatistics, _ calendar: CalendarBuckets
    ) -> JSONText {
        .object([
            "type": .string(statistics.type),
            "unit": statistics.unit.map(JSONText.string),
            "start": statistics.start.map { .string(calendar.text($0)) },
            "end": statistics.end.map { .string(calendar.text($0)) },
            "sum": statistics.sum.map(JSONText.number),
            "average": statistics.average.map(JSONText.number),
            "minimum": statistics.minimum.map(JSONText.number),
            "maximum": statistics.maximum.map(JSONText.number),
        ])
    }

    private static func route(_ route: WorkoutRoute, _ calendar: CalendarBuckets) -> JSONText {
        .object([
            "start": .string(calendar.text(route.start)),
            "end": .string(calendar.text(route.end)),
            "path": route.path.map(JSONText.string),
            // If the points weren't loaded from the store, an empty array would be wrong.
            "points": route.points.isEmpty && route.storedPoints != nil
                ? nil : .array(route.points.map { point($0, calendar) }),
            "metadata": route.metadata.isEmpty ? nil : metadata(route.metadata, calendar),
        ])
    }

    private static func point(_ point: RoutePoint, _ calendar: CalendarBuckets) -> JSONText {
        .object([
            "time": .string(calendar.text(point.time)),
            "latitude": .number(point.latitude), "longitude": .number(point.longitude),
            "altitude": .number(point.altitude),
            "horizontalAccuracy": .number(point.horizontalAccuracy),
            "verticalAccuracy": .number(point.verticalAccuracy),
            "course": .number(point.course), "speed": .number(point.speed),
        ])
    }

    private static func zones(_ group: WorkoutZoneGroup) -> JSONText {
        .object([
            "type": .string(group.type), "source": group.source.map(JSONText.string),
            "unit": group.unit.map(JSONText.string),
            "zones": .array(
                group.zones.map {
                    .object([
                        "minimum": $0.minimum.map(JSONText.number),
                        "maximum": $0.maximum.map(JSONText.number),
                        "duration": $0.duration.map(JSONText.number),
                    ])
                }),
        ])
    }

    private static func summary(_ summary: ActivitySummary) -> JSONText {
        .object([
            "date": .string(summary.date),
            "activeEnergyBurned": summary.activeEnergyBurned.map(JSONText.number),
            "activeEnergyBurnedGoal": summary.activeEnergyBurnedGoal.map(JSONText.number),
            "activeEnergyBurnedUnit": summary.activeEnergyBurnedUnit.map(JSONText.string),
            "appleMoveTime": summary.appleMoveTime.map(JSONText.number),
            "appleMoveTimeGoal": summary.appleMoveTimeGoal.map(JSONText.number),
            "appleExerciseTime": summary.appleExerciseTime.map(JSONText.number),
            "appleExerciseTimeGoal": summary.appleExerciseTimeGoal.map(JSONText.number),
            "appleStandHours": summary.appleStandHours.map(JSONText.number),
            "appleStandHoursGoal": summary.appleStandHoursGoal.map(JSONText.number),
        ])
    }
}
