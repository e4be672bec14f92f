import SwiftSyntax

/// The modules that each target may import. To these, HealthEngine adds ``mathModules``, and every
/// other target adds ``standardModules``. Targets import only targets of lower layers.
let allowedImports: [String: Set<String>] = [
    "HealthEngine": [],
    "HealthCalendar": ["HealthEngine"],
    "HealthStorage": ["CSQLiteSettings", "HealthCalendar", "HealthEngine", "GRDB", "GRDBSQLite"],
    "HealthArchive": ["HealthCalendar", "HealthEngine", "HealthStorage", "CZlib"],
    "HealthFormats": ["HealthCalendar", "HealthEngine", "HealthStorage", "CZlib"],
    "HealthIntake": ["HealthCalendar", "HealthEngine", "HealthStorage"],
    "FoundationGaps": [],
    "OpenHealthKit": [
        "CoreLocation", "FoundationGaps", "HealthCalendar", "HealthEngine", "HealthStorage",
        // Where it exists, for the types of attachments.
        "UniformTypeIdentifiers",
    ],
    "HealthKit": ["OpenHealthKit"],
    // CoreLocation is imported only where it exists, for the locations of routes.
    "HealthSync": [
        "CoreLocation", "GRDB", "HealthCalendar", "HealthEngine",
        "HealthKit", "OpenHealthKit",
    ],
    // CoreLocation is imported only where it exists, for the locations of routes.
    "HealthDashboard": [
        "CoreLocation", "HealthCalendar", "HealthEngine", "HealthKit", "OpenHealthKit",
    ],
    "HealthSimulator": ["HealthEngine", "OpenHealthKit"],
    "HealthAssistant": ["HealthDashboard", "HealthStorage"],
    "HealthPeople": ["CPostgreSQL", "Crypto", "CZlib", "GRDB", "HealthEngine", "HealthStorage"],
    "HealthServer": [
        "HealthArchive", "HealthCalendar", "HealthDashboard", "HealthEngine", "HealthIntake",
        "HealthPeople", "HealthStorage", "HealthSync", "OpenHealthKit", "Hummingbird",
        "HummingbirdCore",
        "HummingbirdTLS", "HTTPTypes", "Logging", "NIOCore", "NIOHTTPTypes", "NIOSSL",
        "ServiceLifecycle",
    ],
    "openhealth": [
        "ArgumentParser", "Crypto", "CryptoExtras", "HealthArchive", "HealthAssistant",
        "HealthCalendar", "HealthDashboard", "HealthEngine", "HealthFormats", "HealthIntake",
        "HealthPeople", "HealthServer", "HealthSimulator", "HealthStorage", "HealthSync",
        "OpenHealthKit",
    ],
]

/// The modules of the C library, for its mathematical functions. HealthEngine may import no others.
let mathModules: Set<String> = ["Darwin", "Glibc", "Musl"]

/// The modules that all targets except HealthEngine may import.
let standardModules = mathModules.union([
    "Dispatch", "Foundation", "Observation", "Synchronization",
])

extension SourceFile {
    /// Imports of modules that the target may not import. A target without a row in
    /// ``allowedImports`` is itself a violation.
    var forbiddenImports: [Violation] {
        guard let target else { return [] }
        guard var allowed = allowedImports[target] else {
            return [violation("the target \(target) is not in the table of targets", atLine: 1)]
        }
        allowed.formUnion(target == "HealthEngine" ? mathModules : standardModules)
        return all(ImportDeclSyntax.self).compactMap { declaration in
            guard let module = declaration.path.first?.name.text, !allowed.contains(module)
            else { return nil }
            return violation("\(target) may not import \(module)", at: declaration)
        }
    }
}
