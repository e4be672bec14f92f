internal import HealthEngine

/// The names of the files of clinical records, which are unique in an export.
struct ClinicalRecordNames {
    static let folder = "clinical-records/"

    private static let maximumLength = 200

    /// The paths of the files so far, below the folder of the export.
    private(set) var paths: Set<String> = []
    /// The next number to try for names that occurred before.
    private var nextNumbers: [String: Int] = [:]

    /// Returns a new name for the file of a record: that of the export which contained it, if it is
    /// still free.
    mutating func name(of record: ClinicalRecord) -> String {
        let own = record.file?.split(separator: "/").last.map(String.init) ?? ""
        let wanted = ClinicalRecordNames.isUsable(own) ? own : record.resourceType + ".json"
        let stem = wanted.hasSuffix(".json") ? String(wanted.dropLast(5)) : wanted
        let suffix = wanted.hasSuffix(".json") ? ".json" : ""
        var name = ClinicalRecordNames.isUsable(wanted) ? wanted : "record.json"
        var number = nextNumbers[wanted] ?? 2
        while !paths.insert(ClinicalRecordNames.folder + name).inserted {
            name = "\(stem)_\(number)\(suffix)"
            number += 1
        }
        nextNumbers[wanted] = number
        return name
    }

    private static func isUsable(_ name: String) -> Bool {
        !name.contains("/") && name.utf8.count <= maximumLength && ZipEntry.isSafe(name)
            && name.unicodeScalars.allSatisfy { $0.value >= 32 }
    }
}

extension ExportWriter {
    /// Writes a clinical record as an element, and its resource as a file.
    ///
    /// The type is the resource's, as Apple writes it. If that doesn't determine the clinical type,
    /// it is the identifier of the clinical type.
    mutating func write(
        _ record: ClinicalRecord, of sample: Sample, _ type: SampleType,
        _ fragments: borrowing ExportFragments
    ) throws(Failure) {
        guard let recordSink else { return }
        let own = record.file?.split(separator: "/").last.map(String.init)
        let name = recordNames.name(of: record)
        if let own, own != name { tally.renamedFiles.append(own) }
        let heading = FHIRHeading(record.resource)
        let isDerived =
            heading?.clinicalType == type.identifier
            && heading?.resourceType == record.resourceType
        count(ClinicalRecordElement.name)
        text.append(" <ClinicalRecord")
        text.attribute("type", isDerived ? record.resourceType : type.identifier)
        text.attribute("identifier", record.identifier)
        text.attribute("sourceName", fragments.sourceName(of: sample))
        text.attribute("sourceURL", record.sourceURL ?? "")
        text.attribute("fhirVersion", record.fhirVersion)
        text.attribute("receivedDate", date: sample.start)
        text.attribute("resourceFilePath", "/" + ClinicalRecordNames.folder + name)
        text.append("/>\n")
        var bytes = Array(record.resource.utf8)
        var failure: Failure?
        bytes.withUnsafeMutableBytes { buffer in
            do throws(Failure) {
                try recordSink(name, UnsafeRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
