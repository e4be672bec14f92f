import Foundation
import HealthEngine

extension PushEncoder {
    /// Returns the workouts to which a route belongs. HealthKit has no query from a route to its
    /// workout, so the workouts of its time are asked for the route.
    ///
    /// Routes can be saved after their workout, which doesn't change it. So a route brings its
    /// workout along, which the server mostly has already.
    func workouts(with route: HKWorkoutRoute) async throws -> [HKSample] {
        let sameTime = HKQuery.predicateForSamples(
            withStart: route.startDate, end: route.endDate, options: [])
        var found: [HKSample] = []
        for sample in try await samples(.workoutType(), sameTime, limit: nil) {
            guard let workout = sample as? HKWorkout else { continue }
            let isIn = NSCompoundPredicate(andPredicateWithSubpredicates: [
                HKQuery.predicateForObjects(from: workout),
                HKQuery.predicateForObject(with: route.uuid),
            ])
            if try await !samples(HKSeriesType.workoutRoute(), isIn, limit: 1).isEmpty {
                found.append(workout)
            }
        }
        return found
    }

    /// Returns the routes inside an imported workout, which are no changes of their own. HealthKit
    /// has none: there, a route is a sample.
    func importedRoutes(of workout: HKWorkout) async throws -> [HKSample] {
        #if os(iOS) || os(watchOS) || os(visionOS)
            return []
        #else
            let routes = try await samples(
                HKSeriesType.workoutRoute(), HKQuery.predicateForObjects(from: workout), limit: nil)
            // Their UUIDs are derived, so they are of version 8.
            return routes.filter { $0.uuid.uuid.6 >> 4 == 8 }
        #endif
    }

    /// Returns samples; none of a type that the app may not read.
    private func samples(
        _ type: HKSampleType, _ predicate: NSPredicate, limit: Int?
    ) async throws -> [HKSample] {
        let query = HKSampleQueryDescriptor(
            predicates: [HKSamplePredicate<HKSample>.sample(type: type, predicate: predicate)],
            sortDescriptors: [SortDescriptor(\HKSample.startDate)], limit: limit)
        do {
            return try await query.result(for: store)
        } catch let error as HKError
            where error.code == .errorAuthorizationNotDetermined
            || error.code == .errorAuthorizationDenied
        {
            return []
        }
    }
}

extension PushWorkout {
    init(_ workout: HKWorkout) {
        let type = workout.workoutActivityType.rawValue
        self.init(
            activityType: type,
            activity: Catalogue.workoutActivity(Int(clamping: type))?.name,
            duration: workout.duration,
            events: (workout.workoutEvents ?? []).compactMap(PushEvent.init),
            activities: workout.workoutActivities.compactMap(PushActivity.init),
            statistics: PushStatistics.list(workout.allStatistics))
    }
}

extension PushEvent {
    /// Creates an event; nil if its time can't be expressed.
    init?(_ event: HKWorkoutEvent) {
        guard let start = event.dateInterval.start.instantText else { return nil }
        self.init(
            type: event.type.rawValue, start: start, duration: event.dateInterval.duration,
            metadata: PushMetadataValue.entries(event.metadata))
    }
}

extension PushActivity {
    /// Creates an activity; nil if its start can't be expressed.
    init?(_ activity: HKWorkoutActivity) {
        guard let start = activity.startDate.instantText else { return nil }
        let configuration = activity.workoutConfiguration
        var units = PushUnits()
        let lap = configuration.lapLength.flatMap { units.number($0, of: "lapLength") }
        self.init(
            uuid: activity.uuid.uuidString,
            activityType: configuration.activityType.rawValue,
            locationType: configuration.locationType.rawValue,
            swimmingLocationType: configuration.swimmingLocationType.rawValue,
            lapLength: lap?.0, lapLengthUnit: lap?.1, start: start,
            end: activity.endDate?.instantText, duration: activity.duration,
            events: activity.workoutEvents.compactMap(PushEvent.init),
            statistics: PushStatistics.list(activity.allStatistics),
            metadata: PushMetadataValue.entries(activity.metadata))
    }
}

extension PushStatistics {
    /// Returns statistics in the order of their types.
    static func list(_ statistics: [HKQuantityType: HKStatistics]) -> [PushStatistics] {
        statistics.values.compactMap(PushStatistics.init).sorted { $0.type < $1.type }
    }

    /// Creates statistics; nil if a time can't be expressed, or nothing is known.
    init?(_ statistics: HKStatistics) {
        guard let start = statistics.startDate.instantText,
            let end = statistics.endDate.instantText
        else { return nil }
        let type = statistics.quantityType.identifier
        var units = PushUnits()
        var unit: String?
        func number(_ quantity: HKQuantity?) -> Double? {
            guard let (value, symbol) = quantity.flatMap({ units.number($0, of: type) }),
                value.isFinite
            else { return nil }
            unit = symbol
            return value
        }
        let sum = number(statistics.sumQuantity())
        let average = number(statistics.averageQuantity())
        let minimum = number(statistics.minimumQuantity())
        let maximum = number(statistics.maximumQuantity())
        let mostRecent = number(statistics.mostRecentQuantity())
        guard let unit else { return nil }
        let recent = statistics.mostRecentQuantityDateInterval()
        self.init(
            type: type, unit: unit, start: start, end: end, sum: sum, average: average,
            minimum: minimum, maximum: maximum, mostRecent: mostRecent,
            mostRecentStart: recent?.start.instantText, mostRecentEnd: recent?.end.instantText,
            duration: statistics.duration()?.doubleValue(for: .second()))
    }
}
