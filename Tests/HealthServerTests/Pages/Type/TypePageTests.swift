import Foundation
import HealthEngine
import HealthTesting
import Testing

@testable import HealthServer

@Suite("The pages of types whose values aren't numbers")
struct TypePageTests {
    private struct Answer: Decodable {
        struct Series: Decodable {
            struct Point: Decodable { var value: Double? }
            var points: [Point]
        }
        var series: Series
    }

    private func points(_ file: RecordedStore, _ address: String) async throws -> [Double] {
        let running = try await RunningServer(store: file.path)
        let cookie = try await running.signIn()
        let body = try await running.send(address, cookie: cookie).body
        let answer = try JSONDecoder().decode(Answer.self, from: Data(body.utf8))
        return answer.series.points.compactMap(\.value)
    }

    @Test("an idle hour isn't a stand hour")
    func standHours() async throws {
        let file = try RecordedStore()
        for (hour, value) in [(8.0, 0.0), (9, 1), (10, 0)] {
            let start = 86_400 + hour * 3600
            try file.add("appleStandHour", "Watch", start, start + 3600, value, .watch)
        }
        try file.write()
        let address = "/type/appleStandHour.json?period=month&day=2001-01-02"
        #expect(try await points(file, address) == [7200])
    }
}
