/// A pseudo-random number generator with the same sequence on every machine (SplitMix64).
///
/// Only operations are used whose results IEEE 754 defines exactly. Logarithms, sines and powers
/// are not, because their last digit differs between C libraries.
package struct SeededGenerator: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Creates an independent stream for one purpose on one day. How many numbers are drawn from
    /// one stream does not affect another.
    init(seed: UInt64, stream: Stream, day: Int) {
        state = seed
        let salt = next() ^ (UInt64(stream.rawValue) &* 0xD6E8_FEB8_6659_FD93)
        state = salt &+ UInt64(bitPattern: Int64(day)) &* 0xA076_1D64_78BD_642F
        state = next()
    }

    /// Creates a generator for devices and events that affect them, such as the faults of a test.
    package init(devicesOf seed: UInt64) { self.init(seed: seed, stream: .devices, day: 0) }

    /// Returns 64 uniform random bits.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Returns a uniform number in [0, 1) with 53 random bits.
    package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns a uniform integer in a closed range, up to a negligible modulo bias.
    package mutating func integer(_ range: ClosedRange<Int>) -> Int {
        let width = UInt64(range.upperBound - range.lowerBound) + 1
        return range.lowerBound + Int((next() >> 11) % width)
    }

    /// Returns a uniform number from the lower bound up to the upper bound.
    mutating func real(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    /// Returns one of several texts with a probability proportional to its weight; empty if there
    /// are none.
    mutating func choice(_ weighted: [(text: String, weight: Int)]) -> String {
        var rest = integer(1...max(1, weighted.reduce(0) { $0 + $1.weight }))
        for (text, weight) in weighted {
            rest -= weight
            if rest <= 0 { return text }
        }
        return ""
    }

    /// Returns true with a given probability.
    package mutating func chance(_ probability: Double) -> Bool { unit() < probability }

    /// Returns an approximately normal number with mean 0 and variance 1, within ±3.47: the scaled
    /// sum of four uniform numbers.
    mutating func normal() -> Double {
        (unit() + unit() + unit() + unit() - 2) * 1.732_050_807_568_877_2
    }
}

/// The purposes of random numbers. Each has its own stream.
enum Stream: Int, Sendable {
    case habits, walks, wearing, carrying
    case phoneSteps, watchSteps, appSteps, dayTotals
    case distance, flights, heartRate, energy, vitals, variability, audio
    case sleep, standing, weight, cuff, meals, workouts, routes, devices, rings
    case characteristics, sensors
}

extension Double {
    /// Returns the number rounded to a multiple of `1 / scale`: `rounded(to: 100)` keeps two
    /// decimal places.
    func rounded(to scale: Double) -> Double { (self * scale).rounded() / scale }
}
