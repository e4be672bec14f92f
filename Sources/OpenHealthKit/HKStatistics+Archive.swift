import HealthEngine

extension HKStatistics {
    /// The numbers of statistics as an archive holds them.
    struct Archive: Codable {
        struct Values: Codable {
            var sum, average, minimum, maximum, mostRecent: Double?
            var mostRecentStart, mostRecentEnd, duration: Double?
            var count: Int
        }

        var start, end: Double
        var merged: Values
        var bySource: [Int32: Values]?
        var options: UInt

        init(_ statistics: Statistics, options: HKStatisticsOptions) {
            start = statistics.start
            end = statistics.end
            merged = Values(statistics.merged)
            bySource = statistics.bySource?.mapValues { Values($0) }
            self.options = options.rawValue
        }

        var statistics: Statistics {
            Statistics(
                start: start, end: end, merged: merged.values,
                bySource: bySource?.mapValues(\.values))
        }
    }
}

extension HKStatistics.Archive.Values {
    init(_ values: Statistics.Values) {
        sum = values.sum
        average = values.average
        minimum = values.minimum
        maximum = values.maximum
        mostRecent = values.mostRecent
        mostRecentStart = values.mostRecentStart
        mostRecentEnd = values.mostRecentEnd
        duration = values.duration
        count = values.count
    }

    var values: Statistics.Values {
        var values = Statistics.Values(count: count)
        values.sum = sum
        values.average = average
        values.minimum = minimum
        values.maximum = maximum
        values.mostRecent = mostRecent
        values.mostRecentStart = mostRecentStart
        values.mostRecentEnd = mostRecentEnd
        values.duration = duration
        return values
    }
}
