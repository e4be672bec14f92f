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
        // Measures the finished command as a person runs it, and the laps below as a program of its own.
        .executableTarget(
            name: "Benchmarks", dependencies: ["Prompting"], swiftSettings: swiftSettings),
        // How they make another program do something at a moment of their choice.
        .target(name: "Prompting", swiftSettings: swiftSettings),
        // A client of the HealthKit module that times itself and prints JSON.
        .executableTarget(
            name: "HealthKitLaps",
            dependencies: [
                "Prompting",
                .product(name: "OpenHealthKit", package: "OpenHealthKit"),
                .product(name: "HealthStorage", package: "OpenHealthKit"),
                .product(name: "HealthEngine", package: "OpenHealthKit"),
            ],
            swiftSettings: swiftSettings),
        // Statistics over years of samples, asked of a store in process.
        .executableTarget(
            name: "StatisticsLaps",
            dependencies: [
                "Prompting",
                .product(name: "HealthStorage", package: "OpenHealthKit"),
                .product(name: "HealthEngine", package: "OpenHealthKit"),
            ],
            swiftSettings: swiftSettings),
        // The same for HealthSync.
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
