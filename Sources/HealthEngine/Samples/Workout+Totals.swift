extension Workout {
    /// Returns a total of the workout.
    ///
    /// ```swift
    /// workout.total(.distance)  // (6500, "m"): 1500 m swum and 5 km walked
    /// ```
    /// Types without a sum, or with a unit that cannot be converted, are left out. If
    /// ``statistics`` has a type more than once, only the first one is used.
    ///
    /// - Parameter total: The total to compute from ``statistics``.
    /// - Returns: The total in the unit of the first type that contributes, in the order of the
    ///   types' codes; nil if no type contributes.
    /// - Complexity: O(statistics · types of the total).
    public func total(_ total: SampleFilter.WorkoutTotal) -> (value: Double, unit: String)? {
        var result: (value: Double, unit: String)?
        for type in total.types {
            guard let part = statistics.first(where: { $0.type == type }), let sum = part.sum,
                let unit = part.unit
            else { continue }
            let base = result ?? (0, unit)
            guard let value = SampleFilter.Value.convert(sum, from: unit, to: base.unit) else {
                continue
            }
            result = (base.value + value, base.unit)
        }
        return result
    }

    /// Returns a total of the workout in a unit.
    ///
    /// - Parameters:
    ///   - total: The total to compute from ``statistics``.
    ///   - unit: The unit of the result.
    /// - Returns: The total in `unit`; nil if no type contributes or the unit is incompatible.
    /// - Complexity: O(statistics · types of the total).
    public func total(_ total: SampleFilter.WorkoutTotal, in unit: String) -> Double? {
        self.total(total).flatMap {
            SampleFilter.Value.convert($0.value, from: $0.unit, to: unit)
        }
    }
}

extension SampleFilter.WorkoutTotal {
    /// The identifiers of the types whose sums are added, in order of their codes.
    package var types: [String] {
        switch self {
        case .energyBurned: ["HKQuantityTypeIdentifierActiveEnergyBurned"]
        case .swimmingStrokeCount: ["HKQuantityTypeIdentifierSwimmingStrokeCount"]
        case .flightsClimbed: ["HKQuantityTypeIdentifierFlightsClimbed"]
        case .distance: SampleFilter.WorkoutTotal.distances
        }
    }

    /// All cumulative types whose canonical unit is the metre: distances of walking, cycling,
    /// swimming, skiing, …
    private static let distances = Catalogue.types
        .filter { $0.aggregation == .cumulative && $0.canonicalUnit == "m" }
        .map(\.identifier)
}

extension Workout {
    /// Returns the distance type of an activity: "HKQuantityTypeIdentifierDistanceCycling" for 13.
    ///
    /// Cycling, hand cycling, swimming, wheelchair activities, downhill skiing, snowboarding and
    /// snow sports have special types. Types such as `DistanceRowing` are never returned.
    ///
    /// - Parameter activity: A raw value of `HKWorkoutActivityType`.
    /// - Returns: The type's identifier; that of walking and running distance for other activities.
    package static func distanceType(ofActivity activity: Int) -> String {
        let name =
            switch Catalogue.workoutActivity(activity)?.name {
            case "cycling", "handCycling": "DistanceCycling"
            case "swimming": "DistanceSwimming"
            case "wheelchairWalkPace", "wheelchairRunPace": "DistanceWheelchair"
            case "downhillSkiing", "snowboarding", "snowSports": "DistanceDownhillSnowSports"
            default: "DistanceWalkingRunning"
            }
        return "HKQuantityTypeIdentifier" + name
    }
}

extension [WorkoutEvent] {
    /// Returns the pauses of a workout in order of time.
    ///
    /// A pause lasts from a pause event to the next resume event. Other events, including those of
    /// automatic pauses, are ignored (Semantics §10.8). Pauses of length 0 are left out.
    ///
    /// - Parameter end: The end of a pause that no resume event ends, in reference seconds.
    /// - Returns: Disjoint half-open intervals in reference seconds.
    /// - Complexity: O(n log n) in the number of events.
    package func pauses(until end: Double) -> [Range<Double>] {
        // `HKWorkoutEventType`'s raw values.
        let (pause, resume) = (1, 2)
        var pauses: [Range<Double>] = []
        var began: Double?
        // Events at the same time keep their order.
        for event in enumerated().sorted(by: {
            ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
        }).map(\.element) {
            if event.type == pause, began == nil {
                began = event.start
            } else if event.type == resume, let start = began {
                if start < event.start { pauses.append(start..<event.start) }
                began = nil
            }
        }
        if let start = began, start < end { pauses.append(start..<end) }
        return pauses
    }

    /// Returns the time from `start` to `end` without the ``pauses(until:)``.
    ///
    /// - Parameters:
    ///   - start: The start, in reference seconds.
    ///   - end: The end, in reference seconds.
    /// - Returns: Seconds; 0 if `end` is not after `start`.
    /// - Complexity: O(n log n) in the number of events.
    package func activeTime(from start: Double, to end: Double) -> Double {
        guard start < end else { return 0 }
        let paused = pauses(until: end).map { pause in
            Swift.max(0, Swift.min(pause.upperBound, end) - Swift.max(pause.lowerBound, start))
        }
        return end - start - paused.reduce(0, +)
    }
}
