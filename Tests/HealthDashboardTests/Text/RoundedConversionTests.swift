import HealthDashboard
import Testing

@Suite struct RoundedConversionTests {
    @Test(
        "rounding errors of a conversion are removed, and a value's own digits stay",
        arguments: [
            (73.90000000000002, 73.9), (1634.8980000000001, 1634.898),
            (1986.3539999999998, 1986.354), (93.83333333333333, 93.83333333333333),
            (119.06666666666666, 119.06666666666666), (73.391245466, 73.391245466), (0, 0),
            (-1810.6260000000002, -1810.626), (1e300, 1e300),
            (.leastNonzeroMagnitude, .leastNonzeroMagnitude), (8214, 8214),
            (.infinity, .infinity), (0.1 + 0.2, 0.3),
        ])
    func settled(value: Double, wanted: Double) {
        #expect(NumberText.roundedConversion(value) == wanted)
    }

    @Test("NaN stays NaN") func nothing() {
        #expect(NumberText.roundedConversion(.nan).isNaN)
    }
}
