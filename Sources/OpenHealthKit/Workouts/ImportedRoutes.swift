import Foundation
import HealthEngine
import HealthStorage

// An export writes a route inside its workout, so an import keeps it there and not as a sample of its
// own. Where points of it are known, queries find it all the same; the points themselves are read
// when a route query asks.

/// One route of an imported workout, as a sample.
private struct ImportedRoute {
    var route: HKWorkoutRoute
    var workout: SampleUUID
    /// Where the store keeps the points; nil where ``route`` has them.
    var storedPoints: Int64?

    /// - Parameter index: Among the workout's routes.
    init?(_ route: WorkoutRoute, at index: Int, of workout: HKWorkout, in store: SampleStore) throws
    {
        guard !route.points.isEmpty || route.storedPoints != nil else { return nil }
        storedPoints = route.storedPoints
        self.workout = SampleUUID(workout.uuid)
        let uuid = SampleUUID(ofImportedRoute: index, of: self.workout)
        let record = SampleRecord(
            uuid: UUID(uuid), sampleType: HKSeriesType.workoutRoute(), start: route.start,
            end: route.end, origin: workout.origin,
            metadata: route.metadata.isEmpty ? nil : SampleMetadata(route.metadata))
        if let number = storedPoints {
            self.route = HKWorkoutRoute(
                _record: record, storedCount: try store.routePointCount(number))
        } else {
            self.route = HKWorkoutRoute(
                _record: record, points: route.points.sorted { $0.time < $1.time })
        }
    }

    func matches(_ filter: SampleFilter) -> Bool {
        filter.decidingMembership(in: workout).matches(route.facts)
    }
}

extension SampleUUID {
    /// Ours for a route inside an imported workout: the workout's, with the type of routes in its
    /// first 16 bits and the route's place in its last 12 (Documentation/Schema.md, Identity).
    fileprivate init(ofImportedRoute index: Int, of workout: SampleUUID) {
        let type = UInt64(UInt16(truncatingIfNeeded: HKSeriesType.workoutRoute().row?.code ?? 0))
        self.init(
            high: workout.high & 0x0000_FFFF_FFFF_FFFF | type << 48,
            low: workout.low &+ UInt64(index))
    }
}

extension SampleFilter {
    /// When workouts were whose routes may match, give or take a day.
    fileprivate var timesOfWorkouts: SampleFilter {
        let bounds = timeBounds
        if bounds.isEmpty { return .nothing }
        let first = [bounds.start.lower?.time, bounds.end.lower?.time].compactMap(\.self).max()
        let last = [bounds.start.upper?.time, bounds.end.upper?.time].compactMap(\.self).min()
        return .and(
            [
                first.map { .test(.end, .compare(.atLeast, .date($0 - 86_400))) },
                last.map { .test(.start, .compare(.atMost, .date($0 + 86_400))) },
            ].compactMap(\.self))
    }

    /// The filter for a sample that belongs to `container` and to nothing else.
    fileprivate func decidingMembership(in container: SampleUUID) -> SampleFilter {
        switch self {
        case .memberOf(let asked): asked == container ? .everything : .nothing
        case .and(let filters): .and(filters.map { $0.decidingMembership(in: container) })
        case .or(let filters): .or(filters.map { $0.decidingMembership(in: container) })
        case .not(let filter): .not(filter.decidingMembership(in: container))
        case .everything, .nothing, .test, .hasNoCorrelation, .workoutActivity: self
        }
    }
}

extension QueryExecution {
    /// Routes inside imported workouts that the requests for routes are about.
    ///
    /// Where the filter names no workout but times, a route more than a day outside its workout is
    /// not found.
    ///
    /// - Complexity: O(log n) where the filter names a workout, else O(workouts of that time).
    func importedRoutes(
        _ requests: [SampleRequest], _ visibility: Visibility
    ) throws -> [HKWorkoutRoute] {
        try findImportedRoutes(requests, visibility).map(\.route)
    }

    private func findImportedRoutes(
        _ requests: [SampleRequest], _ visibility: Visibility
    ) throws -> [ImportedRoute] {
        let type = HKSeriesType.workoutRoute().row
        let asked = requests.filter { $0.type == type }
        // Imported data are nobody's own: a reader of its own routes sees none.
        guard let type, !asked.isEmpty, visibility[type.code] == .all else { return [] }
        var found: [ImportedRoute] = []
        let store = try connection.readableStore
        for workout in try importedWorkouts(asked.map(\.filter)) {
            for (index, route) in workout.content.routes.enumerated() {
                guard let made = try ImportedRoute(route, at: index, of: workout, in: store)
                else { continue }
                if asked.contains(where: { made.matches($0.filter) }) { found.append(made) }
            }
        }
        return found
    }

    /// The points of a route as its store has them now: of a sample, or inside a workout.
    ///
    /// - Throws: `errorNoData` if the store doesn't hold it any more or the app may not see it.
    func points(of route: HKWorkoutRoute) throws -> [RoutePoint] {
        let visibility = try visibility(of: [route.sampleType])
        let uuid = SampleUUID(route.uuid)
        if let found = try connection.readableStore.object(uuid, visibility: visibility),
            let stored = SampleObjects.objects(found).first as? HKWorkoutRoute
        {
            return stored.points
        }
        guard let type = route.sampleType.row else { throw HKError(wellKnown: .errorNoData) }
        let request = SampleRequest(type, .any(of: [route.uuid]))
        guard let imported = try findImportedRoutes([request], visibility).first else {
            throw HKError(wellKnown: .errorNoData)
        }
        guard let number = imported.storedPoints else { return imported.route.points }
        return try connection.readableStore.routePoints(number)
    }

    /// Workouts that may hold the routes that filters ask for.
    private func importedWorkouts(_ filters: [SampleFilter]) throws -> [HKWorkout] {
        let store = try connection.readableStore
        var workouts: [HKWorkout] = []
        let named = filters.map(\.containers)
        if named.contains(where: { $0 == nil }) {
            guard let type = HKObjectType.workoutType().row else { return [] }
            let around = SampleFilter.or(filters.map(\.timesOfWorkouts))
            workouts = SampleObjects.objects(try store.objects([SampleRequest(type, around)]))
                .compactMap { $0 as? HKWorkout }
        } else {
            for uuid in named.reduce(into: Set<SampleUUID>(), { $0.formUnion($1 ?? []) }) {
                guard let found = try store.object(uuid) else { continue }
                workouts += SampleObjects.objects(found).compactMap { $0 as? HKWorkout }
            }
        }
        return workouts.filter { !$0.content.routes.isEmpty }
    }
}

extension [HKSample] {
    /// These samples and some more, in a query's order and under its limit.
    func adding(_ more: [HKSample], sortedBy order: [SampleSort], limit: Int) -> [HKSample] {
        if more.isEmpty { return self }
        let keys = order.isEmpty ? [SampleSort(.start)] : order
        let sorted = (self + more).enumerated().sorted { a, b in
            for key in keys where key.key == .start || key.key == .end {
                let (x, y) =
                    key.key == .start
                    ? (a.element.start, b.element.start) : (a.element.end, b.element.end)
                if x != y { return key.direction == .ascending ? x < y : x > y }
            }
            return a.offset < b.offset
        }.map(\.element)
        return limit == HKObjectQueryNoLimit ? sorted : Array(sorted.prefix(limit))
    }
}
