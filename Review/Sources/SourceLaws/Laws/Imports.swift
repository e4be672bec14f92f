import SwiftSyntax

/// The modules that each target may import, in addition to ``standardModules``. Dependencies point
/// down, and targets of one layer don't import each other.
let allowedImports: [String: Set<String>] = [
    "HealthEngine": [],
    "HealthCalendar": ["HealthEngine"],
    "HealthStorage": ["CSQLiteSettings", "HealthCalendar", "HealthEngine", "GRDB", "GRDBSQLite"],
    "HealthArchive": ["HealthCalendar", "HealthEngine", "HealthStorage", "CZlib"],
    "FoundationGaps": [],
    // CoreLocation only on Apple platforms, for the locations of routes.
    "OpenHealthKit": [
        "CoreLocation", "FoundationGaps", "HealthCalendar", "HealthEngine", "HealthStorage",
    ],
    "HealthKit": ["OpenHealthKit"],
    "HealthSync": ["GRDB", "HealthCalendar", "HealthEngine", "HealthKit", "OpenHealthKit"],
    "HealthDashboard": [
        "CoreLocation", "HealthCalendar", "HealthEngine", "HealthKit", "OpenHealthKit",
    ],
    "HealthSimulator": ["HealthEngine", "OpenHealthKit"],
    "HealthServer": [
        "HealthArchive", "HealthCalendar", "HealthDashboard", "HealthEngine", "HealthStorage",
        "HealthSync", "OpenHealthKit", "Hummingbird", "HummingbirdCore", "HTTPTypes", "Logging",
        "NIOCore", "NIOHTTPTypes", "ServiceLifecycle",
    ],
    "openhealth": [
        "ArgumentParser", "HealthArchive", "HealthCalendar", "HealthDashboard", "HealthEngine",
        "HealthServer", "HealthSimulator", "HealthStorage", "HealthSync", "OpenHealthKit",
    ],
]

/// C's math modules, the only ones that the engine may import.
let mathModules: Set<String> = ["Darwin", "Glibc", "Musl"]

/// The modules that every other target may import.
let standardModules = mathModules.union([
    "Dispatch", "Foundation", "Observation", "Synchronization",
])

extension SourceFile {
    /// Imports that the target's row in ``allowedImports`` doesn't list.
    var forbiddenImports: [Breach] {
        guard let room else { return [] }
        guard var allowed = allowedImports[room] else {
            return [breach("the room \(room) is not in the table of rooms", atLine: 1)]
        }
        allowed.formUnion(room == "HealthEngine" ? mathModules : standardModules)
        return all(ImportDeclSyntax.self).compactMap { declaration in
            guard let module = declaration.path.first?.name.text, !allowed.contains(module)
            else { return nil }
            return breach("\(room) may not import \(module)", at: declaration)
        }
    }
}
