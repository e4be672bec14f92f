// swift-tools-version: 6.2
import PackageDescription

// Names that health code imports on Apple's platforms and that Linux has not. They stand apart from
// OpenHealthKit because a module's mere name changes what other packages compile: see README.md.
let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Shims",
    platforms: [.macOS(.v15), .iOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "os", targets: ["os"]),
        .library(name: "OSLog", targets: ["OSLog"]),
        .library(name: "CoreLocation", targets: ["CoreLocation"]),
        .library(name: "Combine", targets: ["Combine"]),
    ],
    dependencies: [
        .package(name: "OpenHealthKit", path: "..", traits: []),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // The lock, and the names behind the dot of `import os.log`.
        .target(name: "COS"),
        .target(name: "os", dependencies: ["COS"], swiftSettings: swiftSettings),
        .target(name: "OSLog", dependencies: ["os"], swiftSettings: swiftSettings),
        .target(
            name: "CoreLocation",
            dependencies: [.product(name: "OpenHealthKit", package: "OpenHealthKit")],
            path: "Sources/Location", swiftSettings: swiftSettings),
        // Combine needs nothing of OpenHealthKit. The arrow makes it come after GRDB, which would
        // otherwise find a module of this name and compile against it.
        .target(
            name: "Combine",
            dependencies: [
                .product(name: "OpenHealthKit", package: "OpenHealthKit"),
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineDispatch", package: "OpenCombine"),
                .product(name: "OpenCombineFoundation", package: "OpenCombine"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ShimsTests",
            dependencies: [
                "os", "OSLog", "CoreLocation", "Combine",
                .product(name: "OpenHealthKit", package: "OpenHealthKit"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
        // Files that import submodules alone, as client code does.
        .testTarget(
            name: "SubmoduleTests", dependencies: ["os"],
            swiftSettings: [
                .swiftLanguageMode(.v6), .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ]
)
