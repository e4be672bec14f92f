import Foundation
import HealthTesting
import Testing

@Suite("The README's picture")
struct DemoPictureTests {
    @Test("the picture shows, line by line, what the demo prints today")
    func picture() throws {
        let demo = try CommandRun(["demo"])
        #expect(demo.status == 0)
        let printed = demo.output.split(separator: "\n").map(String.init)
        let path = ProjectFiles.tests.deletingLastPathComponent()
            .appendingPathComponent("Documentation/demo.svg").path
        let svg = try String(contentsOfFile: path, encoding: .utf8)
        let shown = svg.split(separator: "\n").filter { $0.hasPrefix("<text") }.map { line in
            line.replacing(#/<[^>]*>/#, with: "").replacingOccurrences(of: "&lt;", with: "<")
                .replacingOccurrences(of: "&gt;", with: ">")
                .replacingOccurrences(of: "&amp;", with: "&")
        }
        #expect(shown.first == "$ openhealth demo")
        #expect(Array(shown.dropFirst()) == printed)
    }
}
