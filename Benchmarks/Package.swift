// swift-tools-version: 6.2
import PackageDescription

// Measures the finished command as a person runs it, so it needs nothing of the package beside it.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v14)],
    targets: [
        .executableTarget(
            name: "Benchmarks",
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ])
    ]
)
