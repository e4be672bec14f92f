// swift-tools-version: 6.2
import PackageDescription

// Modules that health code imports on Apple's platforms and that Linux lacks. They are a separate
// package, because a module's name alone changes what other packages compile: see README.md.
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
        .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
        .library(name: "Combine", targets: ["Combine"]),
    ],
    dependencies: [
        .package(name: "OpenHealthKit", path: "..", traits: []),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // The lock, and the submodule in `import os.log`.
        .target(name: "COS"),
        .target(name: "os", dependencies: ["COS"], swiftSettings: swiftSettings),
        .target(name: "OSLog", dependencies: ["os"], swiftSettings: swiftSettings),
        .target(
            name: "CoreLocation",
            dependencies: [.product(name: "OpenHealthKit", package: "OpenHealthKit")],
            path: "Sources/Location", swiftSettings: swiftSettings),
        .target(
            name: "UniformTypeIdentifiers",
            dependencies: [.product(name: "OpenHealthKit", package: "OpenHealthKit")],
            swiftSettings: swiftSettings),
        // Combine needs nothing from OpenHealthKit. The dependency makes it build after GRDB, which
        // would otherwise find a module with this name and compile against it.
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
                "os", "OSLog", "CoreLocation", "UniformTypeIdentifiers", "Combine",
                .product(name: "OpenHealthKit", package: "OpenHealthKit"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
        // Files that import only submodules, as client code does.
        .testTarget(
            name: "SubmoduleTests", dependencies: ["os"],
            swiftSettings: [
                .swiftLanguageMode(.v6), .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ]
)
