extension FixedWidthInteger {
    /// The whole part of a number: the nearest integer of this type if the part doesn't fit, 0 for
    /// NaN.
    ///
    /// ```swift
    /// Int(clamping: -2.9)     // -2
    /// Int(clamping: 1e19)     // Int.max
    /// ```
    /// `Int(_:)` traps on what doesn't fit. Values and dates in a person's data can be any
    /// double, so all sources convert with this or, where the difference matters, with
    /// `Int(exactly:)`. TidyTests finds other conversions.
    @inlinable @inline(__always)
    package init(clamping value: Double) {
        if let whole = Self(exactly: value.rounded(.towardZero)) {
            self = whole
        } else {
            self = value > 0 ? .max : value < 0 ? .min : 0
        }
    }
}
