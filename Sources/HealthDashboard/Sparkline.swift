import HealthEngine

/// Numbers as a row of marks of eight heights; a gap is a dot.
package enum Sparkline {
    private static let heights: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// `text([0, 4, nil, 8], from: 0, to: 8)` is "▁▅·█".
    package static func text(_ values: [Double?], from low: Double, to high: Double) -> String {
        String(
            values.map { value in
                guard let value, value.isFinite else { return "·" }
                // Halves, since the difference of two large numbers overflows.
                let share = high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : 0.5
                return heights[max(0, min(7, Int(clamping: share * 8)))]
            })
    }
}
