// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// Apple's platforms have a HealthKit of their own; elsewhere the module of that name is ours.
#if os(Linux)
    let healthKitModules = ["HealthKit"]
    let healthKitTargets: [Target] = [
        .target(name: "HealthKit", dependencies: ["OpenHealthKit"], swiftSettings: swiftSettings),
        // Apps' code as it is written for a phone: its one import is the module above.
        .testTarget(
            name: "ClientTests",
            dependencies: [
                "HealthKit", "OpenHealthKit", "HealthSync", "HealthDashboard", "HealthSimulator",
                "HealthArchive", "HealthEngine", "HealthTesting",
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "SwiftFiveClientTests", dependencies: ["HealthKit", "OpenHealthKit"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
    // What only an app's bundle has a use for.
    let leftOut = ["PrivacyInfo.xcprivacy"]
    let resources: [Resource] = []
#else
    let healthKitModules: [String] = []
    let healthKitTargets: [Target] = []
    let leftOut: [String] = []
    let resources: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
#endif

/// Apps that use the libraries alone shall not fetch what only the command and its pages need.
let command = TargetDependencyCondition.when(traits: ["Command"])

let package = Package(
    name: "OpenHealthKit",
    platforms: [.macOS(.v15), .iOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "OpenHealthKit", targets: ["OpenHealthKit"] + healthKitModules),
        .library(name: "HealthEngine", targets: ["HealthEngine"]),
        .library(name: "HealthStorage", targets: ["HealthStorage"]),
        .library(name: "HealthArchive", targets: ["HealthArchive"]),
        .library(name: "HealthSimulator", targets: ["HealthSimulator"]),
        .library(name: "HealthSync", targets: ["HealthSync"]),
        .library(name: "HealthDashboard", targets: ["HealthDashboard"]),
        .executable(name: "openhealth", targets: ["openhealth"]),
    ],
    // An app that uses the libraries alone says `traits: []` and fetches nothing but GRDB.
    traits: [
        .default(enabledTraits: ["Command"]),
        .trait(name: "Command", description: "The command openhealth and its pages."),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        // Without its traits: no TLS, that is a proxy's work.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        // What Hummingbird's own signatures are made of.
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.31.0"),
        .package(
            url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.8.0"),
    ],
    targets: [
        // The rooms, bottom floor first. Arrows point down only; TidyTests holds the table.
        .target(name: "HealthEngine", swiftSettings: swiftSettings),
        // What Swift can't call of SQLite's.
        .systemLibrary(
            name: "CSQLiteSettings", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(
            name: "HealthStorage",
            dependencies: [
                "HealthEngine", "CSQLiteSettings",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "OpenHealthKit",
            dependencies: ["HealthEngine", "HealthStorage"],
            swiftSettings: swiftSettings),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "HealthArchive",
            dependencies: ["HealthEngine", "HealthStorage", "CZlib"],
            swiftSettings: swiftSettings),
        .target(
            name: "HealthSimulator",
            dependencies: ["OpenHealthKit", "HealthStorage", "HealthEngine"],
            swiftSettings: swiftSettings),
        .target(
            name: "HealthSync",
            dependencies: [
                .target(name: "OpenHealthKit", condition: .when(platforms: [.linux, .macOS])),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: leftOut, resources: resources,
            swiftSettings: swiftSettings),
        .target(
            name: "HealthDashboard",
            dependencies: [
                "HealthEngine",
                .target(name: "OpenHealthKit", condition: .when(platforms: [.linux, .macOS])),
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "HealthServer",
            dependencies: [
                "HealthEngine", "HealthStorage", "HealthArchive", "OpenHealthKit", "HealthSync",
                "HealthDashboard",
                .product(name: "Hummingbird", package: "hummingbird", condition: command),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: command),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: command),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: command),
                .product(name: "NIOCore", package: "swift-nio", condition: command),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: command
                ),
                .product(name: "Logging", package: "swift-log", condition: command),
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "openhealth",
            dependencies: [
                "HealthEngine", "HealthStorage", "HealthArchive", "OpenHealthKit", "HealthSync",
                "HealthDashboard", "HealthServer", "HealthSimulator",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: command),
            ],
            swiftSettings: swiftSettings),

        // JSON facts in Data/ to the Swift tables in Sources/HealthEngine/Generated.
        .executableTarget(
            name: "GenerateCatalogue",
            path: "Tools/GenerateCatalogue",
            swiftSettings: swiftSettings),

        // The tests' marks to Documentation/Compatibility.md, and the audit of what it says.
        .executableTarget(name: "Ledger", path: "Tools/Ledger", swiftSettings: swiftSettings),

        // Hostile input for the built command; shares no code with it but SQLite and zlib.
        .executableTarget(
            name: "Fuzz",
            dependencies: ["CZlib", .product(name: "GRDBSQLite", package: "GRDB.swift")],
            path: "Tools/Fuzz",
            swiftSettings: swiftSettings),

        // Tests. HealthTesting is Swift that only tests use; CLibXML2 is the scanner's oracle.
        .target(
            name: "HealthTesting",
            dependencies: ["HealthEngine"],
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
            name: "HealthStorageTests",
            dependencies: [
                "HealthStorage", "HealthEngine", "HealthTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "HealthArchiveTests",
            dependencies: [
                "HealthArchive", "HealthStorage", "HealthEngine", "HealthTesting", "CLibXML2",
                "CZlib",
                .product(name: "GRDB", package: "GRDB.swift"),
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
            name: "OpenHealthKitTests",
            dependencies: [
                "OpenHealthKit", "HealthStorage", "HealthEngine", "HealthTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "OpenHealthKit", "HealthArchive", "HealthStorage", "HealthEngine", "HealthTesting",
            ] + healthKitModules.map { .target(name: $0) },
            exclude: ["README.md"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "HealthSyncTests",
            dependencies: [
                "HealthSync", "HealthSimulator", "OpenHealthKit", "HealthStorage", "HealthEngine",
                "HealthTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "HealthDashboardTests",
            dependencies: [
                "HealthDashboard", "HealthSimulator", "OpenHealthKit", "HealthStorage",
                "HealthEngine", "HealthTesting",
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "HealthServerTests",
            dependencies: [
                "HealthServer", "HealthDashboard", "HealthSync", "HealthArchive",
                "HealthSimulator", "OpenHealthKit", "HealthStorage", "HealthEngine",
                "HealthTesting",
                .product(name: "Hummingbird", package: "hummingbird", condition: command),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),
        // The pages in Chromium, where there is one.
        .testTarget(
            name: "BrowserTests",
            dependencies: ["HealthServer", "HealthArchive", "HealthSimulator", "OpenHealthKit"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "openhealth", "HealthServer", "HealthDashboard", "HealthSync", "HealthSimulator",
                "HealthArchive", "OpenHealthKit", "HealthStorage", "HealthEngine", "HealthTesting",
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "TidyTests",
            dependencies: ["GenerateCatalogue", "Ledger"],
            swiftSettings: swiftSettings),
    ] + healthKitTargets
)
