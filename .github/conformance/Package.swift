// swift-tools-version: 6.2
import PackageDescription

// Not yet run. The portable conformance suite against OpenHealthKit on a Mac:
// .github/workflows/ci.yml copies the tests to Tests/PortableConformance.
let package = Package(
    name: "Conformance",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenHealthKit", path: "../..", traits: [])],
    targets: [
        .testTarget(
            name: "PortableConformance",
            dependencies: [.product(name: "OpenHealthKit", package: "OpenHealthKit")],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ])
    ]
)
