import HealthEngine
import Testing

@Suite struct MedicationTests {
    @Test("a name has one identifier, whatever its case and white space, on every machine")
    func identifiers() {
        let identifier = Medication(displayText: "Aspirin 100 mg").identifier
        #expect(Medication(displayText: " aspirin  100 MG\n").identifier == identifier)
        #expect(Medication(displayText: "Aspirin 10 mg").identifier != identifier)
        let text = Array(identifier)
        #expect(text[14] == "8" && "89AB".contains(text[19]))
        #expect(Medication.identifier(displayText: "") == Medication.identifier(displayText: " "))
        #expect(identifier == "3672269D-B5F7-8A97-BC84-85A3B27D61BD")
    }

    @Test("statuses are found by HealthKit's names in any spelling")
    func statuses() {
        let words = [
            "Not Interacted", "Notification Not Sent", "snoozed", "TAKEN", "skipped", "not_logged",
        ]
        #expect(words.map(MedicationDose.status(named:)) == [1, 2, 3, 4, 5, 6])
        #expect(MedicationDose.status(named: "Genommen") == nil)
        let names = (0...7).map { MedicationDose(medication: "", status: $0).statusName }
        #expect(
            names == [
                nil, "notInteracted", "notificationNotSent", "snoozed", "taken", "skipped",
                "notLogged", nil,
            ])
    }

    @Test("words for coding systems become their URLs, others stay")
    func systems() {
        #expect(MedicationCoding.system(named: "RxNorm") == MedicationCoding.rxNorm)
        #expect(MedicationCoding.system(named: "SNOMED CT") == MedicationCoding.snomedCT)
        #expect(MedicationCoding.system(named: "urn:oid:1.2") == "urn:oid:1.2")
    }

    @Test("numbers that earlier versions stored are a dose of the medication in the metadata")
    func earlierForm() {
        let metadata: [String: MetadataValue] = [
            "healthautoexport.displayText": .string("Aspirin"),
            "healthautoexport.scheduledDate": .date(60),
        ]
        let dose = MedicationDose(.numbers(["logStatus": [4], "dosage": [1.5]])) { metadata[$0] }
        #expect(
            dose
                == MedicationDose(
                    medication: Medication.identifier(displayText: "Aspirin"), scheduleType: 2,
                    status: 4, amount: 1.5, scheduled: 60))
        #expect(MedicationDose(nil) { _ in nil }?.status == nil)
        #expect(MedicationDose(.route([])) { _ in nil } == nil)
    }
}
