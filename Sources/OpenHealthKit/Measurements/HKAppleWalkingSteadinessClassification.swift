extension HKAppleWalkingSteadinessClassification {
    /// The class of a steadiness in percent.
    ///
    /// Apple doesn't publish the borders as numbers; ours are 30 % and 50 %, with steadiness on a
    /// border belonging to the steadier class.
    ///
    /// - Throws: `errorInvalidArgument` if the quantity is no fraction from 0 to 1.
    public init(for appleWalkingSteadiness: HKQuantity) throws {
        let fraction = try appleWalkingSteadiness.converted(to: .percent())
        guard (0...1).contains(fraction) else {
            throw HKError(.errorInvalidArgument, "A walking steadiness is between 0 % and 100 %")
        }
        self = fraction < 0.3 ? .veryLow : fraction < 0.5 ? .low : .ok
    }

    /// The least steadiness of the class.
    public var minimum: HKQuantity { fraction(self == .veryLow ? 0 : self == .low ? 0.3 : 0.5) }

    /// The greatest steadiness of the class.
    public var maximum: HKQuantity { fraction(self == .veryLow ? 0.3 : self == .low ? 0.5 : 1) }

    private func fraction(_ value: Double) -> HKQuantity {
        HKQuantity(unit: .percent(), doubleValue: value)
    }
}

extension HKAppleSleepingBreathingDisturbancesClassification {
    /// The class of breathing disturbances in a night; nil if the quantity is no count.
    ///
    /// Apple doesn't publish the border; ours is 15.
    public init?(classifying appleSleepingBreathingDisturbances: HKQuantity) {
        guard let count = try? appleSleepingBreathingDisturbances.converted(to: .count()) else {
            return nil
        }
        self = count < 15 ? .notElevated : .elevated
    }
}
