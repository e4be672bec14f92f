import Foundation
import HealthDashboard
import HealthEngine
import Testing

@testable import HealthServer

@Suite struct SVGSharesTests {
    @Test("what is shown of each source adds up to the number above it")
    func addsUp() {
        let total = DayTotal(
            metric: .steps, day: CivilDate(2024, 3, 10),
            interval: DateInterval(
                start: Date(timeIntervalSinceReferenceDate: 0), duration: 86_400),
            value: 10.2,
            shares: [
                .init(source: "Watch", rank: 1, counted: 3.4, setAside: 0),
                .init(source: "Phone", rank: 2, counted: 3.4, setAside: 1.4),
                .init(source: "Band", rank: 3, counted: 3.4, setAside: 1.4),
            ])
        let text = SVGShares(total: total).figure.markup
        #expect(text.contains("10 steps counted once: Watch 4, Phone 3, Band 3; 3 more"))
        #expect(text.contains("<bdi>Watch</bdi> <b>4</b>"))
        #expect(text.contains("<bdi>Phone</bdi> <b>3</b>"))
    }
}
