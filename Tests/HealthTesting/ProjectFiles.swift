public import Foundation

/// The folders of the tests' files, found from this source file.
public enum ProjectFiles {
    /// The folder `Tests`.
    public static let tests = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
    /// The folder `Tests/Scenarios`.
    public static let scenarios = tests.appendingPathComponent("Scenarios")
    /// The folder `Tests/Fixtures`.
    public static let fixtures = tests.appendingPathComponent("Fixtures")
}
