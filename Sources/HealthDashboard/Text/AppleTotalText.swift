package import HealthCalendar

/// Texts that say that a number is Apple's total and not a sum of samples.
package enum AppleTotalText {
    /// Returns the label of a bucket's number: "Apple's total, provisional", or for a week or longer
    /// "includes Apple's totals, provisional"; nil if it comes from samples only.
    package static func label(_ total: AppleTotal?, in step: CalendarStep) -> String? {
        guard let total else { return nil }
        switch step {
        case .hour, .day: return total.label
        case .week, .month, .year:
            return "includes Apple's totals" + (total.isProvisional ? ", provisional" : "")
        }
    }

    /// Returns a sentence about the buckets of a series that have Apple's totals: "Apple's totals
    /// answer 3 of the days, 1 of them provisional."; nil if there are none.
    package static func sentence(_ series: HealthSeries) -> String? {
        let found = series.points.compactMap(\.appleTotal)
        if found.isEmpty { return nil }
        let step = series.step.rawValue
        let isShort = series.step == .hour || series.step == .day
        let buckets = counted(found.count, step, step + "s")
        let start = isShort ? "Apple's totals for \(buckets)" : "With Apple's totals in \(buckets)"
        let provisional = found.filter(\.isProvisional).count
        let part = provisional == found.count ? "" : "\(provisional) of them "
        return start + (provisional == 0 ? "" : ", \(part)provisional") + "."
    }
}
