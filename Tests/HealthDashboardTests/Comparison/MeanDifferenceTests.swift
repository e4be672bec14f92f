import Foundation
import HealthTesting
import Testing

@testable import HealthDashboard

@Suite struct MeanDifferenceTests {
    @Test("the interval of independent values is that of Welch's t-test")
    func welch() throws {
        // Welch and Satterthwaite give 17.78 degrees of freedom, for which tables of Student's t have the
        // quantile 2.1028.
        let a: [Double?] = [1, 9, 2, 8, 3, 7, 4, 6, 5, 5]
        let b: [Double?] = [2, 10, 3, 10, 4, 9, 4, 7, 6, 6]
        let found = try #require(MeanDifference(a, b))
        #expect(found.first == .init(days: 10, average: 5))
        #expect(abs(found.difference - 1.1) < 1e-12)
        #expect(!found.isClear)
        let variances = [60.0 / 9, 74.9 / 9]
        let error = ((variances[0] + variances[1]) / 10).squareRoot()
        #expect(abs((found.high - found.low) / 2 / error - 2.1028) < 0.01)
    }

    @Test("quantiles of the t distribution have an error below one percent")
    func quantiles() {
        // From tables of the distribution.
        let known = [
            (3.0, 3.1824), (4, 2.7764), (5, 2.5706), (10, 2.2281), (30, 2.0423), (100, 1.9840),
            (1e9, 1.9600),
        ]
        for (freedom, quantile) in known {
            #expect(abs(StudentT.quantile975(freedom) / quantile - 1) < 0.01, "\(freedom)")
        }
    }

    @Test("groups with fewer than seven values can't be compared")
    func tooFew() {
        let seven: [Double?] = [1, 2, 3, 4, 5, 6, 7]
        #expect(MeanDifference(seven, seven) != nil)
        #expect(MeanDifference(seven, seven.dropLast() + [nil]) == nil)
        #expect(MeanDifference(seven, seven.dropLast() + [.nan]) == nil)
        #expect(MeanDifference([], []) == nil)
    }

    @Test("values that are all equal differ clearly only if the averages do")
    func constant() throws {
        let same = [Double?](repeating: 5, count: 10)
        let other = [Double?](repeating: 6, count: 10)
        #expect(try !#require(MeanDifference(same, same)).isClear)
        #expect(try #require(MeanDifference(same, other)).isClear)
    }

    /// Returns days whose correlation with the next is `phi`, from a normal distribution.
    private func days(_ count: Int, phi: Double, _ random: inout SeededRandom) -> [Double] {
        var value = 0.0
        return (0..<count).map { _ in
            let u = Double.random(in: 1e-12...1, using: &random)
            let v = Double.random(in: 0...1, using: &random)
            let normal = (-2 * log(u)).squareRoot() * cos(2 * .pi * v)
            value = phi * value + (1 - phi * phi).squareRoot() * normal
            return value
        }
    }

    @Test(
        "of 1,000 comparisons without a difference, few are called clear, also if days resemble each other",
        arguments: [0.0, 0.3, 0.6])
    func falseAlarms(phi: Double) throws {
        var random = SeededRandom(seed: 20_261_126)
        var clear = 0
        for _ in 0..<1_000 {
            let all = days(56, phi: phi, &random)
            let found = try #require(
                MeanDifference(Array(all.prefix(28)), Array(all.suffix(28))))
            if found.isClear { clear += 1 }
        }
        #expect(clear <= (phi < 0.5 ? 90 : 150), "\(clear) of 1,000")
    }

    @Test("a difference of one and a half standard deviations is found in nine of ten comparisons")
    func power() throws {
        var random = SeededRandom(seed: 4_711)
        var clear = 0
        for _ in 0..<500 {
            let all = days(56, phi: 0.3, &random)
            let found = try #require(
                MeanDifference(Array(all.prefix(28)), all.suffix(28).map { $0 + 1.5 }))
            if found.low > 0 { clear += 1 }
        }
        #expect(clear >= 450, "\(clear) of 500")
    }
}
