import HealthCalendar
import HealthEngine

// Audiograms and prescriptions as JSON for other programs.
extension JSONText {
    /// Returns `{"points":[{"frequency":{"value":1000,"unit":"Hz"},"tests":[{"side":"left",…}]}]}`.
    static func audiogram(_ audiogram: Audiogram) -> JSONText {
        .object([
            "points": .array(
                audiogram.points.map { point in
                    .object([
                        "frequency": quantity(point.frequency),
                        "tests": .array(point.tests.map(test)),
                    ])
                })
        ])
    }

    private static func test(_ test: Audiogram.Test) -> JSONText {
        .object([
            "side": side(test.side), "sensitivity": quantity(test.sensitivity),
            "conduction": test.conduction == Audiogram.Test.air
                ? .string("air") : .integer(test.conduction),
            "masked": .bool(test.masked),
            "clampingLowerBound": test.clamping?.lower.map(JSONText.number),
            "clampingUpperBound": test.clamping?.upper.map(JSONText.number),
        ])
    }

    private static func side(_ side: Int) -> JSONText {
        switch side {
        case Audiogram.Test.left: .string("left")
        case Audiogram.Test.right: .string("right")
        default: .integer(side)
        }
    }

    private static func quantity(_ quantity: RecordedQuantity) -> JSONText {
        .object(["value": .number(quantity.value), "unit": .string(quantity.unit)])
    }

    /// Returns `{"type":"glasses","expires":"2026-…","rightEye":{"sphere":{…}}}`.
    static func visionPrescription(
        _ prescription: VisionPrescription, _ calendar: CalendarBuckets
    ) -> JSONText {
        let type: JSONText =
            switch prescription.type {
            case VisionPrescription.glasses: .string("glasses")
            case VisionPrescription.contacts: .string("contacts")
            default: .integer(prescription.type)
            }
        return .object([
            "type": type, "unknownType": prescription.unknownTypeName.map(JSONText.string),
            "expires": prescription.expiration.map { .string(calendar.text($0)) },
            "brand": prescription.brand.map(JSONText.string),
            "rightEye": prescription.rightEye.map(lens),
            "leftEye": prescription.leftEye.map(lens),
            "attachments": prescription.attachments.isEmpty
                ? nil : .array(prescription.attachments.map(JSONText.string)),
        ])
    }

    private static func lens(_ lens: VisionPrescription.Lens) -> JSONText {
        .object([
            "sphere": lens.sphere.map(quantity), "cylinder": lens.cylinder.map(quantity),
            "axis": lens.axis.map(quantity), "addPower": lens.addPower.map(quantity),
            "vertexDistance": lens.vertexDistance.map(quantity), "prism": lens.prism.map(prism),
            "farPupillaryDistance": lens.farPupillaryDistance.map(quantity),
            "nearPupillaryDistance": lens.nearPupillaryDistance.map(quantity),
            "baseCurve": lens.baseCurve.map(quantity), "diameter": lens.diameter.map(quantity),
        ])
    }

    /// A prism in its own notation: either `amount` and `angle`, or the vertical and horizontal
    /// parts with their bases.
    private static func prism(_ prism: VisionPrescription.Prism) -> JSONText {
        let eye: JSONText = .string(
            prism.eye == VisionPrescription.Prism.right ? "right" : "left")
        return switch prism.notation {
        case .polar(let amount, let angle):
            .object(["eye": eye, "amount": quantity(amount), "angle": quantity(angle)])
        case .rectangular(let vertical, let verticalBase, let horizontal, let horizontalBase):
            .object([
                "eye": eye, "verticalAmount": quantity(vertical),
                "verticalBase": base(verticalBase), "horizontalAmount": quantity(horizontal),
                "horizontalBase": base(horizontalBase),
            ])
        }
    }

    private static func base(_ rawValue: Int) -> JSONText {
        VisionPrescription.Prism.Direction(rawValue: rawValue).map { .string($0.name) }
            ?? .integer(rawValue)
    }
}
