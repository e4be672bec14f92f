import HealthEngine

/// The attributes of a `VisionPrescription` element.
struct PrescriptionHeading {
    /// The date of issue as start and end, and the creation date of an element that has one.
    var times: SampleTimes
    /// The prescription without its lenses.
    var prescription: VisionPrescription
    /// The `type` attribute; nil if it is missing.
    private let typeName: String?

    static func read(
        _ tag: ElementScanner.Tag, _ dates: inout CachedDateParser
    ) -> Result<PrescriptionHeading, ExportReader.RecordFault> {
        do throws(ExportReader.RecordFault) {
            let expiration = try date(tag, "expirationDate", &dates)
            let created = try date(tag, "creationDate", &dates)
            var issued = try date(tag, "dateIssued", &dates)
            if issued == nil { issued = try date(tag, "startDate", &dates) }
            guard let issued else { return .failure(.badDate) }
            return .success(
                PrescriptionHeading(
                    times: SampleTimes(start: issued, end: issued, created: created ?? .nan),
                    prescription: VisionPrescription(
                        type: VisionPrescription.glasses, expiration: expiration,
                        brand: tag.string("brand")),
                    typeName: tag.string("type")))
        } catch {
            return .failure(error)
        }
    }

    /// Returns a date; nil if it is missing. A day without a time begins in UTC, because the file
    /// doesn't say where.
    private static func date(
        _ tag: ElementScanner.Tag, _ name: StaticString, _ dates: inout CachedDateParser
    ) throws(ExportReader.RecordFault) -> Double? {
        guard let text = tag.attributes.first(where: { $0.name.equals(name) }) else { return nil }
        guard let seconds = dates.seconds(text.value) ?? ExportReader.day(text.string) else {
            throw .badDate
        }
        guard abs(seconds) < SampleTimes.limit else { throw .impossibleDate }
        return seconds
    }

    /// Returns the attributes without those that a heading reads.
    func others(_ attributes: RecordAttributes) -> RecordAttributes {
        var attributes = attributes
        attributes.others.removeAll {
            $0.name.equals("dateIssued") || $0.name.equals("expirationDate")
                || $0.name.equals("brand")
        }
        return attributes
    }

    /// Sets the type by its name: "HKVisionPrescriptionTypeGlasses", "glasses" or "1". The type's
    /// own identifier says nothing, and another name is kept. Then the type follows from the lenses:
    /// only contact lenses have a brand, a base curve or a diameter.
    func setType(of prescription: inout VisionPrescription) {
        switch typeName.map(PrescriptionHeading.shortName) {
        case "glasses", "1": prescription.type = VisionPrescription.glasses
        case "contacts", "2": prescription.type = VisionPrescription.contacts
        case let name:
            let isContacts = prescription.brand != nil || prescription.hasContactMeasures
            prescription.type =
                isContacts ? VisionPrescription.contacts : VisionPrescription.glasses
            prescription.unknownTypeName = name == "" ? nil : typeName ?? "(none)"
        }
    }

    private static func shortName(_ name: String) -> String {
        var name = name[...]
        for prefix in ["HKVisionPrescriptionType", "Identifier"] where name.hasPrefix(prefix) {
            name = name.dropFirst(prefix.count)
        }
        return name.lowercased()
    }
}
