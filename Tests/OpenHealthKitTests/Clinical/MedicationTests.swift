import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import OpenHealthKit

@Suite("Medications")
struct MedicationTests {
    private let fixture = StoreFixture()
    private let medications = HKObjectType.userAnnotatedMedicationType()
    private let doses = HKObjectType.medicationDoseEventType()

    @discardableResult
    private func add(
        _ name: String, _ change: (inout MedicationEntry) -> Void = { _ in }
    ) throws -> HKUserAnnotatedMedication {
        var entry = MedicationEntry(name)
        change(&entry)
        return try fixture.store.setMedication(entry)
    }

    private func requestAll() async throws {
        try await fixture.store.requestPerObjectReadAuthorization(for: medications, predicate: nil)
    }

    private func found(_ predicate: NSPredicate? = nil) async throws -> [HKUserAnnotatedMedication]
    {
        try await HKUserAnnotatedMedicationQueryDescriptor(predicate: predicate)
            .result(for: fixture.store)
    }

    private func foundDoses(_ predicate: NSPredicate? = nil) async throws -> [HKMedicationDoseEvent]
    {
        try await HKSampleQueryDescriptor(
            predicates: [.sample(type: doses, predicate: predicate)],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: fixture.store).compactMap { $0 as? HKMedicationDoseEvent }
    }

    // MARK: - Objects

    @Test(
        "a medication has its properties, also when archived and copied",
        .covers(
            "HKUserAnnotatedMedication", "HKUserAnnotatedMedication.*", "HKMedicationConcept",
            "HKMedicationConcept.*", "HKClinicalCoding", "HKClinicalCoding.*",
            "HKHealthConceptIdentifier", "HKHealthConceptIdentifier.domain"))
    func properties() throws {
        let coding = HKClinicalCoding(
            system: "http://snomed.info/sct", version: "2026", code: "319775004")
        let stored = try add("Aspirin 100 mg") {
            $0.generalForm = .tablet
            $0.codings = [
                coding,
                HKClinicalCoding(
                    system: "http://www.nlm.nih.gov/research/umls/rxnorm", version: nil,
                    code: "243670"),
            ]
            $0.nickname = "Heart"
            ($0.isArchived, $0.hasSchedule) = (true, true)
        }
        let copy = try #require(stored.copy() as? HKUserAnnotatedMedication)
        for medication in [stored, try archived(stored), copy] {
            #expect(medication == stored && medication.hash == stored.hash)
            #expect(medication.nickname == "Heart")
            #expect(medication.isArchived && medication.hasSchedule)
            let concept = medication.medication
            for concept in [concept, try archived(concept)] {
                #expect(concept == stored.medication)
                #expect(concept.displayText == "Aspirin 100 mg")
                #expect(concept.generalForm == .tablet)
                #expect(concept.relatedCodings.count == 2)
                #expect(concept.relatedCodings.contains(coding))
            }
            #expect(concept.identifier.domain == .medication)
            #expect(try archived(concept.identifier) == stored.medication.identifier)
        }
        #expect(try archived(coding) == coding)
        #expect(coding.system == "http://snomed.info/sct" && coding.version == "2026")
        #expect(coding.code == "319775004")
        #expect(coding != HKClinicalCoding(system: coding.system, version: nil, code: coding.code))
        let other = try add("Iron")
        #expect(other != stored && other.medication != stored.medication)
        #expect(other.medication.identifier != stored.medication.identifier)
        #expect(other.medication.generalForm == .unknown && other.medication.relatedCodings == [])
        #expect(other.nickname == nil && !other.isArchived && !other.hasSchedule)
    }

    @Test(
        "a dose has its properties, also when archived",
        .covers(
            "HKMedicationDoseEvent", "HKMedicationDoseEvent.medicationDoseEventType",
            "HKMedicationDoseEvent.scheduleType",
            "HKMedicationDoseEvent.medicationConceptIdentifier",
            "HKMedicationDoseEvent.scheduledDate", "HKMedicationDoseEvent.scheduledDoseQuantity",
            "HKMedicationDoseEvent.doseQuantity", "HKMedicationDoseEvent.logStatus",
            "HKMedicationDoseEvent.unit"))
    func dose() async throws {
        let aspirin = try add("Aspirin")
        var entry = DoseEntry(.taken, at: fixture.date(), amount: 100)
        entry.unit = .gramUnit(with: .milli)
        (entry.scheduledDate, entry.scheduledAmount) = (fixture.date(-600), 150)
        let logged = try fixture.store.logDose(entry, of: aspirin)
        try fixture.store.logDose(DoseEntry(.skipped, at: fixture.date(60)), of: aspirin)
        try await requestAll()
        let found = try await foundDoses()
        let first = try #require(found.first)
        for dose in [first, logged, try archived(first)] {
            #expect(dose.medicationDoseEventType == doses)
            #expect(dose.uuid == logged.uuid)
            #expect(dose.scheduleType == .schedule)
            #expect(dose.medicationConceptIdentifier == aspirin.medication.identifier)
            #expect(dose.scheduledDate == fixture.date(-600))
            #expect(dose.scheduledDoseQuantity == 150 && dose.doseQuantity == 100)
            #expect(dose.logStatus == .taken && dose.unit == .gramUnit(with: .milli))
        }
        let second = try #require(found.last)
        #expect(second.scheduleType == .asNeeded && second.scheduledDate == nil)
        #expect(second.scheduledDoseQuantity == nil && second.doseQuantity == nil)
        #expect(second.logStatus == .skipped && second.unit == .count())
        #expect(second.sourceRevision.source.bundleIdentifier == "com.apple.Health")
    }

    @Test("a dose that an earlier version stored as numbers has its status and medication")
    func earlierForm() async throws {
        let row = try #require(doses.row)
        var batch = SampleBatch(
            sources: [Source(name: "HAE", bundleIdentifier: "com.example.hae")],
            origins: [Origin(source: 0)])
        batch.metadata = [["healthautoexport.displayText": .string("Aspirin")]]
        for index in 0...1 {
            batch.samples.append(
                Sample(type: row.code, origin: 0, start: 7e8 + Double(index), end: 7e8 + 10))
            batch.samples[index].metadata = 0
        }
        batch.details[0] = .numbers(["logStatus": [4], "dosage": [1.5]])
        let uuids = [SampleUUID(UUID()), SampleUUID(UUID())]
        try fixture.store.connection.store.save(batch, uuids: uuids, at: 0)
        let aspirin = try add("aspirin")
        try await requestAll()
        let own = HKQuery.predicateForMedicationDoseEvent(
            medicationConceptIdentifier: aspirin.medication.identifier)
        let found = try await foundDoses(own)
        #expect(found.map(\.logStatus) == [.taken, .notLogged])
        #expect(found.map(\.doseQuantity) == [1.5, nil])
    }

    @Test("a medication without a name and a dose with an amount that is no number are refused")
    func invalidEntries() throws {
        let nameless = #expect(throws: HKError.self) { try add(" ") }
        #expect(nameless?.code == .errorInvalidArgument)
        let aspirin = try add("Aspirin")
        let dose = #expect(throws: HKError.self) {
            try fixture.store.logDose(
                DoseEntry(.taken, at: fixture.date(), amount: .infinity), of: aspirin)
        }
        #expect(dose?.code == .errorInvalidArgument)
    }

    // MARK: - Queries

    @Test(
        "medications come in order of name, by predicate and limit",
        .covers(
            "HKUserAnnotatedMedicationQueryDescriptor",
            "HKUserAnnotatedMedicationQueryDescriptor.*",
            "HKQuery.predicateForUserAnnotatedMedications(isArchived:)",
            "HKQuery.predicateForUserAnnotatedMedications(hasSchedule:)"))
    func query() async throws {
        try add("Zinc") { $0.hasSchedule = true }
        try add("Aspirin") { $0.isArchived = true }
        try add("Iron")
        try await requestAll()
        func names(_ predicate: NSPredicate?) async throws -> [String] {
            try await found(predicate).map(\.medication.displayText)
        }
        #expect(try await names(nil) == ["Aspirin", "Iron", "Zinc"])
        let archived = HKQuery.predicateForUserAnnotatedMedications(isArchived: true)
        #expect(try await names(archived) == ["Aspirin"])
        #expect(
            try await names(HKQuery.predicateForUserAnnotatedMedications(isArchived: false)) == [
                "Iron", "Zinc",
            ])
        #expect(
            try await names(HKQuery.predicateForUserAnnotatedMedications(hasSchedule: true)) == [
                "Zinc"
            ])
        #expect(
            try await names(NSPredicate(format: "isArchived == YES OR hasSchedule == 1")) == [
                "Aspirin", "Zinc",
            ])
        var descriptor = HKUserAnnotatedMedicationQueryDescriptor(predicate: nil, limit: 2)
        #expect(try await descriptor.result(for: fixture.store).count == 2)
        #expect(descriptor.limit == 2 && descriptor.predicate == nil)
        descriptor.predicate = archived
        #expect(try await descriptor.result(for: fixture.store).count == 1)
        let all = try await found()
        #expect(all.filter { archived.evaluate(with: $0) } == Array(all.prefix(1)))
        descriptor.limit = -1
        await #expect(throws: HKError.self) { try await descriptor.result(for: fixture.store) }
        let wrong = await #expect(throws: HKError.self) {
            try await found(HKQuery.predicateForMedicationDoseEvent(status: .taken))
        }
        #expect(wrong?.code == .errorInvalidArgument)
    }

    @Test(
        "the handler gets one medication a call, the last one with done, and without any nil",
        .covers(
            "HKUserAnnotatedMedicationQuery",
            "HKUserAnnotatedMedicationQuery.init(predicate:limit:resultsHandler:)"))
    func handler() async throws {
        try await requestAll()
        #expect(try await calls() == ["- true"])
        try add("Zinc")
        try add("Iron")
        // Each request is about the medications that there are.
        #expect(try await calls() == ["- true"])
        try await requestAll()
        #expect(try await calls() == ["Iron false", "Zinc true"])
    }

    private func calls() async throws -> [String] {
        let calls = Locked<[String]>([])
        return try await withCheckedThrowingContinuation { continuation in
            fixture.store.execute(
                HKUserAnnotatedMedicationQuery(predicate: nil, limit: HKObjectQueryNoLimit) {
                    _, medication, isDone, error in
                    if let error { return continuation.resume(throwing: error) }
                    let all = calls { calls in
                        calls.append("\(medication?.medication.displayText ?? "-") \(isDone)")
                        return calls
                    }
                    if isDone { continuation.resume(returning: all) }
                })
        }
    }

    @Test("a predicate of doses is evaluated alike in a store and in memory")
    func predicates() async throws {
        let (aspirin, iron) = (try add("Aspirin"), try add("Iron"))
        for (index, medication) in [aspirin, iron, aspirin].enumerated() {
            var entry = DoseEntry(
                index == 0 ? .taken : .skipped, at: fixture.date(Double(index) * 60))
            if index > 0 { entry.scheduledDate = fixture.date(Double(index) * 60 - 30) }
            try fixture.store.logDose(entry, of: medication)
        }
        try await requestAll()
        let all = try await foundDoses()
        let predicates: [(NSPredicate, [Int])] = [
            (HKQuery.predicateForMedicationDoseEvent(status: .taken), [0]),
            (HKQuery.predicateForMedicationDoseEvent(statuses: [4, 5]), [0, 1, 2]),
            (HKQuery.predicateForMedicationDoseEvent(statuses: []), []),
            (HKQuery.predicateForMedicationDoseEvent(scheduledDate: fixture.date(30)), [1]),
            (
                HKQuery.predicateForMedicationDoseEvent(scheduledDates: [
                    fixture.date(30), fixture.date(90),
                ]), [1, 2]
            ),
            (HKQuery.predicateForMedicationDoseEvent(scheduledStart: nil, end: nil), [1, 2]),
            (
                HKQuery.predicateForMedicationDoseEvent(
                    scheduledStart: fixture.date(30), end: fixture.date(90)), [1]
            ),
            (
                HKQuery.predicateForMedicationDoseEvent(
                    medicationConceptIdentifier: iron.medication.identifier), [1]
            ),
            (
                HKQuery.predicateForMedicationDoseEvent(medicationConceptIdentifiers: [
                    aspirin.medication.identifier
                ]), [0, 2]
            ),
            (
                NSPredicate(
                    format: "%K == %@ AND %K != 4", HKPredicateKeyPathMedicationConceptIdentifier,
                    aspirin.medication.identifier, HKPredicateKeyPathStatus), [2]
            ),
        ]
        for (predicate, expected) in predicates {
            #expect(try await foundDoses(predicate) == expected.map { all[$0] }, "\(predicate)")
            #expect(all.filter { predicate.evaluate(with: $0) } == expected.map { all[$0] })
        }
        let wrong = await #expect(throws: HKError.self) {
            try await foundDoses(HKQuery.predicateForUserAnnotatedMedications(isArchived: true))
        }
        #expect(wrong?.code == .errorInvalidArgument)
    }

    // MARK: - Authorization

    @Test("§8.12 doses are visible with their medication, or if their type is granted")
    func visibility() async throws {
        try fixture.store.logDose(DoseEntry(.taken, at: fixture.date()), of: try add("Aspirin"))
        let app = fixture.app("reader")
        func count() async throws -> Int {
            try await HKSampleQueryDescriptor(
                predicates: [.sample(type: doses)], sortDescriptors: []
            ).result(for: app).count
        }
        func code(_ body: () async throws -> Int) async -> HKError.Code? {
            do { _ = try await body() } catch { return (error as? HKError)?.code }
            return nil
        }
        #expect(await code(count) == .errorAuthorizationNotDetermined)
        try app.setAuthorization(.denied, for: [medications])
        #expect(try await count() == 0)
        try app.setAuthorization(.readOnly, for: [doses])
        #expect(try await count() == 1)
        try app.setAuthorization(.denied, for: [doses])
        #expect(try await count() == 0)
    }
}
