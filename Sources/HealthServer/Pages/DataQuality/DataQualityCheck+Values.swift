import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

// Checks for implausible amounts and readings.
extension DataQualityCheck {
    /// Finds days whose merged amount, which the pages show, is above the type's upper limit.
    mutating func checkAmounts(_ activity: TypeActivity, _ limits: DataQualityLimits) throws {
        var sums: [Int: Double] = [:]
        for part in activity.parts where part.participation == .included {
            for day in part.days { sums[day.day, default: 0] += day.sum }
        }
        var days: [(start: Double, amount: Double)] = []
        for (day, sum) in sums.sorted(by: { $0.key < $1.key }) where sum > limits.highest {
            let edges = Array(activity.edges[day...(day + 1)])
            let query = SampleQuery(activity.type, from: edges[0], to: edges[1])
            var rules = StatisticsRules()
            rules.horizon = now
            let merged = try store.statistics(query, over: edges, rules: rules).buckets.first
            if let amount = merged?.merged.sum, amount > limits.highest {
                days.append((edges[0], amount))
            }
        }
        guard let last = days.last, let first = days.first else { return }
        let unit = ReadableUnit(activity.unit, largest: last.amount)
        let amount = TypeText.amount(unit.text(last.amount), unit.symbol, of: activity.type)
        let others =
            days.count == 1
            ? ""
            : ", and similar amounts on \(counted(days.count - 1, "other day", "other days"))"
        add(
            .impossibleValue, "\(amount) on \(day(last.start))\(others).", since: first.start,
            activity.type, nil, count: days.count,
            advice:
                "Check which source recorded it. Then exclude that source or delete the sample on "
                + "the phone.",
            command: "openhealth explain \(activity.type.name) --day \(calendar.day(last.start))",
            link: why(activity.type, last.start))
    }

    mutating func checkReadings(_ activity: TypeActivity, _ limits: DataQualityLimits) {
        for part in activity.parts where part.participation == .included {
            let wrong = part.days.filter {
                $0.samples > 0 && ($0.minimum < limits.lowest || $0.maximum > limits.highest)
            }
            guard let last = wrong.last, let first = wrong.first else { continue }
            let reading = last.minimum < limits.lowest ? last.minimum : last.maximum
            let unit = ReadableUnit(activity.unit, largest: abs(reading))
            let others = counted(wrong.count - 1, "other day", "other days")
            let more = wrong.count == 1 ? "" : ", and similar values on \(others)"
            add(
                .impossibleValue,
                "\(name(part.source)) recorded a \(TypeText.name(activity.type)) of "
                    + "\(unit.text(reading)) \(unit.symbol) on \(day(activity.edges[last.day]))"
                    + "\(more).",
                since: activity.edges[first.day], activity.type, part.source, count: wrong.count,
                advice: "Delete the reading on the phone, or exclude the source.",
                command: samplesCommand(activity.type, from: activity.edges[last.day]))
        }
    }

    /// Finds jumps in weight: averages of two successive days with weights, at most a week apart,
    /// that differ by more than a tenth of the earlier one.
    mutating func checkJumps(_ activity: TypeActivity) {
        var days: [Int: (sum: Double, count: Int)] = [:]
        for part in activity.parts where part.participation == .included {
            for day in part.days where day.samples > 0 {
                let known = days[day.day] ?? (0, 0)
                days[day.day] = (known.sum + day.sum, known.count + day.samples)
            }
        }
        let averages = days.sorted { $0.key < $1.key }.map {
            (day: $0.key, value: $0.value.sum / Double($0.value.count))
        }
        let jumps = zip(averages, averages.dropFirst()).filter { a, b in
            b.day - a.day <= DataQualityLimits.jumpDays
                && abs(b.value - a.value) > DataQualityLimits.jumpShare * a.value
        }
        guard let last = jumps.last, let first = jumps.first else { return }
        let unit = ReadableUnit(activity.unit, largest: max(last.0.value, last.1.value))
        let more =
            jumps.count == 1
            ? "" : ", and \(counted(jumps.count - 1, "earlier jump", "earlier jumps"))"
        add(
            .impossibleValue,
            "Weight jumped from \(unit.text(last.0.value)) to \(unit.text(last.1.value)) "
                + "\(unit.symbol) on \(day(activity.edges[last.1.day]))\(more).",
            since: activity.edges[first.1.day], activity.type, nil, count: jumps.count,
            advice: "Another person may have used the scale, or the unit may be wrong. Delete the "
                + "reading on the phone.",
            command: samplesCommand(activity.type, from: activity.edges[last.0.day]))
    }

    private static let asleep = [1.0, 3, 4, 5]

    /// Finds days with too much sleep: a single sample from the day, or the merged stages of the
    /// day, longer than 24 hours and than the day itself.
    mutating func checkSleep(_ activity: TypeActivity) throws {
        var seconds: [Int: Double] = [:]
        for part in activity.parts where part.participation == .included {
            for day in part.days { seconds[day.day, default: 0] += day.seconds }
        }
        var days: [(start: Double, seconds: Double)] = []
        for (day, all) in seconds.sorted(by: { $0.key < $1.key }) {
            let (start, end) = (activity.edges[day], activity.edges[day + 1])
            // The sum contains time awake and in bed, and overlaps twice, so a large one is only a
            // hint.
            guard all > end - start else { continue }
            let range = SampleQuery(activity.type, from: start, to: end)
            let batch = try store.samples(range)
            let longest =
                batch.samples.filter {
                    $0.start >= start && DataQualityCheck.asleep.contains($0.value)
                        && !$0.isUndetermined
                }.map { $0.end - $0.start }.max() ?? 0
            let bucket = try store.categoryStatistics(range, over: [start, end]).buckets.first
            let merged = DataQualityCheck.asleep.reduce(0) {
                $0 + (bucket?.merged.seconds[Int(clamping: $1)] ?? 0)
            }
            let maximum = max(longest, merged)
            if maximum > DataQualityCheck.dayLength, maximum > end - start {
                days.append((start, maximum))
            }
        }
        guard let last = days.last, let first = days.first else { return }
        let others =
            days.count == 1
            ? "" : ", and similar values on \(counted(days.count - 1, "other day", "other days"))"
        add(
            .impossibleValue,
            "\(NumberText.hours(last.seconds)) hours asleep from \(day(last.start))\(others).",
            since: first.start, activity.type, nil, count: days.count,
            advice: "A tracker was not stopped, or writes stages twice. Delete the samples on the "
                + "phone.",
            command: samplesCommand(activity.type, from: last.start),
            link: "/sleep?day="
                + calendar.existingDay(1, after: calendar.civilDate(last.start)).description)
    }
}

/// The plausible range of a type's daily amount or of its readings. It is so wide that a value
/// outside is almost certainly an error.
struct DataQualityLimits {
    /// The lowest plausible reading, in the type's display unit. Daily amounts have no lower limit.
    var lowest = -Double.infinity
    /// The highest plausible reading or daily amount, in the type's display unit.
    var highest = Double.infinity

    /// Returns the limits of a type; nil if it has none.
    static func of(_ type: SampleType) -> DataQualityLimits? { byName[type.name] }

    private static let byName: [String: DataQualityLimits] = [
        "stepCount": .init(highest: 200_000),
        "distanceWalkingRunning": .init(highest: 300),
        "distanceCycling": .init(highest: 1000),
        "flightsClimbed": .init(highest: 2000),
        "activeEnergyBurned": .init(highest: 20_000),
        "basalEnergyBurned": .init(highest: 8000),
        "heartRate": .init(lowest: 20, highest: 250),
        "restingHeartRate": .init(lowest: 20, highest: 200),
        "respiratoryRate": .init(lowest: 2, highest: 100),
        "bodyMass": .init(lowest: 2, highest: 500),
        "bodyTemperature": .init(lowest: 25, highest: 45),
        "oxygenSaturation": .init(lowest: 0.4, highest: 1.0001),
    ]

    /// A jump is a difference of two successive daily averages of weight above this share of the
    /// first.
    static let jumpShare = 0.1
    /// The maximum number of days between the two days of a jump.
    static let jumpDays = 7
}
