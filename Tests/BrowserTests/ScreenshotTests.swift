import Foundation
import HealthSimulator
import Testing

private let pictureFolder = ProcessInfo.processInfo.environment["OPENHEALTH_SCREENSHOTS"]

extension BrowserTests {
    /// Screenshots of all pages, written to the folder in `OPENHEALTH_SCREENSHOTS`.
    @Suite(
        .enabled(
            if: pictureFolder != nil,
            "pictures are taken where OPENHEALTH_SCREENSHOTS names a folder"))
    struct ScreenshotTests {
        private static let people = [
            ("watch", SimulatedPerson(seed: 1, records: 40_000)),
            ("phone", SimulatedPerson(seed: 2, records: 30_000, devices: .phone)),
            ("daily-app", SimulatedPerson(seed: 3, records: 40_000, dailyApp: .present)),
        ]

        @Test("every page of three people has screenshots, light and dark, in two widths")
        func pictures() async throws {
            let folder = try #require(pictureFolder)
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            let (tab, _) = try await Browser.shared.tab()
            for (name, person) in ScreenshotTests.people {
                let served = try await ServedPerson(person)
                try await tab.load(served.signInAddress)
                for place in TestPage.allCases {
                    // Without a Watch there are no workouts.
                    if place == .workout, person.devices == .phone { continue }
                    _ = try await BrowserTests.open(place, tab, of: served)
                    for scheme in ["light", "dark"] {
                        try await tab.scheme(scheme)
                        for (device, width, height) in [("phone", 390, 844), ("desk", 1280, 900)] {
                            try await tab.size(width, height)
                            let file = "\(name)-\(place)-\(scheme)-\(device).png"
                            try await picture(tab)
                                .write(to: URL(fileURLWithPath: folder + "/" + file))
                        }
                    }
                }
            }
        }

        /// Takes a screenshot of the whole page, regardless of its length.
        private func picture(_ tab: BrowserTab) async throws -> Data {
            struct Size: Decodable {
                var width: Double
                var height: Double
            }
            struct Metrics: Decodable { var cssContentSize: Size }
            struct Picture: Decodable { var data: Data }
            let size = try await tab.send("Page.getLayoutMetrics", as: Metrics.self).cssContentSize
            return try await tab.send(
                "Page.captureScreenshot",
                [
                    "format": "png", "captureBeyondViewport": true,
                    "clip": [
                        "x": 0, "y": 0, "scale": 1, "width": .number(size.width),
                        "height": .number(min(size.height, 6000)),
                    ],
                ], as: Picture.self
            ).data
        }
    }
}
