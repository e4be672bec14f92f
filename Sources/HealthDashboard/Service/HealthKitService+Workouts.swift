public import Foundation
import HealthEngine

#if canImport(CoreLocation)
    import CoreLocation
#endif

extension HealthKitService {
    /// Returns the workouts that start in a range, the newest first.
    ///
    /// ``WorkoutSummary/hasRoute`` is true if any readable route overlaps the workout in time.
    /// Routes that start more than a day after the start of the newest workout are not considered.
    ///
    /// - Parameters:
    ///   - range: The half-open range of starts.
    ///   - limit: The maximum number of workouts. A limit below 1 counts as 1.
    /// - Returns: The newest workouts in the range.
    /// - Throws: ``Unavailability``.
    public func workouts(
        _ range: DateInterval, limit: Int
    ) async throws(Unavailability) -> [WorkoutSummary] {
        let workouts = try await stored(range, limit: limit)
        guard let last = workouts.first?.startDate, let first = workouts.last?.startDate else {
            return []
        }
        let routes = await routes(
            HKQuery.predicateForSamples(withStart: first, end: last + 86_400, options: []))
        return workouts.map { workout in
            WorkoutSummary(
                workout,
                hasRoute: routes.contains { route in
                    workout.startDate <= route.endDate && route.startDate <= workout.endDate
                })
        }
    }

    /// Returns the workouts that start in a range, the newest first, without looking for routes:
    /// ``WorkoutSummary/hasRoute`` is false. Totals of many workouts need no routes.
    ///
    /// - Parameters:
    ///   - range: The half-open range of starts.
    ///   - limit: The maximum number of workouts. A limit below 1 counts as 1.
    /// - Returns: The newest workouts in the range.
    /// - Throws: ``Unavailability``.
    package func workoutsWithoutRoutes(
        _ range: DateInterval, limit: Int
    ) async throws(Unavailability) -> [WorkoutSummary] {
        try await stored(range, limit: limit).map { WorkoutSummary($0, hasRoute: false) }
    }

    private func stored(
        _ range: DateInterval, limit: Int
    ) async throws(Unavailability) -> [HKWorkout] {
        let query = HKSampleQueryDescriptor(
            predicates: [.workout(range.predicate(.strictStartDate))],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: max(1, limit))
        do {
            return try await query.result(for: store)
        } catch {
            throw Unavailability(error)
        }
    }

    /// Returns a workout with its heart rate and route. Splits and elevation gain are computed from
    /// all points of the route.
    ///
    /// - Parameter id: The workout's UUID.
    /// - Returns: The workout; nil if there is none.
    /// - Throws: ``Unavailability``.
    public func workout(_ id: UUID) async throws(Unavailability) -> WorkoutDetail? {
        let query = HKSampleQueryDescriptor(
            predicates: [.workout(HKQuery.predicateForObject(with: id))], sortDescriptors: [],
            limit: 1)
        do {
            guard let workout = try await query.result(for: store).first else { return nil }
            let points = await points(along: workout)
            let summary = WorkoutSummary(workout, hasRoute: !points.isEmpty)
            let heartRate = try await heartRate(during: workout)
            let track = RouteTrack(points, recordedDistance: summary.distance)
            return WorkoutDetail(
                summary: summary, heartRate: heartRate, route: Self.thinned(points),
                splits: WorkoutSplit.splits(of: track, every: .kilometre, heartRate: heartRate),
                mileSplits: WorkoutSplit.splits(of: track, every: .mile, heartRate: heartRate),
                elevationGain: track.climb)
        } catch {
            throw Unavailability(error)
        }
    }

    /// The duration of the longest workout for which heart rates are read, in seconds: 366 days.
    /// The buckets of longer workouts would be too coarse.
    private static let longestDrawn = 366 * 86_400.0

    /// Returns the heart rate in buckets of a 200th of the workout, but at least 15 seconds.
    /// Buckets without data are omitted. The result is empty for a workout of more than 366 days or
    /// without duration, and without requested authorization for heart rate.
    private func heartRate(
        during workout: HKWorkout
    ) async throws(Unavailability) -> [HealthSeries.Point] {
        let interval = DateInterval(
            start: workout.startDate, end: max(workout.startDate, workout.endDate))
        let seconds = max(15, Int(clamping: (interval.duration / 200).rounded(.up)))
        guard let type = Metric.heartRate.quantityType, interval.duration > 0,
            interval.duration <= Self.longestDrawn,
            let unit = Metric.heartRate.unit(of: type)
        else { return [] }
        do {
            return try await statistics(
                of: type, [.discreteAverage, .discreteMin, .discreteMax], over: interval,
                anchor: interval.start, every: DateComponents(second: seconds)
            ).map { step in
                HealthSeries.Point(
                    start: step.startDate, end: min(step.endDate, interval.end),
                    value: step.averageQuantity()?.doubleValue(for: unit),
                    minimum: step.minimumQuantity()?.doubleValue(for: unit),
                    maximum: step.maximumQuantity()?.doubleValue(for: unit))
            }
        } catch .notDetermined {
            return []
        }
    }

    /// Returns workout routes; empty if they cannot be read, for example without permission.
    private func routes(_ predicate: NSPredicate) async -> [HKWorkoutRoute] {
        let query = HKSampleQueryDescriptor(
            predicates: [.workoutRoute(predicate)], sortDescriptors: [])
        return (try? await query.result(for: store)) ?? []
    }

    /// Returns the points of the workout's routes in order of time. Points that cannot be read are
    /// omitted. Where routes overlap, those of the first one are returned.
    private func points(along workout: HKWorkout) async -> [WorkoutDetail.RoutePoint] {
        var all: [[WorkoutDetail.RoutePoint]] = []
        for route in await routes(HKQuery.predicateForObjects(from: workout)) {
            var points: [WorkoutDetail.RoutePoint] = []
            do {
                for try await location in HKWorkoutRouteQueryDescriptor(route).results(for: store) {
                    points.append(WorkoutDetail.RoutePoint(location))
                }
            } catch {
                // The points before the error remain.
            }
            all.append(points)
        }
        return RouteTrack.joined(all)
    }

    /// Returns at most 2,000 points: all, or every second, third or later one.
    private static func thinned(
        _ points: [WorkoutDetail.RoutePoint]
    ) -> [WorkoutDetail.RoutePoint] {
        let size = max(1, (points.count + 1999) / 2000)
        return stride(from: 0, to: points.count, by: size).map { points[$0] }
    }
}

extension WorkoutDetail.RoutePoint {
    /// Creates a point of a location. An altitude of 0 with a negative accuracy is unknown: imports
    /// store it if the file has none.
    fileprivate init(_ location: CLLocation) {
        let isUnknown = location.verticalAccuracy < 0 && location.altitude == 0
        self.init(
            time: location.timestamp, latitude: location.coordinate.latitude,
            longitude: location.coordinate.longitude,
            altitude: isUnknown ? nil : location.altitude)
    }
}

extension WorkoutSummary {
    /// Creates the summary of HealthKit's workout from the statistics that the workout contains. If
    /// it contains none, distance and energy are sums over the workout's activities.
    init(_ workout: HKWorkout, hasRoute: Bool) {
        let own = workout.allStatistics
        let parts = workout.workoutActivities.map(\.allStatistics)
        func sum(_ unit: HKUnit, _ isWanted: (String) -> Bool) -> Double? {
            func values(_ statistics: [HKQuantityType: HKStatistics]) -> [Double] {
                statistics.compactMap { type, statistics in
                    guard isWanted(type.identifier), type.is(compatibleWith: unit) else {
                        return nil
                    }
                    return statistics.sumQuantity()?.doubleValue(for: unit)
                }
            }
            let values = own.isEmpty ? parts.flatMap(values) : values(own)
            return values.isEmpty ? nil : values.reduce(0, +)
        }
        let beats = HKUnit.count().unitDivided(by: .minute())
        let heartRate = workout.statistics(for: HKQuantityType(.heartRate))
        let activity = Catalogue.workoutActivity(Int(workout.workoutActivityType.rawValue))?.name
        self.init(
            id: workout.uuid, activity: activity.map(TypeText.split) ?? "workout",
            start: workout.startDate, end: workout.endDate, duration: workout.duration,
            distance: sum(.meter()) { $0.hasPrefix("HKQuantityTypeIdentifierDistance") },
            energy: sum(.kilocalorie()) { $0 == Metric.activeEnergy.identifier },
            averageHeartRate: heartRate?.averageQuantity()?.doubleValue(for: beats),
            maximumHeartRate: heartRate?.maximumQuantity()?.doubleValue(for: beats),
            source: workout.sourceRevision.source.name, hasRoute: hasRoute)
    }
}
