/// Which modules each room may import, beside ``standardModules``: the house's arrows.
/// They point down only, and siblings don't know each other.
let allowedImports: [String: Set<String>] = [
    "HealthEngine": [],
    "HealthStorage": ["CSQLiteSettings", "HealthEngine", "GRDB", "GRDBSQLite"],
    "HealthArchive": ["HealthEngine", "HealthStorage", "CZlib"],
    // CoreLocation only where Apple has one: the routes' locations are its own there.
    "OpenHealthKit": ["CoreLocation", "HealthEngine", "HealthStorage"],
    "HealthKit": ["OpenHealthKit"],
    "HealthSync": ["GRDB", "HealthKit", "OpenHealthKit"],
    "HealthDashboard": ["CoreLocation", "HealthEngine", "HealthKit", "OpenHealthKit"],
    "HealthSimulator": ["HealthEngine", "HealthStorage", "OpenHealthKit"],
    "HealthServer": [
        "HealthArchive", "HealthDashboard", "HealthEngine", "HealthStorage", "HealthSync",
        "OpenHealthKit", "Hummingbird", "HummingbirdCore", "HTTPTypes", "Logging", "NIOCore",
        "NIOHTTPTypes", "ServiceLifecycle",
    ],
    "openhealth": [
        "ArgumentParser", "HealthArchive", "HealthDashboard", "HealthEngine", "HealthServer",
        "HealthSimulator", "HealthStorage", "HealthSync", "OpenHealthKit",
    ],
]

/// C's maths, all that the engine may know of the world.
let mathModules: Set<String> = ["Darwin", "Glibc", "Musl"]

/// What every other room may import.
let standardModules = mathModules.union([
    "Dispatch", "Foundation", "Observation", "Synchronization",
])

extension SourceFile {
    /// Modules that this file imports, with the line.
    var imports: [(module: String, line: Int)] {
        code.enumerated().compactMap { index, text in
            let words = text.split(whereSeparator: { $0 == " " || $0 == ";" })
            guard let at = words.firstIndex(of: "import"), at + 1 < words.count,
                words[..<at].allSatisfy({ $0.first == "@" || accessLevels.contains(String($0)) })
            else { return nil }
            let kinds: Set<Substring> = [
                "actor", "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
            ]
            let named = kinds.contains(words[at + 1]) && at + 2 < words.count ? at + 2 : at + 1
            return (String(words[named].prefix { $0 != "." }), index + 1)
        }
    }

    /// Imports that the room's row of ``allowedImports`` doesn't name.
    var forbiddenImports: [Breach] {
        guard let room else { return [] }
        // System libraries are module maps, not Swift.
        guard var allowed = allowedImports[room] else {
            return isSwift ? [breach("the room \(room) is not in the table of rooms", at: 1)] : []
        }
        allowed.formUnion(room == "HealthEngine" ? mathModules : standardModules)
        return imports.filter { !allowed.contains($0.module) }
            .map { breach("\(room) may not import \($0.module)", at: $0.line) }
    }
}

let accessLevels: Set<String> = [
    "public", "open", "package", "internal", "fileprivate", "private",
]
