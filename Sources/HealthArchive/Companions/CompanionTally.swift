import HealthStorage

/// What became of the route files that an export's workouts name.
public struct RouteTally: Sendable, Hashable {
    /// A route file that was left out, and why.
    public struct Fault: Sendable, Hashable {
        public var file: String
        public var reason: String
    }

    /// How many were read.
    public internal(set) var files = 0
    /// How many points they have.
    public internal(set) var points = 0
    /// Points without a time or a place on Earth, and pieces that are no markup.
    public internal(set) var pointsLeftOut = 0
    /// How many the export lacks.
    public internal(set) var missing = 0
    /// The first of them by name: up to twenty.
    public internal(set) var missingFiles: [String] = []
    /// How many were left out.
    public internal(set) var quarantined = 0
    /// The first of them: up to twenty.
    public internal(set) var faults: [Fault] = []

    private static let mostNames = 20
    private static let longestName = 256

    /// Notes a file that isn't there.
    mutating func miss(_ path: String) {
        missing += 1
        if missingFiles.count < RouteTally.mostNames {
            missingFiles.append(String(path.prefix(RouteTally.longestName)))
        }
    }

    mutating func quarantine(_ path: String, _ reason: String) {
        quarantined += 1
        if faults.count < RouteTally.mostNames {
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
