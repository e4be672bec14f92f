/// A stream of pseudo-random numbers that is the same on every machine (SplitMix64).
///
/// Only exact operations are used on the way to a value: no logarithm, sine or power, whose last
/// digit differs between C libraries.
struct SeededGenerator: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// A stream of its own for one purpose on one day: drawing more from one stream never moves
    /// another.
    init(seed: UInt64, stream: Stream, day: Int) {
        state = seed
        let salt = next() ^ (UInt64(stream.rawValue) &* 0xD6E8_FEB8_6659_FD93)
        state = salt &+ UInt64(bitPattern: Int64(day)) &* 0xA076_1D64_78BD_642F
        state = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Uniform in [0, 1), with 53 bits.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Uniform in the closed range.
    mutating func integer(_ range: ClosedRange<Int>) -> Int {
        let width = UInt64(range.upperBound - range.lowerBound) + 1
        return range.lowerBound + Int((next() >> 11) % width)
    }

    /// Uniform in the closed range.
    mutating func real(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    /// One of some texts, each as often as its weight says.
    mutating func choice(_ weighted: [(text: String, weight: Int)]) -> String {
        var rest = integer(1...max(1, weighted.reduce(0) { $0 + $1.weight }))
        for (text, weight) in weighted {
            rest -= weight
            if rest <= 0 { return text }
        }
        return ""
    }

    /// True with the given probability.
    mutating func chance(_ probability: Double) -> Bool { unit() < probability }

    /// Mean 0, variance 1, within ±3.47: the sum of four uniform numbers.
    mutating func bell() -> Double {
        (unit() + unit() + unit() + unit() - 2) * 1.732_050_807_568_877_2
    }
}

/// What random numbers are drawn for.
enum Stream: Int, Sendable {
    case habits, walks, wearing, carrying
    case phoneSteps, watchSteps, appSteps, dayTotals
    case distance, flights, heartRate, energy, vitals, variability, audio
    case sleep, standing, weight, cuff, meals, workouts, routes, devices, rings
    case characteristics
}

extension Double {
    /// The nearest multiple of a power of ten, as a person would type it: `rounded(to: 100)` keeps
    /// two decimals.
    func rounded(to scale: Double) -> Double { (self * scale).rounded() / scale }
}
