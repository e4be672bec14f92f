// swift-tools-version: 6.2
import PackageDescription

// An app's health layer as a package: Apple's HealthKit on a phone, OpenHealthKit on Linux.
// The sources only `import HealthKit`, without conditions for platforms.
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
        // Older code that hasn't moved to Swift 6.
        .target(
            name: "WeeklyReport", dependencies: [healthKit],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(name: "stepdiary", dependencies: ["Diary", "WeeklyReport", healthKit]),
        .testTarget(
            name: "DiaryTests", dependencies: ["Diary", "WeeklyReport", healthKit]),
    ]
)
