// swift-tools-version: 6.2
import PackageDescription

// An app's health layer as a package: on a phone over Apple's HealthKit, on Linux over OpenHealthKit.
// The sources say `import HealthKit` and nothing about platforms.
let healthKit: Target.Dependency = .product(
    name: "OpenHealthKit", package: "OpenHealthKit", condition: .when(platforms: [.linux]))

let package = Package(
    name: "StepDiary",
    platforms: [.iOS(.v17), .macOS(.v15)],
    products: [
        .library(name: "Diary", targets: ["Diary"]),
        .executable(name: "stepdiary", targets: ["stepdiary"]),
    ],
    dependencies: [.package(name: "OpenHealthKit", path: "../..", traits: [])],
    targets: [
        .target(name: "Diary", dependencies: [healthKit]),
        // Older code that has not moved to Swift 6 yet.
        .target(
            name: "WeeklyReport", dependencies: [healthKit],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(name: "stepdiary", dependencies: ["Diary", "WeeklyReport", healthKit]),
        .testTarget(
            name: "DiaryTests", dependencies: ["Diary", "WeeklyReport", healthKit]),
    ]
)
