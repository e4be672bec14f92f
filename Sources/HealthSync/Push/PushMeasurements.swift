import Foundation

/// A number with its unit, as the protocol has it. HealthKit doesn't tell the unit in which a
/// quantity was saved, so it is a fixed one.
struct PushMeasure: Encodable {
    let value: Double
    let unit: String

    init(_ quantity: HKQuantity, _ unit: HKUnit) {
        value = quantity.doubleValue(for: unit)
        self.unit = unit.unitString
    }

    init?(_ quantity: HKQuantity?, _ unit: HKUnit) {
        guard let quantity, quantity.is(compatibleWith: unit) else { return nil }
        self.init(quantity, unit)
    }
}

/// The content of a hearing test.
struct PushAudiogram: Encodable {
    let points: [Point]

    struct Point: Encodable {
        let frequency: PushMeasure
        let tests: [Test]
    }

    struct Test: Encodable {
        let side: String
        let sensitivity: PushMeasure
        var masked = false
        var clampingLowerBound: Double?
        var clampingUpperBound: Double?
    }

    init(_ sample: HKAudiogramSample) {
        points = sample.sensitivityPoints.map { point in
            Point(frequency: PushMeasure(point.frequency, .hertz()), tests: Self.tests(of: point))
        }
    }

    private static func tests(of point: HKAudiogramSensitivityPoint) -> [Test] {
        let level = HKUnit.decibelHearingLevel()
        guard #available(iOS 18.1, watchOS 11.1, visionOS 2.1, macOS 15.1, *) else {
            return [("left", point.leftEarSensitivity), ("right", point.rightEarSensitivity)]
                .compactMap { side, sensitivity in
                    sensitivity.map { Test(side: side, sensitivity: PushMeasure($0, level)) }
                }
        }
        return point.tests.map { test in
            Test(
                side: test.side == .left ? "left" : "right",
                sensitivity: PushMeasure(test.sensitivity, level), masked: test.masked,
                clampingLowerBound: test.clampingRange?.lowerBound?.doubleValue(for: level),
                clampingUpperBound: test.clampingRange?.upperBound?.doubleValue(for: level))
        }
    }
}

/// The content of a prescription.
struct PushVisionPrescription: Encodable {
    let type: String
    let expires: String?
    var brand: String?
    var rightEye: Lens?
    var leftEye: Lens?

    init(_ sample: HKVisionPrescription) {
        type = sample.prescriptionType == .contacts ? "contacts" : "glasses"
        expires = sample.expirationDate?.instantText
        if let glasses = sample as? HKGlassesPrescription {
            rightEye = glasses.rightEye.map { Lens($0) }
            leftEye = glasses.leftEye.map { Lens($0) }
        } else if let contacts = sample as? HKContactsPrescription {
            brand = contacts.brand
            rightEye = contacts.rightEye.map { Lens($0) }
            leftEye = contacts.leftEye.map { Lens($0) }
        }
    }

    struct Lens: Encodable {
        let sphere: PushMeasure?
        let cylinder: PushMeasure?
        let axis: PushMeasure?
        let addPower: PushMeasure?
        var vertexDistance: PushMeasure?
        var prism: Prism?
        var farPupillaryDistance: PushMeasure?
        var nearPupillaryDistance: PushMeasure?
        var baseCurve: PushMeasure?
        var diameter: PushMeasure?

        private init(common lens: HKLensSpecification) {
            sphere = PushMeasure(lens.sphere, .diopter())
            cylinder = PushMeasure(lens.cylinder, .diopter())
            axis = PushMeasure(lens.axis, .degreeAngle())
            addPower = PushMeasure(lens.addPower, .diopter())
        }

        init(_ lens: HKGlassesLensSpecification) {
            self.init(common: lens)
            let millimeter = HKUnit.meterUnit(with: .milli)
            vertexDistance = PushMeasure(lens.vertexDistance, millimeter)
            prism = lens.prism.map { Prism($0) }
            farPupillaryDistance = PushMeasure(lens.farPupillaryDistance, millimeter)
            nearPupillaryDistance = PushMeasure(lens.nearPupillaryDistance, millimeter)
        }

        init(_ lens: HKContactsLensSpecification) {
            self.init(common: lens)
            let millimeter = HKUnit.meterUnit(with: .milli)
            baseCurve = PushMeasure(lens.baseCurve, millimeter)
            diameter = PushMeasure(lens.diameter, millimeter)
        }
    }

    /// A prism in the polar notation.
    struct Prism: Encodable {
        let eye: String
        let amount: PushMeasure
        let angle: PushMeasure

        init(_ prism: HKVisionPrism) {
            eye = prism.eye == .right ? "right" : "left"
            amount = PushMeasure(prism.amount, .prismDiopter())
            angle = PushMeasure(prism.angle, .degreeAngle())
        }
    }
}
