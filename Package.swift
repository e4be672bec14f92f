// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// Apple's platforms have their own HealthKit; on Linux the module with that name is ours.
#if os(Linux)
    let healthKitModules = ["HealthKit"]
    let healthKitTargets: [Target] = [
        .target(name: "HealthKit", dependencies: ["OpenHealthKit"], swiftSettings: swiftSettings),
        // App code as written for a phone. It imports only the module above.
        .testTarget(
            name: "ClientTests",
            dependencies: [
                "HealthKit", "OpenHealthKit", "HealthSync", "HealthDashboard", "HealthSimulator",
                "HealthArchive", "HealthCalendar", "HealthStorage", "HealthEngine", "HealthTesting",
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "SwiftFiveClientTests", dependencies: ["HealthKit", "OpenHealthKit"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
    // Resources that only app bundles need.
    let leftOut = ["PrivacyInfo.xcprivacy"]
    let resources: [Resource] = []
#else
    let healthKitModules: [String] = []
    let healthKitTargets: [Target] = []
    let leftOut: [String] = []
    let resources: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
#endif

/// Apps that use only the libraries don't fetch what the command and its pages need.
let command = TargetDependencyCondition.when(traits: ["Command"])
let server = TargetDependencyCondition.when(traits: ["Server"])
let encryption = TargetDependencyCondition.when(traits: ["TLS"])
let people = TargetDependencyCondition.when(traits: ["People"])
let sealing = TargetDependencyCondition.when(traits: ["Encryption"])

let package = Package(
    name: "OpenHealthKit",
    platforms: [.macOS(.v15), .iOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "OpenHealthKit", targets: ["OpenHealthKit"] + healthKitModules),
        .library(name: "HealthEngine", targets: ["HealthEngine"]),
        .library(name: "HealthCalendar", targets: ["HealthCalendar"]),
        .library(name: "HealthStorage", targets: ["HealthStorage"]),
        .library(name: "HealthArchive", targets: ["HealthArchive"]),
        .library(name: "HealthSimulator", targets: ["HealthSimulator"]),
        .library(name: "HealthSync", targets: ["HealthSync"]),
        .library(name: "HealthDashboard", targets: ["HealthDashboard"]),
        .executable(name: "openhealth", targets: ["openhealth"]),
    ],
    // An app that uses only the libraries sets `traits: []` and fetches only GRDB.
    traits: [
        .default(enabledTraits: ["Command", "Server", "TLS", "People", "Encryption"]),
        .trait(name: "Command", description: "The command openhealth."),
        .trait(name: "Server", description: "Its pages, and the server that shows them."),
        .trait(
            name: "TLS", description: "HTTPS of the server. BoringSSL takes minutes to build.",
            enabledTraits: ["Server"]),
        .trait(
            name: "People",
            description: "Many people on one server. swift-crypto takes minutes to build.",
            enabledTraits: ["Server"]),
        .trait(
            name: "Encryption",
            description: "Encrypted backups. swift-crypto takes minutes to build."),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        // Without its traits, which the server doesn't use.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        // Types in Hummingbird's API.
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.31.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.2"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
        .package(
            url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.8.0"),
    ],
    targets: [
        // The targets, the lowest layer first. Dependencies point down; a law in Review/ checks
        // this.
        .target(name: "HealthEngine", swiftSettings: swiftSettings),
        .target(
            name: "HealthCalendar", dependencies: ["HealthEngine"], swiftSettings: swiftSettings),
        // SQLite functions that Swift can't call directly.
        .systemLibrary(
            name: "CSQLiteSettings", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(
            name: "HealthStorage",
            dependencies: [
                "HealthEngine", "HealthCalendar", "CSQLiteSettings",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),
        // Parts of Apple's Foundation and CoreLocation that Foundation on Linux lacks.
        .target(name: "FoundationGaps", swiftSettings: swiftSettings),
        .target(
            name: "OpenHealthKit",
            dependencies: ["HealthEngine", "HealthCalendar", "HealthStorage", "FoundationGaps"],
            swiftSettings: swiftSettings),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "HealthArchive",
            dependencies: ["HealthEngine", "HealthCalendar", "HealthStorage", "CZlib"],
            swiftSettings: swiftSettings),
        // Tables for other programs.
        .target(
            name: "HealthFormats",
            dependencies: ["HealthEngine", "HealthCalendar", "HealthStorage", "CZlib"],
            swiftSettings: swiftSettings),
        // What phone apps send: a folder for each format.
        .target(
            name: "HealthIntake",
            dependencies: ["HealthEngine", "HealthCalendar", "HealthStorage"],
            swiftSettings: swiftSettings),
        .target(
            name: "HealthSimulator",
            dependencies: ["OpenHealthKit", "HealthEngine"],
            swiftSettings: swiftSettings),
        .target(
            name: "HealthSync",
            dependencies: [
                "HealthEngine", "HealthCalendar",
                .target(name: "OpenHealthKit", condition: .when(platforms: [.linux, .macOS])),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: leftOut, resources: resources,
            swiftSettings: swiftSettings),
        .target(
            name: "HealthDashboard",
            dependencies: [
                "HealthEngine", "HealthCalendar",
                .target(name: "OpenHealthKit", condition: .when(platforms: [.linux, .macOS])),
            ],
            swiftSettings: swiftSettings),
        // A server of the Model Context Protocol, for assistants.
        .target(
            name: "HealthAssistant",
            dependencies: ["HealthStorage", "HealthDashboard"],
            swiftSettings: swiftSettings),
        // PostgreSQL's client library, which is loaded when it is needed.
        .target(name: "CPostgreSQL"),
        .target(
            name: "HealthPeople",
            dependencies: [
                "HealthEngine", "HealthStorage", "CZlib", "CPostgreSQL",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Crypto", package: "swift-crypto", condition: people),
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "HealthServer",
            dependencies: [
                "HealthEngine", "HealthCalendar", "HealthStorage", "HealthArchive", "OpenHealthKit",
                "HealthSync", "HealthDashboard", "HealthIntake",
                .target(name: "HealthPeople", condition: people),
                .product(name: "Hummingbird", package: "hummingbird", condition: server),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: server),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: server),
                .product(name: "NIOCore", package: "swift-nio", condition: server),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "HummingbirdTLS", package: "hummingbird", condition: encryption),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: encryption),
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "openhealth",
            dependencies: [
                "HealthEngine", "HealthCalendar", "HealthStorage", "HealthArchive", "OpenHealthKit",
                "HealthSync", "HealthDashboard", "HealthServer", "HealthSimulator", "HealthIntake",
                "HealthFormats",
                "HealthAssistant",
                .target(name: "HealthPeople", condition: people),
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: command),
                .product(name: "Crypto", package: "swift-crypto", condition: sealing),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: sealing),
            ],
            swiftSettings: swiftSettings),

        // Renders the facts in Data/*.json as the Swift tables in Sources/HealthEngine/Generated.
        .executableTarget(
            name: "GenerateCatalogue",
            path: "Tools/GenerateCatalogue",
            swiftSettings: swiftSettings),

        // Renders the tests' marks as Documentation/Compatibility.md, and audits it.
        .executableTarget(name: "Ledger", path: "Tools/Ledger", swiftSettings: swiftSettings),

        // The public declarations of the products, to API/: what a release promises.
        .executableTarget(name: "PublicAPI", path: "Tools/PublicAPI", swiftSettings: swiftSettings),

        // Hostile input for the built command. It shares only SQLite and zlib with it.
        .executableTarget(
            name: "Fuzz",
            dependencies: ["CZlib", .product(name: "GRDBSQLite", package: "GRDB.swift")],
            path: "Tools/Fuzz",
            swiftSettings: swiftSettings),

        // Fault schedules for HealthSync: `swift run torture`.
        .executableTarget(
            name: "torture",
            dependencies: [
                "HealthEngine", "HealthCalendar", "HealthStorage", "OpenHealthKit", "HealthSync",
                "HealthDashboard", "HealthSimulator", "CZlib",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: command),
            ],
            path: "Tools/Torture",
            swiftSettings: swiftSettings),

        // Tests. HealthTesting contains test support; CLibXML2 is the reference parser for the
        // scanner. TestMarks contains the ledger's marks and imports nothing but Testing.
        .target(name: "TestMarks", path: "Tests/TestMarks", swiftSettings: swiftSettings),
        .target(
            name: "HealthTesting",
            dependencies: ["HealthCalendar", "HealthEngine", "TestMarks"],
            path: "Tests/HealthTesting",
            swiftSettings: swiftSettings),
        .systemLibrary(
            name: "CLibXML2", path: "Tests/CLibXML2", pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"])]),
        .testTarget(
            name: "HealthEngineTests",
            dependencies: ["HealthEngine", "HealthTesting", "GenerateCatalogue"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "HealthCalendarTests",
            dependencies: ["HealthCalendar", "HealthSimulator", "HealthEngine", "HealthTesting"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "HealthStorageTests",
            dependencies: [
                "HealthStorage", "HealthCalendar", "HealthEngine", "HealthTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "HealthArchiveTests",
            dependencies: [
                "HealthArchive", "HealthIntake", "HealthStorage", "HealthEngine", "HealthCalendar",
                "HealthTesting", "CLibXML2",
                "CZlib",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "HealthFormatsTests",
            dependencies: [
                "HealthFormats", "HealthStorage", "HealthCalendar", "HealthEngine",
                "HealthTesting",
            ],
            exclude: ["Parquet/ReadParquet.py"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "HealthIntakeTests",
            dependencies: [
                "HealthIntake", "HealthArchive", "HealthStorage", "HealthCalendar", "HealthEngine",
                "HealthTesting",
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "HealthSimulatorTests",
            dependencies: [
                "HealthSimulator", "HealthArchive", "OpenHealthKit", "HealthStorage",
                "HealthEngine", "HealthTesting",
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "FoundationGapsTests", dependencies: ["FoundationGaps", "HealthTesting"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "OpenHealthKitTests",
            dependencies: [
                "OpenHealthKit", "HealthStorage", "HealthEngine", "HealthTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),
        // Apple's API alone: the tests that also run on a phone (Tests/ConformanceTests/App).
        .testTarget(
            name: "PortableConformance",
            dependencies: ["TestMarks"] + healthKitModules.map { .target(name: $0) },
            path: "Tests/ConformanceTests/Portable",
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "PortableConformance", "OpenHealthKit", "HealthArchive", "HealthStorage",
                "HealthEngine", "HealthTesting",
            ] + healthKitModules.map { .target(name: $0) },
            exclude: ["README.md", "Portable", "App"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "HealthSyncTests",
            dependencies: [
                "HealthSync", "HealthSimulator", "HealthIntake", "OpenHealthKit", "HealthStorage",
                "HealthEngine", "HealthTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "HealthDashboardTests",
            dependencies: [
                "HealthDashboard", "HealthSimulator", "OpenHealthKit", "HealthStorage",
                "HealthEngine", "HealthCalendar", "HealthTesting",
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "HealthAssistantTests",
            dependencies: ["HealthAssistant", "HealthStorage", "HealthTesting"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "HealthServerTests",
            dependencies: [
                "HealthServer", "HealthDashboard", "HealthSync", "HealthArchive",
                "HealthSimulator", "OpenHealthKit", "HealthStorage", "HealthEngine",
                "HealthCalendar", "HealthPeople",
                "HealthTesting",
                .product(name: "Hummingbird", package: "hummingbird", condition: server),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "HealthPeopleTests",
            dependencies: [
                "HealthPeople", "HealthStorage", "HealthEngine", "HealthTesting", "CPostgreSQL",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),
        // Tests of the pages in Chromium, if it is installed.
        .testTarget(
            name: "BrowserTests",
            dependencies: [
                "HealthServer", "HealthArchive", "HealthSimulator", "OpenHealthKit",
                "HealthTesting",
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "openhealth", "HealthServer", "HealthDashboard", "HealthSync", "HealthSimulator",
                "HealthArchive", "OpenHealthKit", "HealthStorage", "HealthEngine", "HealthCalendar",
                "HealthAssistant", "HealthTesting",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: command),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "TortureTests",
            dependencies: [
                "torture", "HealthSync", "HealthSimulator", "OpenHealthKit", "HealthStorage",
                "HealthEngine", "HealthTesting",
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "TidyTests",
            dependencies: ["GenerateCatalogue", "Ledger", "HealthTesting"],
            swiftSettings: swiftSettings),
    ] + healthKitTargets
)

// `make test` takes minutes, so it covers only the libraries and their tests. Tests that need the
// command, the server or another process run in `make test-all` and `swift test`.
if Context.environment["OPENHEALTH_TESTS"] == "quick" {
    let later: Set = [
        "HealthServer", "openhealth", "Fuzz", "torture", "HealthServerTests", "BrowserTests",
        "CommandTests", "TortureTests", "HealthPeople", "HealthPeopleTests", "CPostgreSQL",
    ]
    package.targets.removeAll { later.contains($0.name) }
    package.products.removeAll { $0.name == "openhealth" }
    // All dependencies except GRDB, which is the first.
    package.dependencies.removeSubrange(1...)
}
