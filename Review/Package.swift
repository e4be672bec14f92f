// swift-tools-version: 6.2
import PackageDescription

// The linter stands in a package of its own: swift-syntax takes minutes to build, and nobody who wants
// a store or the command should wait for it.
let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Review",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "openhealth-review", targets: ["openhealth-review"]),
        .library(name: "HealthReview", targets: ["HealthReview"]),
        .plugin(name: "ReviewCommand", targets: ["ReviewCommand"]),
    ],
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax.git", from: "603.0.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        // For HealthEngine alone: the catalogue of types and the grammar of units.
        .package(name: "OpenHealthKit", path: "..", traits: []),
    ],
    targets: [
        .target(
            name: "HealthReview",
            dependencies: [
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "HealthEngine", package: "OpenHealthKit"),
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "openhealth-review",
            dependencies: [
                "HealthReview",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: swiftSettings),
        .plugin(
            name: "ReviewCommand",
            capability: .command(
                intent: .custom(
                    verb: "review", description: "Review code that uses HealthKit.")),
            dependencies: ["openhealth-review"]),
        .testTarget(
            name: "HealthReviewTests", dependencies: ["HealthReview", "openhealth-review"],
            swiftSettings: swiftSettings),
    ]
)
