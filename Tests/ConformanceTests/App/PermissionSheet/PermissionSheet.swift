import XCTest

/// Allows everything on the permission sheets of both apps. Not yet run.
///
/// The second source comes first, so that the tests' app is the newest source and has priority.
final class PermissionSheet: XCTestCase {
    @MainActor func testAllowAll() {
        let apps = [(".SecondSource", "Saved"), (".ConformanceHost", "Access requested")]
        for (bundle, status) in apps {
            let app = XCUIApplication(bundleIdentifier: prefix + bundle)
            app.launch()
            // There is no sheet if the permissions were granted before.
            let sheet = app.navigationBars["Health Access"]
            if sheet.waitForExistence(timeout: 30) {
                app.tables.staticTexts["Turn On All"].tap()
                sheet.buttons["Allow"].tap()
            }
            XCTAssert(app.staticTexts[status].waitForExistence(timeout: 30))
        }
    }

    /// The beginning of the apps' bundle identifiers: this bundle's, without its name.
    private var prefix: String {
        let own = Bundle(for: PermissionSheet.self).bundleIdentifier ?? ""
        return own.split(separator: ".").dropLast().joined(separator: ".")
    }
}
