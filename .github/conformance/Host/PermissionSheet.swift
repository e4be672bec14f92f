import XCTest

/// Allows everything on the permission sheet of ConformanceHost. Not yet run.
final class PermissionSheet: XCTestCase {
    @MainActor func testAllowAll() {
        let app = XCUIApplication()
        app.launch()
        // There is no sheet if the permissions were granted before.
        let sheet = app.navigationBars["Health Access"]
        if sheet.waitForExistence(timeout: 30) {
            app.tables.staticTexts["Turn On All"].tap()
            sheet.buttons["Allow"].tap()
        }
        XCTAssert(app.staticTexts["Access requested"].waitForExistence(timeout: 30))
    }
}
