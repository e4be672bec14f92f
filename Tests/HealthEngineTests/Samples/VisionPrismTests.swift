import HealthTesting
import Testing

@testable import HealthEngine

@Suite("Prisms in polar and rectangular notation")
struct VisionPrismTests {
    private typealias Prism = VisionPrescription.Prism

    @Test(
        "the base at 0°, 90°, 180° and 270° is exact, and in and out depend on the eye",
        arguments: [
            // Degrees, eye, up, in.
            (0.0, Prism.right, 0.0, 2.0), (90, Prism.right, 2, 0), (180, Prism.right, 0, -2),
            (270, Prism.right, -2, 0), (360, Prism.right, 0, 2), (-90, Prism.right, -2, 0),
            (0, Prism.left, 0, -2), (90, Prism.left, 2, 0), (180, Prism.left, 0, 2),
            (270, Prism.left, -2, 0), (810, Prism.left, 2, 0),
        ])
    func axes(degrees: Double, eye: Int, up: Double, inward: Double) {
        let vector = PrismVector(amount: 2, degrees: degrees, eye: eye)
        #expect(vector == PrismVector(up: up, inward: inward))
        let back = vector.degrees(eye: eye)
        #expect(vector.amount == 2 && back >= 0 && back < 360)
        #expect(PrismVector(amount: 2, degrees: back, eye: eye) == vector)
    }

    /// Of an angle with a rational tangent of its half, sine and cosine are fractions, so no
    /// trigonometric function is needed: 2·atan(1/3) has (0.6, 0.8), and 2·atan(1/2) has (0.8, 0.6).
    @Test("directions between the axes agree with Pythagorean triangles in each quadrant")
    func triangles() {
        // The arc tangents of 1/3 and 1/2 in degrees, doubled.
        let angles = [(36.869_897_645_844_02, 0.6, 0.8), (53.130_102_354_155_98, 0.8, 0.6)]
        for (angle, sine, cosine) in angles {
            let quadrants = [
                (angle, sine, cosine), (180 - angle, sine, -cosine),
                (180 + angle, -sine, -cosine), (360 - angle, -sine, cosine),
            ]
            for (degrees, up, leftward) in quadrants {
                for eye in [Prism.right, Prism.left] {
                    let vector = PrismVector(amount: 5, degrees: degrees, eye: eye)
                    let inward = eye == Prism.right ? leftward : -leftward
                    #expect(abs(vector.up - 5 * up) < 1e-12, "\(degrees)")
                    #expect(abs(vector.inward - 5 * inward) < 1e-12, "\(degrees)")
                    #expect(abs(vector.degrees(eye: eye) - degrees) < 1e-12)
                    #expect(abs(vector.amount - 5) < 1e-12)
                }
            }
        }
    }

    @Test("random prisms keep amount and direction through both conversions")
    func random() {
        let seed = TestTier.seed(33)
        var random = SeededRandom(seed: seed)
        for _ in 0..<2_000 {
            let amount = Double.random(in: 0.01...20, using: &random)
            let degrees = Double.random(in: 0..<360, using: &random)
            let eye = Bool.random(using: &random) ? Prism.right : Prism.left
            let vector = PrismVector(amount: amount, degrees: degrees, eye: eye)
            #expect(abs(vector.amount - amount) < 1e-12 * amount, "seed \(seed)")
            let difference = abs(vector.degrees(eye: eye) - degrees)
            #expect(min(difference, 360 - difference) < 1e-9, "seed \(seed)")
        }
    }

    @Test("amounts and angles in other units are converted, and incompatible ones give nothing")
    func units() throws {
        let half = Prism(
            .polar(
                amount: RecordedQuantity(2, "pD"),
                angle: RecordedQuantity(.pi / 2, "rad")), eye: Prism.left)
        let polar = Prism(
            .polar(amount: RecordedQuantity(2, "pD"), angle: RecordedQuantity(1, "m")), eye: 1)
        #expect(polar.vector == nil)
        let vector = try #require(half.vector)
        #expect(abs(vector.up - 2) < 1e-12 && abs(vector.inward) < 1e-12)
        let flat = Prism(
            .rectangular(
                vertical: RecordedQuantity(3, "pD"), verticalBase: 2,
                horizontal: RecordedQuantity(4, "pD"), horizontalBase: 4), eye: Prism.right)
        #expect(flat.vector == PrismVector(up: -3, inward: -4))
        let converted = try #require(flat.polar)
        #expect(converted.amount == RecordedQuantity(5, "pD"))
        #expect(abs(converted.angle.value - 216.869_897_645_844) < 1e-9)
    }
}
