// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenHealthKit", path: "..")],
    targets: [
        // Measures the built command, and runs the in-process measurements below as separate
        // programs.
        .executableTarget(
            name: "Benchmarks", dependencies: ["Prompting"], swiftSettings: swiftSettings),
        // Starts another program and makes it act on request.
        .target(name: "Prompting", swiftSettings: swiftSettings),
        // A client of the HealthKit module that times its own calls and prints JSON.
        .executableTarget(
            name: "HealthKitLaps",
            dependencies: [
                "Prompting",
                .product(name: "OpenHealthKit", package: "OpenHealthKit"),
                .product(name: "HealthCalendar", package: "OpenHealthKit"),
                .product(name: "HealthStorage", package: "OpenHealthKit"),
                .product(name: "HealthEngine", package: "OpenHealthKit"),
            ],
            swiftSettings: swiftSettings),
        // Times statistics over years of samples, in process.
        .executableTarget(
            name: "StatisticsLaps",
            dependencies: [
                "Prompting",
                .product(name: "HealthCalendar", package: "OpenHealthKit"),
                .product(name: "HealthStorage", package: "OpenHealthKit"),
                .product(name: "HealthEngine", package: "OpenHealthKit"),
            ],
            swiftSettings: swiftSettings),
        // Times HealthSync, in process.
        .executableTarget(
            name: "SyncLaps",
            dependencies: [
                "Prompting",
                .product(name: "OpenHealthKit", package: "OpenHealthKit"),
                .product(name: "HealthSync", package: "OpenHealthKit"),
                .product(name: "HealthStorage", package: "OpenHealthKit"),
                .product(name: "HealthEngine", package: "OpenHealthKit"),
            ],
            swiftSettings: swiftSettings),
    ]
)
