import Foundation
import HealthEngine
import HealthTesting
import Testing

@testable import OpenHealthKit

@Suite struct HKCDADocumentTests {
    private let day = Date(timeIntervalSinceReferenceDate: 8e8)

    private static let letter = """
        <?xml version="1.0" encoding="UTF-8"?>
        <?xml-stylesheet href="CDA.xsl"?>
        <h:ClinicalDocument xmlns:h="urn:hl7-org:v3" xmlns:x="urn:other">
         <x:title>Another title</x:title>
         <h:title>Good <h:sub>Health</h:sub> &lt;Clinic&gt;</h:title>
         <h:title>A second title</h:title>
         <h:recordTarget><h:patientRole><h:patient>
          <h:name><h:given>Henry</h:given><h:given>Ä.</h:given><h:family>Levin</h:family></h:name>
          <h:name><h:given>Harry</h:given></h:name>
         </h:patient></h:patientRole></h:recordTarget>
         <h:author><h:assignedAuthor><h:assignedPerson><h:name>Dr. Robert Dolin</h:name>
         </h:assignedPerson></h:assignedAuthor></h:author>
         <h:custodian><h:assignedCustodian><h:representedCustodianOrganization>
          <h:name>Good Health Clinic</h:name>
         </h:representedCustodianOrganization></h:assignedCustodian></h:custodian>
        </h:ClinicalDocument>
        """

    private func sample(_ data: Data) throws -> HKCDADocumentSample {
        try HKCDADocumentSample(data: data, start: day, end: day, metadata: nil)
    }

    @Test(
        "a document has the texts of its header and its bytes, also when archived",
        .covers(
            "HKCDADocument.title", "HKCDADocument.patientName", "HKCDADocument.authorName",
            "HKCDADocument.custodianName", "HKCDADocument.documentData",
            "HKDocumentSample.documentType"))
    func header() throws {
        let data = Data(Self.letter.utf8)
        for sample in [try sample(data), try archived(try sample(data))] {
            let document = try #require(sample.document)
            #expect(document.title == "Good Health <Clinic>")
            #expect(document.patientName == "Henry Ä. Levin")
            #expect(document.authorName == "Dr. Robert Dolin")
            #expect(document.custodianName == "Good Health Clinic")
            #expect(document.documentData == data)
            #expect(sample.documentType == HKDocumentType(.CDA))
        }
    }

    @Test("a document without header texts has empty ones; an organization can be the author")
    func sparse() throws {
        let empty = try sample(Data("<ClinicalDocument xmlns=\"urn:hl7-org:v3\"/>".utf8))
        let document = try #require(empty.document)
        #expect(document.title.isEmpty && document.patientName.isEmpty)
        #expect(document.authorName.isEmpty && document.custodianName.isEmpty)
        let byClinic = try sample(
            Data(
                """
                <ClinicalDocument xmlns="urn:hl7-org:v3"><author><assignedAuthor>
                <representedOrganization><name>Clinic</name></representedOrganization>
                </assignedAuthor></author></ClinicalDocument>
                """.utf8))
        #expect(byClinic.document?.authorName == "Clinic")
    }

    @Test("documents in UTF-16, ISO 8859-1 and with a byte order mark are read")
    func encodings() throws {
        func letter(_ encoding: String) -> String {
            "<?xml version='1.0' encoding='\(encoding)'?>"
                + "<ClinicalDocument xmlns='urn:hl7-org:v3'><title>Grüße</title></ClinicalDocument>"
        }
        let latin = try #require(letter("ISO-8859-1").data(using: .isoLatin1))
        let wide = try #require(letter("UTF-16").data(using: .utf16))
        let marked = Data([0xEF, 0xBB, 0xBF] + Array(letter("utf-8").utf8))
        for data in [latin, wide, marked] {
            let sample = try sample(data)
            #expect(sample.document?.title == "Grüße")
            #expect(sample.document?.documentData == data)
            #expect(try archived(sample).document?.documentData == data)
        }
        #expect(throws: HKError.self) { try sample(Data([0xFF, 0x3C, 0x61])) }
        #expect(throws: HKError.self) { try sample(Data(letter("EBCDIC-CP-US").utf8)) }
    }

    @Test(
        "other data is refused with the fault and its place, without the text of the document",
        .covers("HKDetailedCDAValidationErrorKey"))
    func invalid() throws {
        let cases = [
            "", "Levin", "<ClinicalDocument/>", "<ClinicalDocument xmlns='urn:hl7-org:v2'/>",
            "<Document xmlns='urn:hl7-org:v3'/>",
            "<!DOCTYPE a [<!ENTITY a 'Levin'>]><ClinicalDocument xmlns='urn:hl7-org:v3'/>",
            "<ClinicalDocument xmlns='urn:hl7-org:v3'><Levin></ClinicalDocument>",
        ]
        for text in cases {
            do {
                _ = try sample(Data(text.utf8))
                Issue.record("accepted: \(text)")
            } catch let error as HKError {
                #expect(error.code == .errorInvalidArgument)
                let userInfo = (error as NSError).userInfo
                let detail = try #require(userInfo[HKDetailedCDAValidationErrorKey] as? String)
                #expect(detail.contains("byte") && !detail.contains("Levin"))
                #expect(!error.localizedDescription.contains("Levin"))
            }
        }
        let large = Data(repeating: UInt8(ascii: " "), count: ClinicalDocument.maximumByteCount + 1)
        #expect {
            try sample(large)
        } throws: { ($0 as? HKError)?.code == .errorDataSizeExceeded }
    }

    @Test("a document lasts four days at most and ends after its start")
    func duration() throws {
        let data = Data(Self.letter.utf8)
        _ = try HKCDADocumentSample(
            data: data, start: day, end: day + 4 * 86_400, metadata: ["a": "b"])
        for end in [day + 4 * 86_400 + 1, day - 1] {
            #expect {
                try HKCDADocumentSample(data: data, start: day, end: end, metadata: nil)
            } throws: { ($0 as? HKError)?.code == .errorInvalidArgument }
        }
    }

    @Test("sample queries return documents without their data, which can't be saved again")
    func withoutData() async throws {
        let store = HKHealthStore.inMemory()
        let type = HKDocumentType(.CDA)
        try await store.requestAuthorization(toShare: [type], read: [type])
        try await store.save(try sample(Data(Self.letter.utf8)))
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.sample(type: type)], sortDescriptors: [])
        let found = try #require(
            try await descriptor.result(for: store).first as? HKCDADocumentSample)
        #expect(found.document?.patientName == "Henry Ä. Levin")
        #expect(found.document?.documentData == nil)
        let copy = try archived(found)
        #expect(copy.document?.title == found.document?.title)
        #expect(copy.document?.documentData == nil)
        #expect(throws: HKError.self) { try copy.validate() }
        try await store.delete(found)
        #expect(try await descriptor.result(for: store).isEmpty)
    }

    @Test(
        "a query has what it was created with, and reports a negative limit",
        .covers(
            "HKDocumentQuery.includeDocumentData", "HKDocumentQuery.limit",
            "HKDocumentQuery.sortDescriptors"))
    func properties() async throws {
        let store = HKHealthStore.inMemory()
        let type = HKDocumentType(.CDA)
        try await store.requestAuthorization(toShare: [type], read: [type])
        let order = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
        let code: HKError.Code? = await withCheckedContinuation { continuation in
            let query = HKDocumentQuery(
                documentType: type, predicate: nil, limit: -1, sortDescriptors: [order],
                includeDocumentData: true
            ) { query, documents, isDone, error in
                #expect(query.limit == -1 && query.includeDocumentData && isDone)
                #expect(query.sortDescriptors == [order] && documents == nil)
                continuation.resume(returning: (error as? HKError)?.code)
            }
            store.execute(query)
        }
        #expect(code == .errorInvalidArgument)
    }
}
