import Foundation
import HealthEngine
import HealthTesting
import Testing

@testable import HealthServer

@Suite struct BrowsePageTests {
    private struct Answer: Decodable {
        struct Group: Decodable {
            struct TypeRow: Decodable {
                var name: String
                var latest: String?
                var last: String
            }
            var types: [TypeRow]
        }
        var groups: [Group]
    }

    @Test("each type shows its latest day: merged sums, averages, and nothing without a value")
    func latest() async throws {
        let file = try RecordedStore()
        let day = 86_400.0
        try file.add("stepCount", "Watch", 0, 60, 900, .watch)
        try file.add("stepCount", "Watch", day, day + 60, 1_200, .watch)
        try file.add("stepCount", "Phone", day, day + 60, 1_000, .phone)
        try file.add("heartRate", "Watch", day, day, 60, .watch)
        try file.add("heartRate", "Watch", day + 60, day + 60, 64, .watch)
        try file.add("headache", "Phone", day, day, 1, .phone)
        try file.write()
        let running = try await RunningServer(store: file.path)
        let cookie = try await running.signIn()
        let body = try await running.send("/browse.json", cookie: cookie).body
        let answer = try JSONDecoder().decode(Answer.self, from: Data(body.utf8))
        let rows = answer.groups.flatMap(\.types)
        #expect(rows.first { $0.name == "stepCount" }?.latest == "1,200")
        #expect(rows.first { $0.name == "heartRate" }?.latest == "62 bpm")
        #expect(rows.first { $0.name == "headache" }.map { $0.latest == nil } == true)
        #expect(rows.allSatisfy { $0.last == "2001-01-02" })
        let page = try await running.send("/browse", cookie: cookie).body
        #expect(page.contains("<b>1,200</b>") && page.contains("<b>62 bpm</b>"))
    }
}
