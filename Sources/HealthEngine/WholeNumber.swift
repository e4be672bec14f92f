extension FixedWidthInteger {
    /// Creates the integer part of a number, clamped to the range of this type. NaN becomes 0.
    ///
    /// ```swift
    /// Int(clamping: -2.9)     // -2
    /// Int(clamping: 1e19)     // Int.max
    /// ```
    /// `Int(_:)` traps on values that do not fit. Values and dates in imported data can be any
    /// double, so all sources convert with this initializer, or with `Int(exactly:)` where the
    /// difference matters. A source law (SourceLaws) reports other conversions.
    ///
    /// - Parameter value: Any double. It is rounded toward zero.
    @inlinable @inline(__always)
    package init(clamping value: Double) {
        if let whole = Self(exactly: value.rounded(.towardZero)) {
            self = whole
        } else {
            self = value > 0 ? .max : value < 0 ? .min : 0
        }
    }
}
