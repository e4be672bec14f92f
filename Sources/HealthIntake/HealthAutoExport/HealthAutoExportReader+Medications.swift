import HealthEngine
import HealthStorage

// Medications and their doses.
extension HealthAutoExportReader {
    /// Adds a dose and its medication.
    ///
    /// Several doses can have the same times, source and value, so ``IntakeIdentity/content`` would
    /// take two of them for one. The identity is derived from the medication and the time that
    /// it was scheduled for, so a dose that is logged later replaces its reminder.
    ///
    /// The words of the record are kept as metadata: a status can be localized, and a medication
    /// can be renamed later.
    func addMedication(_ record: JSONValue, to pages: inout IntakePages) {
        guard let type = Catalogue.type(named: "medicationDoseEvent"),
            let span = span(of: record, keptAs: record, &pages)
        else { return }
        var metadata = HealthAutoExportReader.metadata(
            ["displayText", "nickname", "form", "status", "isArchived", "codings"], of: record)
        metadata.merge(HealthAutoExportReader.metadataEntries(of: record)) { own, _ in own }
        var scheduled: Double?
        if let sent = record["scheduledDate"] {
            guard let time = date(sent)?.seconds else {
                return pages.reject(.date, field: "scheduledDate", record)
            }
            scheduled = time
            metadata[HealthAutoExportReader.key("scheduledDate")] = .date(time)
        }
        let medication = HealthAutoExportReader.medication(of: record, scheduled: scheduled)
        var sample = sample(type, span, source: record["source"], metadata: metadata)
        sample.identity = .healthKit(
            HealthAutoExportReader.uuid(of: [
                record["displayText"]?.string ?? "", record["codings"]?.text ?? "",
                "\(scheduled ?? span.start)",
            ]))
        sample.detail = .medicationDose(
            MedicationDose(
                medication: medication.identifier,
                scheduleType: scheduled == nil
                    ? MedicationDose.asNeeded : MedicationDose.bySchedule,
                status: record["status"]?.string.flatMap(MedicationDose.status(named:)),
                amount: record["dosage"]?.number, scheduled: scheduled))
        pages.add(sample)
        if !medication.displayText.isEmpty { pages.add(medication) }
    }

    private static func medication(of record: JSONValue, scheduled: Double?) -> Medication {
        var medication = Medication(
            displayText: record["displayText"]?.string ?? "",
            codings: (record["codings"]?.array ?? []).compactMap(coding),
            nickname: record["nickname"]?.string.flatMap { $0.isEmpty ? nil : $0 })
        if let form = record["form"]?.string.map(folded), forms.contains(form) {
            medication.generalForm = form
        }
        medication.isArchived = record["isArchived"]?.bool
        medication.hasSchedule = scheduled != nil
        return medication
    }

    private static func coding(_ json: JSONValue) -> MedicationCoding? {
        guard let code = json["code"]?.string, let system = json["system"]?.string else {
            return nil
        }
        return MedicationCoding(
            system: MedicationCoding.system(named: system), version: json["version"]?.string,
            code: code)
    }

    /// HealthKit's general forms. Other words stay in the metadata.
    private static let forms: Set<String> = [
        "capsule", "cream", "device", "drops", "foam", "gel", "inhaler", "injection", "liquid",
        "lotion", "ointment", "patch", "powder", "spray", "suppository", "tablet", "topical",
    ]

    /// Returns a UUID of version 8 (RFC 9562) that depends on texts only. HealthKit's are of
    /// version 4, so none is equal.
    static func uuid(of texts: [String]) -> SampleUUID {
        func hash(_ salt: String) -> UInt64 {
            var hash = FNV1a()
            hash.add(delimited: salt)
            for text in texts { hash.add(delimited: text) }
            return hash.value
        }
        let (high, low) = (hash("healthautoexport high"), hash("healthautoexport low"))
        return SampleUUID(
            high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
            low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }
}
