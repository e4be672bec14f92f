import Foundation
import HealthKit
import Testing

/// Medications and doses that a person logged, with code in the manner of apps.
@Suite struct MedicationReaderTests {
    private let fixture: ClientFixture
    private let reader: MedicationReader
    private let aspirin: HKUserAnnotatedMedication
    private let vitamin: HKUserAnnotatedMedication

    init() throws {
        fixture = try ClientFixture()
        reader = MedicationReader(healthStore: fixture.store)
        var entry = MedicationEntry("Aspirin 100 mg")
        entry.generalForm = .tablet
        entry.nickname = "Heart pill"
        entry.hasSchedule = true
        entry.codings = [
            HKClinicalCoding(system: MedicationReader.rxNorm, version: nil, code: "243670"),
            HKClinicalCoding(system: "http://snomed.info/sct", version: "1", code: "319775004"),
        ]
        aspirin = try fixture.store.setMedication(entry)
        entry = MedicationEntry("Vitamin D")
        entry.isArchived = true
        vitamin = try fixture.store.setMedication(entry)
        for (hour, status) in [
            (8.0, HKMedicationDoseEvent.LogStatus.taken), (20, .skipped), (32, .taken),
            (44, .snoozed),
        ] {
            var dose = DoseEntry(status, at: at(hour), amount: status == .taken ? 1 : nil)
            dose.scheduledDate = at(hour - 0.25)
            dose.scheduledAmount = 1
            try fixture.store.logDose(dose, of: aspirin)
        }
        var drops = DoseEntry(.taken, at: at(9), amount: 0.5)
        drops.unit = .literUnit(with: .milli)
        try fixture.store.logDose(drops, of: vitamin)
    }

    private func at(_ hour: Double) -> Date { fixture.midnight.addingTimeInterval(hour * 3600) }

    @Test("active medications have their name, form and codes; the limit applies")
    func medications() async throws {
        try await reader.authorize()
        let active = try await reader.active()
        #expect(active.map(reader.title) == ["Heart pill (tablet)"])
        let first = try #require(active.first)
        #expect(reader.rxNormCode(of: first) == "243670")
        #expect(first.medication.relatedCodings.count == 2)
        #expect(first.hasSchedule && !first.isArchived)
        #expect(try await reader.all().map(reader.title).count == 2)
        #expect(try await reader.all(limit: 1) == [aspirin])
    }

    @Test("the completion handler gets one medication a call, and the last one with done")
    func handler() async throws {
        try await reader.authorize()
        let names = try await withCheckedThrowingContinuation { done in
            reader.scheduledNames { names, error in
                if let names { done.resume(returning: names) }
                if let error { done.resume(throwing: error) }
            }
        }
        #expect(names == ["Heart pill"])
    }

    @Test("doses of a medication have status, amounts and schedule")
    func doses() async throws {
        try await reader.authorize()
        let doses = try await reader.doses(of: aspirin)
        #expect(
            doses.map(reader.line) == [
                "1.0 count taken as planned", "skipped as planned", "1.0 count taken as planned",
                "snoozed as planned",
            ])
        let first = try #require(doses.first)
        #expect(first.startDate == at(8) && first.scheduledDate == at(7.75))
        #expect(first.scheduledDoseQuantity == 1)
        #expect(first.medicationConceptIdentifier == aspirin.medication.identifier)
        #expect(first.sourceRevision.source.bundleIdentifier == "com.apple.Health")
        #expect(try await reader.doses(of: vitamin).map(reader.line) == ["0.5 mL taken"])
        #expect(try await reader.adherence(of: aspirin) == 2.0 / 3)
    }

    @Test("doses are found by status and scheduled time")
    func selection() async throws {
        try await reader.authorize()
        let skipped = HKQuery.predicateForMedicationDoseEvent(status: .skipped)
        #expect(try await reader.doses(matching: skipped).map(\.startDate) == [at(20)])
        let planned = HKQuery.predicateForMedicationDoseEvent(scheduledDate: at(7.75))
        #expect(try await reader.doses(matching: planned).map(\.startDate) == [at(8)])
        let some = HKQuery.predicateForMedicationDoseEvent(scheduledDates: [at(7.75), at(43.75)])
        #expect(try await reader.doses(matching: some).map(\.startDate) == [at(8), at(44)])
        let day = HKQuery.predicateForMedicationDoseEvent(
            scheduledStart: at(7.75), end: at(31.75))
        #expect(try await reader.doses(matching: day).map(\.startDate) == [at(8), at(20)])
        let both = HKQuery.predicateForMedicationDoseEvent(medicationConceptIdentifiers: [
            aspirin.medication.identifier, vitamin.medication.identifier,
        ])
        #expect(try await reader.doses(matching: both).count == 5)
    }

    @Test("an anchored query returns each dose once")
    func anchors() async throws {
        try await reader.authorize()
        let first = try await reader.new(since: nil)
        #expect(first.found.count == 5)
        #expect(try await reader.new(since: first.anchor).found.isEmpty)
        try fixture.store.logDose(DoseEntry(.taken, at: at(50), amount: 1), of: aspirin)
        #expect(try await reader.new(since: first.anchor).found.map(\.startDate) == [at(50)])
    }

    @Test("an app can neither ask to save doses nor save one, nor request medications as a type")
    func saving() async throws {
        try await reader.authorize()
        await #expect {
            try await fixture.store.requestAuthorization(
                toShare: [.medicationDoseEventType()], read: [])
        } throws: { ($0 as? HKError)?.code == .errorInvalidArgument }
        await #expect {
            try await fixture.store.requestAuthorization(
                toShare: [], read: [.userAnnotatedMedicationType()])
        } throws: { ($0 as? HKError)?.code == .errorInvalidArgument }
        let dose = try #require(try await reader.doses(of: vitamin).first)
        await #expect(throws: HKError.self) { try await fixture.store.save(dose) }
    }

    @Test("before any request, medications and doses are not determined")
    func undetermined() async throws {
        await #expect { try await reader.all() } throws: {
            ($0 as? HKError)?.code == .errorAuthorizationNotDetermined
        }
        await #expect { try await reader.doses() } throws: {
            ($0 as? HKError)?.code == .errorAuthorizationNotDetermined
        }
    }

    @Test("denied medications look like none, and so do their doses")
    func denied() async throws {
        let denying = try ClientFixture(authorization: .deny)
        let aspirin = try denying.store.setMedication(MedicationEntry("Aspirin"))
        try denying.store.logDose(DoseEntry(.taken, at: at(1), amount: 1), of: aspirin)
        let reader = MedicationReader(healthStore: denying.store)
        try await reader.authorize()
        #expect(try await reader.all().isEmpty)
        #expect(try await reader.doses().isEmpty)
    }
}
