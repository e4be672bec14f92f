import Foundation
import HealthEngine
import HealthStorage

// An export contains a route inside its workout, so an import stores it there and not as a separate
// sample. Queries for routes return it if it has points; the points are read when a route query
// requests them.

/// A route of an imported workout, represented as a sample.
private struct ImportedRoute {
    var route: HKWorkoutRoute
    var workout: SampleUUID
    /// The identifier of the points in the store; nil if ``route`` contains them.
    var storedPoints: Int64?

    /// Creates a sample for a route of an imported workout; nil if the route has no points.
    ///
    /// - Parameters:
    ///   - route: The route.
    ///   - index: The index of the route in the workout.
    ///   - workout: The workout.
    ///   - store: The store that contains the workout.
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
        filter.resolvingMembership(in: workout).matches(route.facts)
    }
}

extension SampleUUID {
    /// Creates the UUID of a route in an imported workout (Documentation/Schema.md, Identity). It
    /// is the UUID of the workout, but its first 16 bits are the code of the route type. The index
    /// of the route is added to its last 64 bits.
    fileprivate init(ofImportedRoute index: Int, of workout: SampleUUID) {
        let type = UInt64(UInt16(truncatingIfNeeded: HKSeriesType.workoutRoute().row?.code ?? 0))
        self.init(
            high: workout.high & 0x0000_FFFF_FFFF_FFFF | type << 48,
            low: workout.low &+ UInt64(index))
    }
}

extension SampleFilter {
    /// A filter for the workouts whose routes can match this filter. It selects workouts by the
    /// times that this filter permits, extended by a day on both sides.
    fileprivate var workoutTimeFilter: SampleFilter {
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

    /// Replaces the membership conditions by their results for a sample that is a member of
    /// `container` only.
    fileprivate func resolvingMembership(in container: SampleUUID) -> SampleFilter {
        switch self {
        case .memberOf(let member): member == container ? .everything : .nothing
        case .and(let filters): .and(filters.map { $0.resolvingMembership(in: container) })
        case .or(let filters): .or(filters.map { $0.resolvingMembership(in: container) })
        case .not(let filter): .not(filter.resolvingMembership(in: container))
        case .everything, .nothing, .test, .hasNoCorrelation, .workoutActivity: self
        }
    }
}

extension QueryExecution {
    /// Returns the routes inside imported workouts that match the requests for routes; none for an
    /// app that may not read the routes of all sources and times.
    ///
    /// If the filter restricts times but not the workout, a route more than a day outside its
    /// workout is not found.
    ///
    /// - Complexity: O(log n) for each workout if the filters name workouts, otherwise O(n) in the
    ///   number of workouts in the times that the filters permit.
    func importedRoutes(
        _ requests: [SampleRequest], _ visibility: Visibility
    ) throws -> [HKWorkoutRoute] {
        try findImportedRoutes(requests, visibility).map(\.route)
    }

    private func findImportedRoutes(
        _ requests: [SampleRequest], _ visibility: Visibility
    ) throws -> [ImportedRoute] {
        let type = HKSeriesType.workoutRoute().row
        let routeRequests = requests.filter { $0.type == type }
        // Imported data belongs to no app, so an app that may read only its own routes gets none.
        // Neither does an app whose reading is limited to a part of the history.
        guard let type, !routeRequests.isEmpty, visibility[type.code] == .all else { return [] }
        var found: [ImportedRoute] = []
        let store = try connection.readableStore
        for workout in try importedWorkouts(routeRequests.map(\.filter)) {
            for (index, route) in workout.content.routes.enumerated() {
                guard let imported = try ImportedRoute(route, at: index, of: workout, in: store)
                else { continue }
                if routeRequests.contains(where: { imported.matches($0.filter) }) {
                    found.append(imported)
                }
            }
        }
        return found
    }

    /// Reads the stored points of a route, which is a sample or part of an imported workout.
    ///
    /// - Throws: `errorNoData` if the route is not stored or not visible to the app; the errors of
    ///   ``visibility(of:)``.
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

    /// Returns the workouts with routes inside that can match the filters, whether or not the app
    /// may read workouts.
    private func importedWorkouts(_ filters: [SampleFilter]) throws -> [HKWorkout] {
        let store = try connection.readableStore
        var workouts: [HKWorkout] = []
        let containers = filters.map(\.containers)
        if containers.contains(where: { $0 == nil }) {
            guard let type = HKObjectType.workoutType().row else { return [] }
            let timeFilter = SampleFilter.or(filters.map(\.workoutTimeFilter))
            workouts = SampleObjects.objects(try store.objects([SampleRequest(type, timeFilter)]))
                .compactMap { $0 as? HKWorkout }
        } else {
            for uuid in containers.reduce(into: Set<SampleUUID>(), { $0.formUnion($1 ?? []) }) {
                guard let found = try store.object(uuid) else { continue }
                workouts += SampleObjects.objects(found).compactMap { $0 as? HKWorkout }
            }
        }
        return workouts.filter { !$0.content.routes.isEmpty }
    }
}

extension [HKSample] {
    /// Returns these samples and the given ones, sorted by the query's keys and up to its limit.
    ///
    /// Only start and end date are used as keys, because the given samples are series. Without sort
    /// keys, the order is by start. If no samples are given, these samples are returned unchanged.
    func adding(_ samples: [HKSample], sortedBy order: [SampleSort], limit: Int) -> [HKSample] {
        if samples.isEmpty { return self }
        let keys = order.isEmpty ? [SampleSort(.start)] : order
        let sorted = (self + samples).enumerated().sorted { a, b in
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
