extension Workout {
    /// One of the totals that workouts have always had, in the unit of its first part.
    ///
    /// ```swift
    /// workout.total(.distance)  // (6.5, "km"): 5 km walked and 1500 m swum
    /// ```
    /// Parts of a type without a sum, or in a unit that doesn't convert, are left out.
    ///
    /// - Returns: nil where no part is known.
    /// - Complexity: O(statistics · types of the total).
    public func total(_ total: SampleFilter.WorkoutTotal) -> (value: Double, unit: String)? {
        var whole: (value: Double, unit: String)?
        for type in total.types {
            guard let part = statistics.first(where: { $0.type == type }), let sum = part.sum,
                let unit = part.unit
            else { continue }
            let base = whole ?? (0, unit)
            guard let value = SampleFilter.Value.convert(sum, from: unit, to: base.unit) else {
                continue
            }
            whole = (base.value + value, base.unit)
        }
        return whole
    }

    /// The total in a unit; nil where no part is known or the unit doesn't fit.
    public func total(_ total: SampleFilter.WorkoutTotal, in unit: String) -> Double? {
        self.total(total).flatMap {
            SampleFilter.Value.convert($0.value, from: $0.unit, to: unit)
        }
    }
}

extension SampleFilter.WorkoutTotal {
    /// Types whose sums make up the total, by their identifiers.
    public var types: [String] {
        switch self {
        case .energyBurned: ["HKQuantityTypeIdentifierActiveEnergyBurned"]
        case .swimmingStrokeCount: ["HKQuantityTypeIdentifierSwimmingStrokeCount"]
        case .flightsClimbed: ["HKQuantityTypeIdentifierFlightsClimbed"]
        case .distance: SampleFilter.WorkoutTotal.distances
        }
    }

    /// Every cumulative type measured in lengths: walking, cycling, swimming, skiing, …
    private static let distances = Catalogue.types
        .filter { $0.aggregation == .cumulative && $0.canonicalUnit == "m" }
        .map(\.identifier)
}
