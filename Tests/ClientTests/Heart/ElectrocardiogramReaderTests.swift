import Foundation
import HealthKit
import Testing

/// Electrocardiograms of an import, with code in the manner of apps.
@Suite struct ElectrocardiogramReaderTests {
    private let person: ImportedElectrocardiograms
    private let reader: ElectrocardiogramReader

    private static let english = """
        Name,Jane Doe
        Date of Birth,"Jan 8, 2002"
        Recorded Date,2026-05-30 16:32:18 -0700
        Classification,Sinus Rhythm
        Symptoms,
        Software Version,1.90
        Device,"Watch7,12"
        Sample Rate,512 hertz


        Lead,Lead I
        Unit,µV

        -265.868
        12.5
        0
        1000.125

        """
    private static let french = """
        Nom,Jane Doe
        Date de naissance,8 janv. 2002
        Date d’enregistrement,2026-05-31 08:00:00 +0200
        Classification,Fibrillation auriculaire
        Symptômes,Palpitations
        Version du logiciel,2
        Appareil,"Watch6,1"
        Fréquence d’échantillonnage,"511,5\u{A0}hertz"
        Fréquence cardiaque moyenne,"97 bpm"


        Dérivation,Dérivation I
        Unité,mV

        -0,25
        1,5

        """

    init() throws {
        person = try ImportedElectrocardiograms([Self.english, Self.french])
        reader = ElectrocardiogramReader(healthStore: person.store)
    }

    @Test("imported electrocardiograms have their findings, rate and source")
    func findings() async throws {
        try await reader.authorize()
        let found = try await reader.all()
        let first = "Atrial fibrillation, 97 BPM, with symptoms"
        #expect(found.map(reader.title) == [first, "Sinus rhythm"])
        #expect(found.map(\.numberOfVoltageMeasurements) == [2, 4])
        #expect(found.map { $0.samplingFrequency?.doubleValue(for: .hertz()) } == [511.5, 512])
        let last = try #require(found.last)
        #expect(last.startDate == Date(timeIntervalSinceReferenceDate: 801_876_738))
        #expect(last.endDate == last.startDate.addingTimeInterval(4 / 512))
        #expect(last.sourceRevision.productType == "Watch7,12")
        #expect(last.sourceRevision.version == "1.90")
        #expect(last.device?.hardwareVersion == "Watch7,12")
    }

    @Test("their voltages come back as they are in the file, by both kinds of queries")
    func voltages() async throws {
        try await reader.authorize()
        let found = try await reader.all()
        let last = try #require(found.last)
        #expect(try await reader.microvolts(of: last) == [-265.868, 12.5, 0, 1000.125])
        #expect(
            try await reader.curve(of: last).times == [0, 1 / 512, 2 / 512, 3 / 512])
        let first = try #require(found.first)
        #expect(try await reader.microvolts(of: first) == [-250, 1500])
        #expect(try await reader.curve(of: first).voltages == [-0.25, 1.5])
    }

    @Test("predicates select by classification and symptoms; anchors return each once")
    func selection() async throws {
        try await reader.authorize()
        let fibrillation = HKQuery.predicateForElectrocardiograms(
            classification: .atrialFibrillation)
        #expect(try await reader.all(matching: fibrillation).count == 1)
        let none = HKQuery.predicateForElectrocardiograms(classification: .inconclusiveOther)
        #expect(try await reader.all(matching: none).isEmpty)
        let present = HKQuery.predicateForElectrocardiograms(symptomsStatus: .present)
        #expect(try await reader.all(matching: present).map(\.classification.rawValue) == [2])
        let first = try await reader.new(since: nil)
        #expect(first.found.count == 2)
        #expect(try await reader.new(since: first.anchor).found.isEmpty)
    }

    @Test("an app can neither ask to save electrocardiograms nor save one")
    func saving() async throws {
        try await reader.authorize()
        await #expect {
            try await person.store.requestAuthorization(
                toShare: [.electrocardiogramType()], read: [])
        } throws: { ($0 as? HKError)?.code == .errorInvalidArgument }
        let found = try #require(try await reader.all().first)
        await #expect(throws: HKError.self) { try await person.store.save(found) }
    }
}
