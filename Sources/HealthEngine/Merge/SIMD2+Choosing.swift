extension SIMD2<Double> {
    /// Returns this vector with the elements of another one where a mask is true.
    ///
    /// `replacing(with:where:)` has the same result, but is compiled to a branch for each element.
    @inline(__always)
    func choosing(_ other: SIMD2<Double>, where mask: SIMDMask<SIMD2<Int64>>) -> SIMD2<Double> {
        let chosen = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        let bits =
            (unsafeBitCast(other, to: SIMD2<UInt64>.self) & chosen)
            | (unsafeBitCast(self, to: SIMD2<UInt64>.self) & ~chosen)
        return unsafeBitCast(bits, to: SIMD2<Double>.self)
    }
}

extension UnsafeBufferPointer<Double> {
    /// Returns an element and the next one. Both must exist.
    ///
    /// A vector that is made of two elements is compiled to scalar instructions.
    @inline(__always)
    func pair(_ index: Int) -> SIMD2<Double> {
        guard let baseAddress else { return .zero }
        return UnsafeRawPointer(baseAddress + index).loadUnaligned(as: SIMD2<Double>.self)
    }
}
