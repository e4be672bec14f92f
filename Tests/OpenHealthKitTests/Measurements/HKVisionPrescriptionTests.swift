import Foundation
import HealthEngine
import HealthTesting
import Testing

@testable import OpenHealthKit

@Suite("Prescriptions for glasses and contact lenses")
struct HKVisionPrescriptionTests {
    private let fixture = StoreFixture()
    private let type = HKObjectType.visionPrescriptionType()

    private func diopters(_ value: Double) -> HKQuantity {
        HKQuantity(unit: .diopter(), doubleValue: value)
    }

    private func degrees(_ value: Double) -> HKQuantity {
        HKQuantity(unit: .degreeAngle(), doubleValue: value)
    }

    private func prism(_ value: Double) -> HKQuantity {
        HKQuantity(unit: .prismDiopter(), doubleValue: value)
    }

    private func length(_ value: Double) -> HKQuantity {
        HKQuantity(unit: .meterUnit(with: .milli), doubleValue: value)
    }

    private func save<Prescription: HKVisionPrescription>(
        _ sample: Prescription
    ) async throws -> Prescription {
        try await fixture.store.requestAuthorization(toShare: [type], read: [])
        try await fixture.store.save(sample)
        let found = try await HKSampleQueryDescriptor(
            predicates: [.visionPrescription(HKQuery.predicateForObject(with: sample.uuid))],
            sortDescriptors: []
        ).result(for: fixture.store)
        return try #require(found.first as? Prescription)
    }

    @Test(
        "glasses come back with all measures, bit by bit in their units, also when archived",
        .covers(
            "HKVisionPrescription", "HKVisionPrescription.dateIssued",
            "HKVisionPrescription.expirationDate", "HKVisionPrescription.prescriptionType",
            "HKVisionPrescriptionType", "HKVisionPrescriptionType.glasses",
            "HKGlassesPrescription",
            "HKGlassesPrescription.init(rightEyeSpecification:leftEyeSpecification:dateIssued:expirationDate:device:metadata:)",
            "HKGlassesPrescription.rightEye", "HKGlassesPrescription.leftEye",
            "HKLensSpecification", "HKLensSpecification.sphere", "HKLensSpecification.cylinder",
            "HKLensSpecification.axis", "HKLensSpecification.addPower",
            "HKGlassesLensSpecification",
            "HKGlassesLensSpecification.init(sphere:cylinder:axis:addPower:vertexDistance:prism:farPupillaryDistance:nearPupillaryDistance:)",
            "HKGlassesLensSpecification.vertexDistance", "HKGlassesLensSpecification.prism",
            "HKGlassesLensSpecification.farPupillaryDistance",
            "HKGlassesLensSpecification.nearPupillaryDistance",
            "HKSamplePredicate.visionPrescription(_:)"))
    func glasses() async throws {
        let right = HKGlassesLensSpecification(
            sphere: diopters(-1.0 / 3), cylinder: diopters(-0.75), axis: degrees(170),
            addPower: diopters(1.25), vertexDistance: length(12.5),
            prism: HKVisionPrism(amount: prism(1.5), angle: degrees(90), eye: .right),
            farPupillaryDistance: HKQuantity(unit: .inch(), doubleValue: 1.25),
            nearPupillaryDistance: length(30))
        let sample = HKGlassesPrescription(
            rightEyeSpecification: right, leftEyeSpecification: nil, dateIssued: fixture.date(),
            expirationDate: fixture.date(1000.25), device: .local(), metadata: ["a": "b"])
        let saved = try await save(sample)
        for found in [saved, try archived(saved)] {
            #expect(found.uuid == sample.uuid && found.prescriptionType == .glasses)
            #expect(found.dateIssued == fixture.date())
            #expect(found.startDate == found.endDate)
            #expect(found.expirationDate == fixture.date(1000.25))
            #expect(found.leftEye == nil)
            let lens = try #require(found.rightEye)
            #expect(lens == right)
            #expect(lens.sphere.value == -1.0 / 3)
            #expect(lens.cylinder?.value == -0.75 && lens.axis?.value == 170)
            #expect(lens.addPower?.value == 1.25 && lens.vertexDistance?.value == 12.5)
            #expect(lens.farPupillaryDistance?.unit == .inch())
            #expect(lens.farPupillaryDistance?.value == 1.25)
            #expect(lens.nearPupillaryDistance?.value == 30)
            #expect(lens.prism?.verticalBase == .up && lens.prism?.amount.value == 1.5)
            #expect(found.metadata?["a"] as? String == "b")
        }
        #expect(try archived(right) == right)
        let left = HKGlassesLensSpecification(
            sphere: diopters(2), cylinder: nil, axis: nil, addPower: nil, vertexDistance: nil,
            prism: nil, farPupillaryDistance: nil, nearPupillaryDistance: nil)
        let one = HKGlassesPrescription(
            rightEyeSpecification: nil, leftEyeSpecification: left, dateIssued: fixture.date(),
            expirationDate: nil, device: nil, metadata: nil)
        #expect(one.leftEye == left && one.rightEye == nil)
        // An import can have a lens without a sphere, or with one that isn't measured in dioptres.
        for sphere in [nil, RecordedQuantity(1, "furlong")] {
            let lens = VisionPrescription.Lens(sphere: sphere)
            #expect(HKGlassesLensSpecification(_stored: lens) == nil)
        }
        #expect(
            right
                != HKGlassesLensSpecification(
                    sphere: diopters(-1.0 / 3), cylinder: diopters(-0.75), axis: degrees(170),
                    addPower: diopters(1.25), vertexDistance: length(12.5), prism: nil,
                    farPupillaryDistance: HKQuantity(unit: .inch(), doubleValue: 1.25),
                    nearPupillaryDistance: length(30)))
    }

    @Test(
        "contact lenses have a brand, a base curve and a diameter",
        .covers(
            "HKVisionPrescriptionType.contacts", "HKContactsPrescription",
            "HKContactsPrescription.init(rightEyeSpecification:leftEyeSpecification:brand:dateIssued:expirationDate:device:metadata:)",
            "HKContactsPrescription.rightEye", "HKContactsPrescription.leftEye",
            "HKContactsPrescription.brand", "HKContactsLensSpecification",
            "HKContactsLensSpecification.init(sphere:cylinder:axis:addPower:baseCurve:diameter:)",
            "HKContactsLensSpecification.baseCurve", "HKContactsLensSpecification.diameter"))
    func contacts() async throws {
        let left = HKContactsLensSpecification(
            sphere: diopters(2), cylinder: nil, axis: nil, addPower: nil, baseCurve: length(8.6),
            diameter: length(14.2))
        let saved = try await save(
            HKContactsPrescription(
                rightEyeSpecification: nil, leftEyeSpecification: left, brand: "Clear",
                dateIssued: fixture.date(), expirationDate: nil, device: nil, metadata: nil))
        for found in [saved, try archived(saved)] {
            #expect(found.prescriptionType == .contacts && found.brand == "Clear")
            #expect(found.rightEye == nil && found.leftEye == left)
            #expect(found.leftEye?.baseCurve?.value == 8.6)
            #expect(found.leftEye?.diameter?.value == 14.2)
            #expect(found.expirationDate == nil)
        }
    }

    @Test(
        "contact lenses for both eyes keep their sides",
        .covers("HKContactsPrescription.rightEye", "HKContactsPrescription.leftEye"))
    func sides() async throws {
        func lens(_ sphere: Double) -> HKContactsLensSpecification {
            HKContactsLensSpecification(
                sphere: diopters(sphere), cylinder: nil, axis: nil, addPower: nil,
                baseCurve: nil, diameter: nil)
        }
        let saved = try await save(
            HKContactsPrescription(
                rightEyeSpecification: lens(-1), leftEyeSpecification: lens(-2), brand: "",
                dateIssued: fixture.date(), expirationDate: nil, device: nil, metadata: nil))
        #expect(saved.rightEye == lens(-1) && saved.leftEye == lens(-2))
    }

    @Test(
        "a prescription without lenses keeps its type",
        .covers(
            "HKVisionPrescription.init(type:dateIssued:expirationDate:device:metadata:)",
            "HKVisionPrescription.prescriptionType"))
    func plain() async throws {
        for kind in [HKVisionPrescriptionType.glasses, .contacts] {
            let saved = try await save(
                HKVisionPrescription(
                    type: kind, dateIssued: fixture.date(), expirationDate: fixture.date(1),
                    device: nil, metadata: nil) as HKVisionPrescription)
            #expect(saved.prescriptionType == kind && saved.expirationDate == fixture.date(1))
        }
    }

    @Test(
        "a prism has both notations, and in and out depend on the eye",
        .covers(
            "HKVisionPrism", "HKVisionPrism.init(amount:angle:eye:)",
            "HKVisionPrism.init(verticalAmount:verticalBase:horizontalAmount:horizontalBase:eye:)",
            "HKVisionPrism.amount", "HKVisionPrism.angle", "HKVisionPrism.eye",
            "HKVisionPrism.verticalAmount", "HKVisionPrism.verticalBase",
            "HKVisionPrism.horizontalAmount", "HKVisionPrism.horizontalBase", "HKPrismBase",
            "HKPrismBase.none", "HKPrismBase.up", "HKPrismBase.down", "HKPrismBase.in",
            "HKPrismBase.out"))
    func prisms() throws {
        let right = HKVisionPrism(amount: prism(2), angle: degrees(0), eye: .right)
        #expect(right.horizontalBase == .in && right.verticalBase == .none)
        #expect(right.horizontalAmount.value == 2 && right.verticalAmount.value == 0)
        let left = HKVisionPrism(amount: prism(2), angle: degrees(0), eye: .left)
        #expect(left.horizontalBase == .out && left.eye == .left)
        let down = HKVisionPrism(amount: prism(2), angle: degrees(270), eye: .left)
        #expect(down.verticalBase == .down && down.horizontalBase == .none)
        // Down 3 and out 4 for the right eye: to the person's right, so between 180° and 270°.
        let flat = HKVisionPrism(
            verticalAmount: prism(3), verticalBase: .down, horizontalAmount: prism(4),
            horizontalBase: .out, eye: .right)
        #expect(flat.amount == prism(5))
        #expect(abs(flat.angle.doubleValue(for: .degreeAngle()) - 216.869_897_645_844) < 1e-9)
        // For the left eye, out is the person's left: between 270° and 360°.
        let mirrored = HKVisionPrism(
            verticalAmount: prism(3), verticalBase: .down, horizontalAmount: prism(4),
            horizontalBase: .out, eye: .left)
        #expect(abs(mirrored.angle.doubleValue(for: .degreeAngle()) - 323.130_102_354_156) < 1e-9)
        for original in [right, left, down, flat, mirrored] {
            #expect(try archived(original) == original)
        }
        #expect(right != left)
    }

    @Test("save refuses other units, numbers that are none, and bases of the wrong direction")
    func invalid() async throws {
        try await fixture.store.requestAuthorization(toShare: [type], read: [])
        func lens(
            _ sphere: HKQuantity, axis: HKQuantity? = nil, distance: HKQuantity? = nil,
            prism: HKVisionPrism? = nil
        ) -> HKGlassesLensSpecification {
            HKGlassesLensSpecification(
                sphere: sphere, cylinder: nil, axis: axis, addPower: nil,
                vertexDistance: distance, prism: prism, farPupillaryDistance: nil,
                nearPupillaryDistance: nil)
        }
        func rectangular(_ vertical: HKPrismBase, _ horizontal: HKPrismBase) -> HKVisionPrism {
            HKVisionPrism(
                verticalAmount: prism(1), verticalBase: vertical, horizontalAmount: prism(0),
                horizontalBase: horizontal, eye: .left)
        }
        let invalid = [
            lens(length(1)), lens(diopters(.nan)), lens(diopters(1), axis: diopters(1)),
            lens(diopters(1), distance: diopters(1)),
            lens(diopters(1), prism: rectangular(.in, .none)),
            lens(diopters(1), prism: rectangular(.none, .none)),
            lens(diopters(1), prism: rectangular(.up, .down)),
            lens(
                diopters(1),
                prism: HKVisionPrism(amount: length(1), angle: degrees(1), eye: .left)),
        ]
        for (index, lens) in invalid.enumerated() {
            let error = await #expect(throws: HKError.self, "lens \(index)") {
                try await fixture.store.save(
                    HKGlassesPrescription(
                        rightEyeSpecification: lens, leftEyeSpecification: nil,
                        dateIssued: fixture.date(), expirationDate: nil, device: nil,
                        metadata: nil))
            }
            #expect(error?.code == .errorInvalidArgument, "lens \(index)")
        }
        try await fixture.store.save(
            HKGlassesPrescription(
                rightEyeSpecification: lens(diopters(1), prism: rectangular(.up, .none)),
                leftEyeSpecification: nil, dateIssued: fixture.date(), expirationDate: nil,
                device: nil, metadata: nil))
    }

    @Test("an imported lens without a power or with odd units doesn't trap")
    func imported() {
        var lens = VisionPrescription.Lens()
        lens.cylinder = RecordedQuantity(1, "bananas")
        lens.prism = VisionPrescription.Prism(
            .polar(amount: RecordedQuantity(1, "m"), angle: RecordedQuantity(1, "deg")), eye: 7)
        let specification = HKGlassesLensSpecification(_content: lens)
        #expect(specification.sphere == diopters(0))
        #expect(specification.cylinder == nil && specification.prism == nil)
    }
}
