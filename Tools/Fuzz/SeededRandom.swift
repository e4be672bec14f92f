/// A seeded random number generator. All choices of a case come from one seed.
///
/// It uses SplitMix64, so a seed gives the same choices on every machine.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Creates the generator of one case, independent of earlier cases.
    init(seed: UInt64, fuzzer: String, number: Int) {
        state = fuzzer.utf8.reduce(seed &+ 0x9E37_79B9_7F4A_7C15) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
        state ^= UInt64(truncatingIfNeeded: number) &* 0xD6E8_FEB8_6659_FD93
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns true with a probability in percent.
    mutating func percent(_ share: Int) -> Bool { below(100) < share }

    /// Returns a number from 0 to below `bound`; 0 if `bound` is not positive.
    mutating func below(_ bound: Int) -> Int {
        bound > 0 ? Int(next(upperBound: UInt64(bound))) : 0
    }

    mutating func int(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }

    /// Returns one of the elements, or the fallback if there are none.
    mutating func pick<Element>(_ elements: [Element], or fallback: Element) -> Element {
        elements.isEmpty ? fallback : elements[below(elements.count)]
    }

    mutating func pick(_ texts: [String]) -> String { pick(texts, or: "") }

    /// Returns one of the elements, with a probability in proportion to its weight.
    mutating func weighted<Element>(_ choices: [(Int, Element)], or fallback: Element) -> Element {
        var rest = below(choices.reduce(0) { $0 + $1.0 })
        for (weight, element) in choices {
            if rest < weight { return element }
            rest -= weight
        }
        return fallback
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
