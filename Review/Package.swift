// swift-tools-version: 6.2
import PackageDescription

// The linter is a separate package because swift-syntax takes minutes to build. Users of the store
// and the command don't need it.
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
        // Used for HealthEngine only: the catalogue of types and the unit grammar.
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
        // The laws for the repository's own code, and the mutations that check its tests.
        .target(
            name: "SourceLaws",
            dependencies: [
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "source-laws",
            dependencies: [
                "SourceLaws",
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
            exclude: ["Stubs"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "SourceLawsTests",
            dependencies: [
                "SourceLaws",
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
            ],
            swiftSettings: swiftSettings),
    ]
)
