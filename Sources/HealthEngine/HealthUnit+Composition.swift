extension HealthUnit {
    /// `gram.divided(by: liter)` is `g/L`; equal symbols cancel or add up.
    ///
    /// - Throws: `tooManyFactors`, `powerOutOfRange`.
    public func multiplied(by other: HealthUnit) throws(HealthUnitError) -> HealthUnit {
        try composed(printed + other.printed)
    }

    /// - Throws: As ``multiplied(by:)``.
    public func divided(by other: HealthUnit) throws(HealthUnitError) -> HealthUnit {
        try composed(printed + other.reciprocal.printed)
    }

    /// `second.raised(to: -2)` is `1/s^2`; power 0 gives the null unit.
    ///
    /// - Throws: As ``multiplied(by:)``.
    public func raised(to power: Int) throws(HealthUnitError) -> HealthUnit {
        guard (-HealthUnit.maximumPower...HealthUnit.maximumPower).contains(power) else {
            throw HealthUnitError(.powerOutOfRange, in: description)
        }
        return try composed(printed.map { $0.raised(to: power) })
    }

    /// `1/s` for `s`.
    public var reciprocal: HealthUnit {
        HealthUnit(
            ordered: factors.map { $0.raised(to: -1) },
            printed: printed.map { $0.raised(to: -1) }, ratio: ratio.inverse,
            dimension: dimension.inverse)
    }

    private func composed(_ factors: [Factor]) throws(HealthUnitError) -> HealthUnit {
        do {
            return try HealthUnit(factors)
        } catch {
            throw HealthUnitError(error, in: description)
        }
    }
}

extension HealthUnit.Factor {
    /// - Parameter power: At most ``HealthUnit/maximumPower`` either way, so that nothing overflows.
    func raised(to power: Int) -> HealthUnit.Factor {
        var raised = self
        raised.power *= power
        return raised
    }
}
