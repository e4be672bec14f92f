import HealthEngine

/// Sentences of comparisons.
enum CompareText {
    /// Replaces the hyphen of a negative number by a minus sign, which is as wide as a digit.
    private static func signed(_ number: String) -> String { number.replacing("-", with: "−") }

    /// The two groups of days for the end of a sentence: "in the first period", "on other days".
    struct Groups: Equatable {
        var first: String
        var second: String

        /// The values of both groups in few words, for headlines of two lines on a phone: "second 7,524,
        /// first 7,610", "7,524 after workouts, 7,610 otherwise".
        func brief(_ second: String, _ first: String) -> String {
            self == .periods
                ? "second \(second), first \(first)"
                : "\(second) after workouts, \(first) otherwise"
        }

        static let periods = Groups(first: "in the first period", second: "in the second period")

        static func workouts(of metric: Metric) -> Groups {
            metric == .sleep
                ? Groups(first: "in others", second: "in nights after a workout")
                : Groups(first: "on others", second: "on days after a workout")
        }
    }

    /// "More steps in the second period: 9,120 a day on average, against 7,800"; "No clear difference in
    /// steps: second 7,524, first 7,610".
    static func sentence(
        _ metric: Metric, _ difference: MeanDifference?, _ groups: Groups
    ) -> String {
        guard let difference else { return "Too few days to compare" }
        let (a, b) = (difference.first.average, difference.second.average)
        let largest = max(abs(a), abs(b))
        func number(_ value: Double) -> String {
            MetricText.number(value, of: metric, largest: largest)
        }
        let unit = MetricText.unit(of: metric)
        let value = "\(number(b))\(unit.isEmpty ? "" : " " + unit)"
        guard difference.isClear else {
            return "No clear difference in \(metric.displayName): \(groups.brief(value, number(a)))"
        }
        let each =
            metric.kind == .reading ? "" : metric == .sleep ? " a night" : " a day"
        let numbers = "\(value)\(each) on average, against \(number(a))"
        let name = metric.displayName
        let direction: String =
            switch metric.kind {
            case .reading: difference.difference > 0 ? "Higher \(name)" : "Lower \(name)"
            case .amount, .state: difference.difference > 0 ? "More \(name)" : "Less \(name)"
            }
        return "\(direction) \(groups.second): \(numbers)"
    }

    /// "Chance alone rarely makes such a difference. Difference 1,320, 95 % interval 610 to 2,030; 28 days
    /// in the second period, 31 in the first period."
    static func confidence(
        _ metric: Metric, _ difference: MeanDifference?, _ groups: Groups
    ) -> String {
        guard let difference else {
            return "Each group needs at least \(MeanDifference.minimumDays) days with data."
        }
        let largest = max(abs(difference.low), abs(difference.high))
        func number(_ value: Double) -> String {
            signed(MetricText.difference(value, of: metric, largest: largest))
        }
        let verdict =
            difference.isClear
            ? "Chance alone rarely makes such a difference."
            : "Chance alone can make this difference."
        return "\(verdict) Difference \(number(difference.difference)), 95 % interval "
            + "\(number(difference.low)) to \(number(difference.high)); "
            + "\(counted(difference.second.days, "day", "days")) \(groups.second), "
            + "\(difference.first.days) \(groups.first)."
    }

    /// "Days with more steps have more active energy" or "No clear relation of steps and weight".
    static func sentence(
        _ metric: Metric, _ other: Metric, _ correlation: RankCorrelation?
    ) -> String {
        guard let correlation else { return "Too few days to compare" }
        guard correlation.isClear else {
            return "No clear relation of \(metric.displayName) and \(other.displayName)"
        }
        func more(_ metric: Metric, _ isMore: Bool) -> String {
            let words = metric.kind == .reading ? ("higher", "lower") : ("more", "less")
            return "\(isMore ? words.0 : words.1) \(metric.displayName)"
        }
        return "Days with \(more(metric, true)) have \(more(other, correlation.coefficient > 0))"
    }

    /// "Correlation 0.42, 95 % interval 0.21 to 0.60; 90 days with both."
    static func confidence(_ correlation: RankCorrelation?) -> String {
        guard let correlation else {
            return
                "Both are needed on at least \(RankCorrelation.minimumDays) days, with values that differ."
        }
        func number(_ value: Double) -> String { signed(NumberText.grouped(value, digits: 2)) }
        let verdict =
            correlation.isClear
            ? "Chance alone rarely makes such a relation." : "Chance alone can make this relation."
        return "\(verdict) Correlation \(number(correlation.coefficient)), 95 % interval "
            + "\(number(correlation.low)) to \(number(correlation.high)); "
            + "\(counted(correlation.days, "day", "days")) with both."
    }
}
