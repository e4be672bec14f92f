import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import OpenHealthKit

@Suite struct HKVerifiableClinicalRecordTests {
    private let store = HKHealthStore.inMemory()
    private static let vaccination = HKVerifiableClinicalRecordCredentialType.immunization.rawValue
    private static let covid = HKVerifiableClinicalRecordCredentialType.covid19.rawValue

    /// Stores cards as an import does: relevant at 7e8, 7e8 + 1, …
    private func write(_ types: [[String]]) throws {
        let row = try #require(Catalogue.type(identifier: VerifiableClinicalRecord.typeIdentifier))
        var batch = SampleBatch(
            sources: [Source(name: "Cards", bundleIdentifier: "com.example.cards")],
            origins: [Origin(source: 0)])
        for (index, types) in types.enumerated() {
            let time = 7e8 + Double(index)
            batch.samples.append(Sample(type: row.code, origin: 0, start: time, end: time))
            batch.details[index] = .verifiableClinicalRecord(
                VerifiableClinicalRecord(
                    recordTypes: types, issuer: "https://example.com/issuer",
                    fullName: "Jane C. Anyperson", dateOfBirth: "1951-01-20", issued: 7.1e8,
                    expires: index == 0 ? 7.2e8 : nil, itemNames: ["CVX 207"],
                    sourceType: index == 0 ? "SMARTHealthCard" : "EUDigitalCOVIDCertificate",
                    data: "a.b.c"))
        }
        try store.connection.store.save(
            batch, uuids: types.map { _ in SampleUUID(UUID()) }, at: 0)
    }

    private func records(
        _ types: [HKVerifiableClinicalRecordCredentialType],
        _ sources: [HKVerifiableClinicalRecordSourceType] = [], _ predicate: NSPredicate? = nil
    ) async throws -> [HKVerifiableClinicalRecord] {
        try await HKVerifiableClinicalRecordQueryDescriptor(
            recordTypes: types, sourceTypes: sources, predicate: predicate
        ).result(for: store)
    }

    @Test(
        "a record has the contents of its card, also when archived",
        .covers(
            "HKVerifiableClinicalRecord", "HKVerifiableClinicalRecord.expirationDate",
            "HKVerifiableClinicalRecord.issuedDate", "HKVerifiableClinicalRecord.issuerIdentifier",
            "HKVerifiableClinicalRecord.itemNames", "HKVerifiableClinicalRecord.recordTypes",
            "HKVerifiableClinicalRecord.relevantDate", "HKVerifiableClinicalRecord.sourceType",
            "HKVerifiableClinicalRecord.subject", "HKVerifiableClinicalRecordSubject",
            "HKVerifiableClinicalRecordSubject.fullName",
            "HKVerifiableClinicalRecordSubject.dateOfBirthComponents",
            "HKVerifiableClinicalRecordQueryDescriptor",
            "HKVerifiableClinicalRecordQueryDescriptor.init(recordTypes:sourceTypes:predicate:)",
            "HKVerifiableClinicalRecordQueryDescriptor.result(for:)"))
    func contents() async throws {
        try write([[Self.vaccination, Self.covid]])
        let found = try #require(try await records([.immunization]).first)
        for record in [found, try archived(found)] {
            #expect(record.recordTypes == [Self.vaccination, Self.covid])
            #expect(record.issuerIdentifier == "https://example.com/issuer")
            #expect(record.issuedDate == Date(timeIntervalSinceReferenceDate: 7.1e8))
            #expect(record.relevantDate == Date(timeIntervalSinceReferenceDate: 7e8))
            #expect(record.expirationDate == Date(timeIntervalSinceReferenceDate: 7.2e8))
            #expect(record.itemNames == ["CVX 207"] && record.sourceType == .smartHealthCard)
            #expect(record.dataRepresentation == Data("a.b.c".utf8))
            #expect(record.jwsRepresentation == record.dataRepresentation)
            #expect(record.subject.fullName == "Jane C. Anyperson")
            let birth = record.subject.dateOfBirthComponents
            #expect(birth?.year == 1951 && birth?.month == 1 && birth?.day == 20)
            #expect(try archived(record.subject) == record.subject)
        }
    }

    @Test(
        "a query returns the records that have all kinds, one of the sources, and match",
        .covers(
            "HKQuery.predicateForVerifiableClinicalRecords(withRelevantDateWithin:)",
            "HKVerifiableClinicalRecordQueryDescriptor.predicate",
            "HKVerifiableClinicalRecordQueryDescriptor.recordTypes",
            "HKVerifiableClinicalRecordQueryDescriptor.sourceTypes"))
    func selection() async throws {
        try write([[Self.vaccination, Self.covid], [Self.vaccination], [Self.covid]])
        #expect(try await records([]).count == 3)
        #expect(try await records([.immunization]).count == 2)
        #expect(try await records([.immunization, .covid19]).count == 1)
        #expect(try await records([.laboratory]).isEmpty)
        #expect(try await records([.immunization], [.smartHealthCard]).count == 1)
        let sources: [HKVerifiableClinicalRecordSourceType] = [
            .smartHealthCard, .euDigitalCOVIDCertificate,
        ]
        #expect(try await records([], sources).count == 3)
        let start = Date(timeIntervalSinceReferenceDate: 7e8)
        let within = HKQuery.predicateForVerifiableClinicalRecords(
            withRelevantDateWithin: DateInterval(start: start, end: start + 1))
        let found = try await records([], [], within)
        #expect(found.count == 2 && found.allSatisfy { within.evaluate(with: $0) })
        let descriptor = HKVerifiableClinicalRecordQueryDescriptor(
            recordTypes: [.covid19], sourceTypes: sources, predicate: within)
        #expect(descriptor.recordTypes == [.covid19] && descriptor.sourceTypes == sources)
        #expect(descriptor.predicate == within)
    }

    @Test(
        "the query of the older kind calls its handler once",
        .covers(
            "HKVerifiableClinicalRecordQuery",
            "HKVerifiableClinicalRecordQuery.init(recordTypes:predicate:resultsHandler:)",
            "HKVerifiableClinicalRecordQuery.init(recordTypes:sourceTypes:predicate:resultsHandler:)",
            "HKVerifiableClinicalRecordQuery.recordTypes",
            "HKVerifiableClinicalRecordQuery.sourceTypes"))
    func olderQuery() async throws {
        try write([[Self.covid]])
        let count: Int? = await withCheckedContinuation { continuation in
            let query = HKVerifiableClinicalRecordQuery(
                recordTypes: [Self.covid], predicate: nil
            ) { query, records, _ in
                #expect(query.recordTypes == [Self.covid] && query.sourceTypes.isEmpty)
                continuation.resume(returning: records?.count)
            }
            store.execute(query)
        }
        #expect(count == 1)
        let none: Int? = await withCheckedContinuation { continuation in
            let query = HKVerifiableClinicalRecordQuery(
                recordTypes: [Self.covid], sourceTypes: [.euDigitalCOVIDCertificate],
                predicate: nil
            ) { query, records, _ in
                #expect(query.sourceTypes == [.euDigitalCOVIDCertificate])
                continuation.resume(returning: records?.count)
            }
            store.execute(query)
        }
        #expect(none == 0)
    }

    @Test("without permission there are no records, and apps can't save any")
    func permission() async throws {
        var configuration = HealthStoreConfiguration()
        configuration.authorization = .deny
        let store = HKHealthStore.inMemory(configuration: configuration)
        let records = try await HKVerifiableClinicalRecordQueryDescriptor(
            recordTypes: [], sourceTypes: []
        ).result(for: store)
        #expect(records.isEmpty)
        try write([[Self.covid]])
        let record = try #require(try await self.records([]).first)
        await #expect(throws: HKError.self) { try await self.store.save(record) }
    }
}
