import Foundation
import HealthDashboard
import HealthEngine
import HealthStorage
import Testing

@testable import HealthServer

/// Electrocardiograms and medications, which are counted by name.
@Suite struct ReportEventTests {
    @Test("electrocardiograms are counted by classification, one that is also a file once")
    func electrocardiograms() async throws {
        let store = try ReportStore()
        store.addElectrocardiogram(1, 8, classification: "Sinus Rhythm")
        store.addElectrocardiogram(2, 8, classification: "Sinusrhythmus")
        store.addElectrocardiogram(3, 8, classification: "")
        try store.add(
            "electrocardiogram", 1, 8, hours: 0.01, detail: .numbers(["classification": [1]]))
        try store.add(
            "electrocardiogram", 5, 8, hours: 0.01, detail: .numbers(["classification": [2]]))
        try store.add(
            "electrocardiogram", 6, 8, hours: 0.01,
            metadata: ["healthautoexport.classification": .string("Sinus Rhythm")])
        try store.write()
        let page = try await store.page()
        let section = try #require(page.sections.first)
        #expect(
            section.counts == [
                .init(name: "Sinus Rhythm", count: 2), .init(name: "Atrial Fibrillation", count: 1),
                .init(name: "Sinusrhythmus", count: 1), .init(name: nil, count: 1),
            ])
        #expect(section.days == 5 && section.gaps.isEmpty)
        #expect(section.sources == ["files of an Apple Health export", "Watch"])
        let recorded = try page.value("Recorded", of: .electrocardiograms)
        #expect(recorded == "5 ECGs, as classified by the device or app that recorded them")
        #expect(try page.value("Sinus Rhythm", of: .electrocardiograms) == "2")
        #expect(try page.value("Classification not readable", of: .electrocardiograms) == "1")
    }

    @Test("doses are counted by medication, with those taken and skipped as far as it is known")
    func medications() async throws {
        let store = try ReportStore()
        for day in 0..<8 {
            try store.add(
                "medicationDoseEvent", day, 8, source: "Health",
                metadata: [
                    "healthautoexport.displayText": .string("Metformin 500 mg"),
                    "healthautoexport.nickname": .string(day == 0 ? " " : "Metformin"),
                ], detail: .numbers(["logStatus": [day == 3 ? 5 : 4]]))
        }
        try store.add("medicationDoseEvent", 8, 9, source: "Health")
        try store.write()
        let page = try await store.page()
        let section = try #require(page.sections.first)
        #expect(
            section.counts == [
                .init(name: "Metformin", count: 7, taken: 6, skipped: 1),
                .init(name: "Metformin 500 mg", count: 1, taken: 1, skipped: 0),
                .init(name: nil, count: 1, taken: 0, skipped: 0),
            ])
        #expect(try page.value("Recorded", of: .medications) == "9 doses")
        #expect(try page.value("Metformin", of: .medications) == "7 doses: 6 taken, 1 skipped")
        #expect(try page.value("Medication not named", of: .medications) == "1 dose")
        #expect(
            section.gaps == [.init(first: CivilDate(2024, 3, 10), last: CivilDate(2024, 3, 30))])
    }
}
