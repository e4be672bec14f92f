import HealthEngine
import Testing

@Suite("Conversion to an integer never traps")
struct WholeNumberTests {
    @Test(
        "rounds toward zero and clamps",
        arguments: [
            (2.9, 2), (-2.9, -2), (0, 0), (-0.0, 0), (.leastNonzeroMagnitude, 0),
            (9e15, 9_000_000_000_000_000),
            (0x1p63, Int.max), (0x1.fffffffffffffp62, 9_223_372_036_854_774_784), (1e19, .max),
            (-0x1p63, .min), (-1e19, .min), (1.7e308, .max), (.infinity, .max),
            (-.infinity, .min), (.nan, 0),
        ] as [(Double, Int)])
    func clamped(value: Double, whole: Int) {
        #expect(Int(clamping: value) == whole)
        #expect(Int64(clamping: value) == Int64(whole))
        #expect(Int32(clamping: value) == Int32(clamping: whole))
        #expect(UInt8(clamping: value) == UInt8(clamping: whole))
        #expect(UInt64(clamping: -value.magnitude) == 0)
    }
}
