extension FixedWidthInteger {
    /// Creates the integer part of a number, clamped to the range of this type. NaN becomes 0.
    ///
    /// ```swift
    /// Int(clamping: -2.9)     // -2
    /// Int(clamping: 1e19)     // Int.max
    /// ```
    /// `Int(_:)` traps on values that do not fit. Values and dates in imported data can be any
    /// double, so the code of this package uses this initializer, or `Int(exactly:)` where values
    /// that do not fit must be detected. The `SourceLaws` checker in `Review/` reports other
    /// conversions.
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
