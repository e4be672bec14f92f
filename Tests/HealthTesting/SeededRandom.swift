public import Foundation

/// A SplitMix64 generator: the same numbers for the same seed on every machine.
///
/// Tests take all random numbers from it, and its seed from ``TestTier/seed(_:file:line:)``.
public struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    /// Creates a generator.
    ///
    /// - Parameter seed: The seed, which determines all numbers.
    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a UUID of the next two numbers, for samples whose order depends on their UUIDs.
    ///
    /// - Returns: The UUID, without the bits of a version.
    public mutating func uuid() -> UUID {
        var bytes: [UInt8] = []
        for word in [next(), next()] {
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
