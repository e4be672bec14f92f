public import Foundation

/// Where the files of the tests lie, found from this source file.
public enum ProjectFiles {
    /// The folder `Tests`.
    public static let tests = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
    public static let scenarios = tests.appendingPathComponent("Scenarios")
    public static let fixtures = tests.appendingPathComponent("Fixtures")
}
