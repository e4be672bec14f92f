extension HKAppleWalkingSteadinessClassification {
    /// Classifies a walking steadiness.
    ///
    /// Apple does not publish the boundaries. This implementation uses 30 % and 50 %; a value on a
    /// boundary belongs to the steadier class.
    ///
    /// - Parameter appleWalkingSteadiness: The steadiness, from 0 to 1 in the unit `percent`, where
    ///   1 is 100 %.
    /// - Throws: `errorInvalidArgument` unless the quantity is a fraction from 0 to 1.
    public init(for appleWalkingSteadiness: HKQuantity) throws {
        let fraction = try appleWalkingSteadiness.converted(to: .percent())
        guard (0...1).contains(fraction) else {
            throw HKError(.errorInvalidArgument, "A walking steadiness is between 0 % and 100 %")
        }
        self = fraction < 0.3 ? .veryLow : fraction < 0.5 ? .low : .ok
    }

    /// The lower bound of the class (inclusive), in the unit `percent`: 0, 0.3 or 0.5.
    public var minimum: HKQuantity { fraction(self == .veryLow ? 0 : self == .low ? 0.3 : 0.5) }

    /// The upper bound of the class, in the unit `percent`: 0.3, 0.5 or 1. Exclusive except for
    /// `ok`.
    public var maximum: HKQuantity { fraction(self == .veryLow ? 0.3 : self == .low ? 0.5 : 1) }

    private func fraction(_ value: Double) -> HKQuantity {
        HKQuantity(unit: .percent(), doubleValue: value)
    }
}

extension HKAppleSleepingBreathingDisturbancesClassification {
    /// Classifies the breathing disturbances of a night; nil unless the quantity is compatible with
    /// `count`.
    ///
    /// Apple does not publish the boundary. In this implementation, 15 and more are elevated.
    ///
    /// - Parameter appleSleepingBreathingDisturbances: The number of disturbances.
    public init?(classifying appleSleepingBreathingDisturbances: HKQuantity) {
        guard let count = try? appleSleepingBreathingDisturbances.converted(to: .count()) else {
            return nil
        }
        self = count < 15 ? .notElevated : .elevated
    }
}
