import Foundation
import HealthKit
import HealthTesting
import OpenHealthKit
import Testing

/// Documents in CDA, with code in the manner of apps.
@Suite struct LetterBoxTests {
    private let box = LetterBox(healthStore: .inMemory())
    private let day = Date(timeIntervalSinceReferenceDate: 8e8)

    private func letter(_ title: String) -> Data {
        Data(
            """
            <?xml version="1.0"?>
            <ClinicalDocument xmlns="urn:hl7-org:v3"><title>\(title)</title>
            <recordTarget><patientRole><patient><name><given>Henry</given><family>Levin</family>
            </name></patient></patientRole></recordTarget></ClinicalDocument>
            """.utf8)
    }

    @Test(
        "a letter is saved, and read with and without its data",
        .covers(
            "HKCDADocument", "HKCDADocument.documentData", "HKCDADocument.title",
            "HKCDADocumentSample", "HKCDADocumentSample.document",
            "HKCDADocumentSample.init(data:start:end:metadata:)", "HKDocumentQuery",
            "HKDocumentQuery.init(documentType:predicate:limit:sortDescriptors:includeDocumentData:resultsHandler:)",
            "HKDocumentSample", "HKDocumentType.init(_:)"))
    func saved() async throws {
        try await box.authorize()
        let letter = letter("Discharge &amp; thanks")
        try await box.save(letter, on: day)
        let with = try await box.letters(withData: true)
        #expect(with.titles == ["Discharge & thanks"] && with.sizes == [letter.count])
        let without = try await box.letters(withData: false)
        #expect(without.titles == with.titles && without.sizes == [nil])
        #expect(without.pages == 1)
    }

    @Test("letters come in pages, also none; a predicate and a limit apply")
    func pages() async throws {
        try await box.authorize()
        #expect(try await box.letters(withData: true).pages == 1)
        for number in 0..<40 {
            try await box.save(letter("Letter \(number)"), on: day + Double(number))
        }
        let all = try await box.letters(withData: true)
        #expect(all.titles == (0..<40).map { "Letter \($0)" } && all.pages > 1)
        #expect(try await box.letters(withData: false, limit: 3).titles.count == 3)
        let ofOne = NSPredicate(format: "%K == %@", HKPredicateKeyPathCDATitle, "Letter 7")
        #expect(try await box.letters(withData: false, matching: ofOne).titles == ["Letter 7"])
        let ofPerson = NSPredicate(
            format: "%K CONTAINS[c] %@", HKPredicateKeyPathCDAPatientName, "levin")
        #expect(try await box.letters(withData: false, matching: ofPerson).titles.count == 40)
    }

    @Test("XML that is no CDA document is refused with its fault")
    func refused() async throws {
        try await box.authorize()
        do {
            try await box.save(Data("<ClinicalDocument><title>".utf8), on: day)
            Issue.record("accepted")
        } catch let error as HKError {
            #expect(error.code == .errorInvalidArgument)
            let userInfo = (error as NSError).userInfo
            #expect(userInfo[HKDetailedCDAValidationErrorKey] as? String != nil)
        }
        #expect(try await box.letters(withData: true).titles.isEmpty)
    }
}
