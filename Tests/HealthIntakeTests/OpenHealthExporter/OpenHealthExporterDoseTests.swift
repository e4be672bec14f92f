import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct OpenHealthExporterDoseTests {
    private let start = 794_016_000 + 28_800.0

    @Test("a dose has its status, amount and medication by name")
    func doses() throws {
        let intake = try CollectedIntake(exporter: [
            ExporterText.record(
                "medicationDose", 1,
                #""doseQuantity":2,"doseUnit":"mg","medicationName":"Iron","#
                    + #""scheduledAt":"2026-03-01T07:45:00Z","status":"taken""#),
            ExporterText.record(
                "medicationDose", 2, #""medicationName":"Iron","status":"raw_5""#),
        ])
        let iron = Medication.identifier(displayText: "Iron")
        #expect(
            intake.samples.map(\.detail) == [
                .medicationDose(
                    MedicationDose(
                        medication: iron, scheduleType: 2, status: 4, unit: "mg", amount: 2,
                        scheduled: start - 900)),
                .medicationDose(MedicationDose(medication: iron, status: 5)),
            ])
        #expect(intake.samples.map(\.type) == ["medicationDoseEvent", "medicationDoseEvent"])
        #expect(intake.samples.map(\.identity) == [1, 2].map(ExporterText.identity))
        #expect(intake.medications.map(\.displayText) == ["Iron"])
        #expect(intake.medications.map(\.hasSchedule) == [true])
    }

    @Test("a dose with other words is kept, and an invalid one rejected")
    func others() throws {
        let fields = [
            #""medicationName":"Iron","status":"genommen""#, #""medicationName":"Iron""#,
            #""doseUnit":"drachms","medicationName":"Iron","status":"taken""#,
            #""status":"taken""#,
            #""medicationName":"Iron","scheduledAt":"noon","status":"taken""#,
            #""doseQuantity":"two","medicationName":"Iron","status":"taken""#,
        ]
        let intake = try CollectedIntake(
            exporter: fields.map { ExporterText.record("medicationDose", 1, $0) })
        #expect(intake.samples.isEmpty && intake.medications.isEmpty)
        #expect(
            intake.unknown.map(\.name) == [
                "medicationDose.status", "medicationDose.status", "medicationDose.doseUnit",
            ])
        #expect(
            intake.rejections.map(\.field) == ["medicationName", "scheduledAt", "doseQuantity"])
    }
}
