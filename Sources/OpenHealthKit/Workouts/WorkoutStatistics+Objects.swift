import HealthEngine

extension WorkoutStatistics {
    /// Converts statistics to a HealthKit object; nil if the type is not a quantity type or the
    /// unit is unknown.
    ///
    /// - Parameters:
    ///   - start: The start that statistics without one get: that of the workout or activity, in
    ///     seconds since 2001-01-01T00:00:00Z.
    ///   - end: The end that statistics without one get: that of the workout or activity, in
    ///     seconds since 2001-01-01T00:00:00Z.
    func object(from start: Double, to end: Double) -> HKStatistics? {
        guard let type = HKSampleType.of(identifier: type) as? HKQuantityType,
            let unit = unit.map({ UnitCache.unit($0) })
                ?? type.canonicalUnit.map({ HKUnit(_unit: $0) })
        else { return nil }
        var values = Statistics.Values()
        values.sum = sum
        values.average = average
        values.minimum = minimum
        values.maximum = maximum
        values.mostRecent = mostRecent
        values.mostRecentStart = mostRecentStart
        values.mostRecentEnd = mostRecentEnd
        values.duration = duration
        return HKStatistics(
            _type: type,
            statistics: Statistics(
                start: self.start ?? start, end: self.end ?? end, merged: values),
            options: .all(for: type), unit: unit, sources: [])
    }

    /// Converts a HealthKit object to the statistics stored with a workout.
    init(_ statistics: HKStatistics) {
        let unit = statistics.unit
        func number(_ quantity: HKQuantity?) -> Double? {
            quantity.flatMap { try? $0.converted(to: unit) }
        }
        self.init(
            type: statistics.quantityType.identifier, unit: unit.unitString,
            start: statistics.startDate.timeIntervalSinceReferenceDate,
            end: statistics.endDate.timeIntervalSinceReferenceDate,
            sum: number(statistics.sumQuantity()), average: number(statistics.averageQuantity()),
            minimum: number(statistics.minimumQuantity()),
            maximum: number(statistics.maximumQuantity()))
        mostRecent = number(statistics.mostRecentQuantity())
        let interval = statistics.mostRecentQuantityDateInterval()
        mostRecentStart = interval?.start.timeIntervalSinceReferenceDate
        mostRecentEnd = interval?.end.timeIntervalSinceReferenceDate
        duration = try? statistics.duration()?.converted(to: .second())
    }
}

extension HKStatisticsOptions {
    /// All options that suit a type, except separation by source.
    static func all(for type: HKQuantityType) -> HKStatisticsOptions {
        type.aggregationStyle == .cumulative
            ? [.cumulativeSum, .mostRecent, .duration]
            : [.discreteAverage, .discreteMin, .discreteMax, .mostRecent, .duration]
    }
}

extension [WorkoutStatistics] {
    /// Converts statistics to HealthKit objects by type. Statistics that cannot be converted are
    /// omitted. If a type has several, the first is used.
    func objects(from start: Double, to end: Double) -> [HKQuantityType: HKStatistics] {
        var objects: [HKQuantityType: HKStatistics] = [:]
        for statistics in self {
            guard let object = statistics.object(from: start, to: end) else { continue }
            objects[object.quantityType] = objects[object.quantityType] ?? object
        }
        return objects
    }
}

extension Workout {
    /// Returns a total as a HealthKit quantity; nil if the workout has no statistics for it or the
    /// unit is unknown.
    func quantity(_ total: SampleFilter.WorkoutTotal) -> HKQuantity? {
        self.total(total).flatMap { total in
            UnitCache.unit(total.unit).map { HKQuantity(_unit: $0, value: total.value) }
        }
    }
}
