import HealthDashboard

/// The upright axis: from zero for amounts, around the data for readings, three to five ticks at
/// round numbers. Its numbers are those that are shown, the unit's factor taken.
struct ChartValueAxis {
    let low: Double
    let high: Double
    let step: Double
    let ticks: [Double]

    enum Start { case zero, data }

    /// What is not finite, or too large for a difference of two, is left out; nothing at all gives
    /// 0 to 1.
    init(_ values: some Sequence<Double>, from start: Start) {
        var (least, most) = (Double.infinity, -Double.infinity)
        for value in values where abs(value) < Self.widest {
            (least, most) = (min(least, value), max(most, value))
        }
        if least > most { (least, most) = (0, 1) }
        if start == .zero { (least, most) = (min(0, least), max(0, most)) }
        if most - least <= max(abs(most), abs(least)) * 1e-9 + 1e-12 {
            let margin = abs(most) < 1e-9 ? 1 : abs(most) * 0.05
            (least, most) =
                start == .zero ? (least, most + margin) : (least - margin, most + margin)
        }
        let step = Self.step(least, most)
        let (first, last) = ((least / step).rounded(.down), (most / step).rounded(.up))
        self.step = step
        low = first * step
        high = last * step
        ticks = stride(from: first, through: last, by: 1).map { $0 * step }
    }

    /// The finest of 1, 2, 2.5 and 5 times a power of ten that needs at most five ticks.
    private static func step(_ least: Double, _ most: Double) -> Double {
        var power = 1.0
        while power > (most - least) / 5 { power /= 10 }
        while power * 10 <= (most - least) / 5 { power *= 10 }
        for multiple in [1, 2, 2.5, 5, 10, 20, 25, 50, 100] {
            let step = power * multiple
            if (most / step).rounded(.up) - (least / step).rounded(.down) <= 4 { return step }
        }
        return power * 100
    }

    private static let widest = 1e300

    /// How far down from the top, in a drawing so many points high; what the axis leaves out is at
    /// its nearer end.
    func y(_ value: Double, height: Double) -> Double {
        height - (min(max(value, low), high) - low) / (high - low) * height
    }
}
