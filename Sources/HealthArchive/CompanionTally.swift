import HealthStorage

/// What became of the files beside an export's records, other than its workout routes.
public struct CompanionTally: Sendable, Hashable {
    /// A file that was left out, and why.
    public struct Fault: Sendable, Hashable {
        public var file: String
        public var reason: String
    }

    /// Files that came into the store, by kind.
    public internal(set) var new: [String: Int] = [:]
    /// Files that the store had, by kind.
    public internal(set) var known: [String: Int] = [:]
    /// How many were left out for a fault.
    public internal(set) var quarantined = 0
    /// The first of them: up to twenty.
    public internal(set) var faults: [Fault] = []
    /// Clinical documents (`export_cda.xml`), left out on purpose: they repeat what the export says.
    public internal(set) var clinicalDocuments = 0

    private static let mostNames = 20

    mutating func quarantine(_ path: String, _ reason: String) {
        quarantined += 1
        if faults.count < CompanionTally.mostNames {
            faults.append(Fault(file: path, reason: reason))
        }
    }
}

extension CompanionTally {
    var json: JSONText {
        .object([
            "new": .counts(new), "known": .counts(known), "quarantined": .integer(quarantined),
            "faults": .array(
                faults.map {
                    .object(["file": .string($0.file), "reason": .string($0.reason)])
                }),
            "clinicalDocuments": .integer(clinicalDocuments),
        ])
    }
}
