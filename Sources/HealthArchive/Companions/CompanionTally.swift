import HealthEngine
import HealthStorage

/// The result of importing the files beside an export's records, except workout routes.
public struct CompanionTally: Sendable, Hashable {
    /// A quarantined file and the reason.
    public struct Fault: Sendable, Hashable {
        /// The file's path in the export.
        public var file: String
        /// Why the file was quarantined.
        public var reason: String
    }

    /// The number of files added to the store, by raw value of `SnapshotWriter.CompanionKind`.
    public internal(set) var new: [String: Int] = [:]
    /// The number of files that the store already had, by raw value of
    /// `SnapshotWriter.CompanionKind`.
    public internal(set) var known: [String: Int] = [:]
    /// The number of files that have replaced stored ones of the same recording, by raw value of
    /// `SnapshotWriter.CompanionKind`.
    public internal(set) var changed: [String: Int] = [:]
    /// The number of files that differ from stored ones of the same recording, which stay, by raw
    /// value of `SnapshotWriter.CompanionKind`.
    public internal(set) var outdone: [String: Int] = [:]
    /// The number of quarantined files.
    public internal(set) var quarantined = 0
    /// The first twenty quarantined files.
    public internal(set) var faults: [Fault] = []
    /// The number of clinical documents, normally one `export_cda.xml`. They repeat parts of the
    /// export and aren't imported.
    public internal(set) var clinicalDocuments = 0

    /// The number of electrocardiograms of the export that are samples.
    public internal(set) var electrocardiograms = 0
    /// The number of electrocardiograms that are kept as files and are no samples, by reason.
    public internal(set) var unreadElectrocardiograms: [String: Int] = [:]
    /// The number of voltages of the samples that can't be read. Each is kept as no value.
    public internal(set) var unreadableVoltages = 0
    /// The number of electrocardiograms with a classification whose words aren't known. Their
    /// samples have the classification "not recognized" and the words as metadata.
    public internal(set) var unknownClassifications = 0

    /// The number of clinical records of the export that are samples.
    public internal(set) var clinicalRecords = 0
    /// The number of clinical records by the reason why they are kept as text and not as samples.
    public internal(set) var unreadClinicalRecords: [String: Int] = [:]
    /// The number of attachments that no sample names. They are kept as files only.
    public internal(set) var unnamedAttachments = 0

    private static let maximumNames = 20

    /// Counts a file that isn't quarantined.
    mutating func count(
        _ outcome: SnapshotWriter.FileOutcome, _ kind: SnapshotWriter.CompanionKind
    ) {
        switch outcome {
        case .new: new[kind.rawValue, default: 0] += 1
        case .known: known[kind.rawValue, default: 0] += 1
        case .changed: changed[kind.rawValue, default: 0] += 1
        case .outdone: outdone[kind.rawValue, default: 0] += 1
        }
    }

    /// Counts an electrocardiogram that is no sample.
    mutating func count(_ fault: ElectrocardiogramReading.Fault) {
        unreadElectrocardiograms[fault.rawValue, default: 0] += 1
    }

    mutating func quarantine(_ path: String, _ reason: String) {
        quarantined += 1
        if faults.count < CompanionTally.maximumNames {
            faults.append(Fault(file: path, reason: reason))
        }
    }
}

extension CompanionTally {
    var json: JSONText {
        .object([
            "new": .counts(new), "known": .counts(known),
            "changed": changed.isEmpty ? nil : .counts(changed),
            "outdone": outdone.isEmpty ? nil : .counts(outdone),
            "quarantined": .integer(quarantined),
            "faults": .array(
                faults.map {
                    .object(["file": .string($0.file), "reason": .string($0.reason)])
                }),
            "clinicalDocuments": .integer(clinicalDocuments),
            "electrocardiograms": electrocardiograms > 0 ? .integer(electrocardiograms) : nil,
            "unreadElectrocardiograms": unreadElectrocardiograms.isEmpty
                ? nil : .counts(unreadElectrocardiograms),
            "unreadableVoltages": unreadableVoltages > 0 ? .integer(unreadableVoltages) : nil,
            "clinicalRecords": clinicalRecords > 0 ? .integer(clinicalRecords) : nil,
            "unreadClinicalRecords": unreadClinicalRecords.isEmpty
                ? nil : .counts(unreadClinicalRecords),
            "unknownClassifications": unknownClassifications > 0
                ? .integer(unknownClassifications) : nil,
            "unnamedAttachments": unnamedAttachments > 0 ? .integer(unnamedAttachments) : nil,
        ])
    }
}

/// The result of importing the route files that an export's workouts reference.
public struct RouteTally: Sendable, Hashable {
    /// A quarantined route file and the reason.
    public struct Fault: Sendable, Hashable {
        /// The file's path in the export.
        public var file: String
        /// Why the file was quarantined.
        public var reason: String
    }

    /// The number of references to route files that were read. A file that two routes reference
    /// counts twice, here and below.
    public internal(set) var files = 0
    /// The number of valid points in these files.
    public internal(set) var points = 0
    /// The number of skipped points in these files (no valid time or position) and of skipped
    /// fragments that are not well-formed.
    public internal(set) var pointsLeftOut = 0
    /// The number of references to files that the export lacks.
    public internal(set) var missing = 0
    /// The paths of the first twenty missing files as referenced, each truncated to 256 characters.
    public internal(set) var missingFiles: [String] = []
    /// The number of quarantined files.
    public internal(set) var quarantined = 0
    /// The first twenty quarantined files.
    public internal(set) var faults: [Fault] = []

    private static let maximumNames = 20
    private static let maximumNameLength = 256

    /// Counts a reference to a missing file.
    mutating func countMissing(_ path: String) {
        missing += 1
        if missingFiles.count < RouteTally.maximumNames {
            missingFiles.append(String(path.prefix(RouteTally.maximumNameLength)))
        }
    }

    mutating func quarantine(_ path: String, _ reason: String) {
        quarantined += 1
        if faults.count < RouteTally.maximumNames {
            faults.append(Fault(file: path, reason: reason))
        }
    }
}

extension RouteTally {
    var json: JSONText {
        .object([
            "files": .integer(files), "points": .integer(points),
            "pointsLeftOut": .integer(pointsLeftOut), "missing": .integer(missing),
            "missingFiles": .array(missingFiles.map(JSONText.string)),
            "quarantined": .integer(quarantined),
            "faults": .array(
                faults.map {
                    .object(["file": .string($0.file), "reason": .string($0.reason)])
                }),
        ])
    }
}
