import HealthEngine

extension HKVisionPrescription {
    /// Checks the rules of `save`: units, finite numbers, and the bases of prisms.
    func checkContent() throws(HKError) {
        for lens in [content.rightEye, content.leftEye] {
            guard let lens else { continue }
            try check(
                [lens.sphere, lens.cylinder, lens.addPower], "D", "A power is not in dioptres")
            try check([lens.axis], "deg", "An axis is not an angle")
            try check(
                [
                    lens.vertexDistance, lens.farPupillaryDistance, lens.nearPupillaryDistance,
                    lens.baseCurve, lens.diameter,
                ], "m", "A distance of a lens is not a length")
            if let prism = lens.prism { try check(prism) }
        }
    }

    private func check(
        _ quantities: [RecordedQuantity?], _ unit: String, _ message: String
    ) throws(HKError) {
        for quantity in quantities {
            guard let quantity else { continue }
            guard quantity.value.isFinite else {
                throw HKError(.errorInvalidArgument, "A measure of a lens is not a number.")
            }
            guard quantity.value(in: unit) != nil else {
                throw HKError(.errorInvalidArgument, "\(message): \(quantity.unit)")
            }
        }
    }

    private func check(_ prism: VisionPrescription.Prism) throws(HKError) {
        switch prism.notation {
        case .polar(let amount, let angle):
            try check([amount], "pD", "The amount of a prism is not in prism dioptres")
            try check([angle], "deg", "The direction of a prism is not an angle")
        case .rectangular(let vertical, let verticalBase, let horizontal, let horizontalBase):
            try check(
                [vertical, horizontal], "pD", "The amount of a prism is not in prism dioptres")
            try check(vertical, verticalBase, [.up, .down], "vertical")
            try check(horizontal, horizontalBase, [.inward, .outward], "horizontal")
        }
    }

    /// Checks that a part has a base of its direction, or is 0 and has none.
    private func check(
        _ amount: RecordedQuantity, _ base: Int, _ bases: [VisionPrescription.Prism.Direction],
        _ direction: String
    ) throws(HKError) {
        let isPart = bases.contains { $0.rawValue == base }
        let isNone = base == VisionPrescription.Prism.Direction.none.rawValue && amount.value == 0
        guard isPart || isNone else {
            throw HKError(
                .errorInvalidArgument,
                "The \(direction) base of a prism is not a \(direction) direction.")
        }
    }
}
