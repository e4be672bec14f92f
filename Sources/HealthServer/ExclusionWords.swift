import HealthStorage

/// Why a source does not count, in words.
package enum ExclusionWords {
    /// "it writes day totals".
    package static func why(_ reason: String) -> String {
        reason == SampleStore.dayTotalsReason ? "it writes day totals" : "you chose to leave it out"
    }
}
