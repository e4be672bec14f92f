import Foundation
import Testing

@testable import HealthDashboard

@Suite struct RankCorrelationTests {
    @Test("equal values share the average of their ranks")
    func ties() {
        #expect(RankCorrelation.ranks([10, 30, 20, 20]) == [1, 4, 2.5, 2.5])
        #expect(RankCorrelation.ranks([5, 5, 5]) == [2, 2, 2])
        #expect(RankCorrelation.ranks([]) == [])
    }

    @Test("the coefficient is that of Spearman, and doesn't depend on the scale")
    func coefficient() throws {
        let a = (1...14).map(Double.init)
        let up = try #require(RankCorrelation(a, a.map { $0 * $0 * $0 }))
        #expect(up.coefficient > 0.999 && up.isClear && up.days == 14)
        let down = try #require(RankCorrelation(a, a.map { -$0 }))
        #expect(down.coefficient < -0.999 && down.high < 0)
        let b: [Double] = [3, 1, 4, 2, 9, 5, 7, 14, 6, 13, 10, 12, 8, 11]
        let expected =
            1 - 6 * zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } / (14 * 195)
        #expect(abs(try #require(RankCorrelation(a, b)).coefficient - expected) < 1e-12)
    }

    @Test("fewer than 14 common days, or values that are all equal, have no correlation")
    func tooFew() {
        let a: [Double?] = (1...14).map(Double.init)
        #expect(RankCorrelation(a, a) != nil)
        #expect(RankCorrelation(a, a.dropLast() + [nil]) == nil)
        #expect(RankCorrelation(a, [Double?](repeating: 3, count: 14)) == nil)
    }
}
