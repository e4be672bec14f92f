import Foundation
import HealthCalendar
import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct ChangesMeasurementTests {
    private static var audiogram: Audiogram {
        Audiogram(points: [
            Audiogram.Point(
                frequency: RecordedQuantity(0.1 + 0.2, "kHz"),
                tests: [
                    Audiogram.Test(
                        sensitivity: RecordedQuantity(1.0 / 3, "dBHL"), side: 1, masked: true,
                        clamping: Audiogram.Clamping(lower: nil, upper: 85.5)),
                    Audiogram.Test(
                        sensitivity: RecordedQuantity(-5, "dBHL"), side: 0, conduction: 7),
                ]),
            Audiogram.Point(frequency: RecordedQuantity(8000, "Hz")),
        ])
    }

    private static var prescription: VisionPrescription {
        var right = VisionPrescription.Lens(sphere: RecordedQuantity(-2.25, "D"))
        right.cylinder = RecordedQuantity(-0.75, "D")
        right.axis = RecordedQuantity(170, "deg")
        right.addPower = RecordedQuantity(1.5, "D")
        right.vertexDistance = RecordedQuantity(12, "mm")
        right.prism = VisionPrescription.Prism(
            .polar(amount: RecordedQuantity(1.5, "pD"), angle: RecordedQuantity(90, "deg")), eye: 2)
        right.farPupillaryDistance = RecordedQuantity(31.5, "mm")
        right.nearPupillaryDistance = RecordedQuantity(3, "cm")
        var left = VisionPrescription.Lens()
        left.baseCurve = RecordedQuantity(8.6, "mm")
        left.diameter = RecordedQuantity(14.2, "mm")
        left.prism = VisionPrescription.Prism(
            .rectangular(
                vertical: RecordedQuantity(0, "pD"), verticalBase: 0,
                horizontal: RecordedQuantity(2, "pD"), horizontalBase: 3), eye: 1)
        var prescription = VisionPrescription(
            type: VisionPrescription.glasses, expiration: 799_714_800.25, brand: "b",
            rightEye: right, leftEye: left, attachments: ["A", "B"])
        prescription.unknownTypeName = "Monocle"
        return prescription
    }

    private func read(_ detail: SampleDetail, _ type: String) throws -> [SampleDetail?] {
        let calendar = CalendarBuckets(timeZone: .gmt)
        let text = JSONText.detail(detail, calendar).text
        let intake = try CollectedIntake(changes: [
            ChangesText.sample(1, type, "\"detail\":" + text)
        ])
        #expect(intake.rejections.isEmpty, "\(text)")
        return intake.samples.map(\.detail)
    }

    @Test("audiograms and prescriptions are read as JSON lines write them, bit by bit")
    func roundTrip() throws {
        let details: [(SampleDetail, String)] = [
            (.audiogram(Self.audiogram), "HKDataTypeIdentifierAudiogram"),
            (.audiogram(Audiogram()), "HKDataTypeIdentifierAudiogram"),
            (.visionPrescription(Self.prescription), "HKVisionPrescriptionTypeIdentifier"),
            (
                .visionPrescription(VisionPrescription(type: VisionPrescription.contacts)),
                "HKVisionPrescriptionTypeIdentifier"
            ),
        ]
        for (detail, type) in details { #expect(try read(detail, type) == [detail]) }
    }

    @Test("lists of numbers of an audiogram become its points")
    func numbers() throws {
        let numbers = SampleDetail.numbers(["leftFrequencies": [500], "leftSensitivities": [10]])
        let expected = Audiogram(points: [
            Audiogram.Point(
                frequency: RecordedQuantity(500, "Hz"),
                tests: [Audiogram.Test(sensitivity: RecordedQuantity(10, "dBHL"), side: 0)])
        ])
        #expect(try read(numbers, "HKDataTypeIdentifierAudiogram") == [.audiogram(expected)])
    }

    @Test(
        "missing and wrong parts are rejected with their place",
        arguments: [
            (
                #"{"audiogram":{"points":[{"tests":[]}]}}"#, "audiogram",
                "detail.audiogram.frequency"
            ),
            (
                #"{"audiogram":{"points":[{"frequency":{"value":1,"unit":"m"}}]}}"#, "audiogram",
                "detail.audiogram.frequency"
            ),
            (
                #"{"audiogram":{"points":[{"frequency":{"value":1,"unit":"Hz"},"tests":[{"side":"up"}]}]}}"#,
                "audiogram", "detail.audiogram.side"
            ),
            (#"{"audiogram":{}}"#, "visionPrescription", "detail"),
            (#"{"visionPrescription":{}}"#, "visionPrescription", "detail.visionPrescription.type"),
            (
                #"{"visionPrescription":{"type":"glasses","leftEye":{"axis":{"value":1,"unit":"D"}}}}"#,
                "visionPrescription", "detail.visionPrescription.leftEye.axis"
            ),
            (
                #"{"visionPrescription":{"type":1,"leftEye":{"prism":{"eye":"left","amount":{"value":1,"unit":"pD"}}}}}"#,
                "visionPrescription", "detail.visionPrescription.leftEye.prism.angle"
            ),
        ])
    func rejected(detail: String, type: String, field: String) throws {
        let identifier = try #require(Catalogue.type(named: type)?.identifier)
        let intake = try CollectedIntake(changes: [
            ChangesText.sample(1, identifier, "\"detail\":" + detail)
        ])
        #expect(intake.samples.isEmpty)
        #expect(intake.rejections.map(\.field) == [field])
    }
}
