import Testing

@testable import HealthEngine

@Suite("Contents of audiograms")
struct AudiogramTests {
    @Test("lists of numbers become points in the order of their frequencies")
    func numbers() {
        let audiogram = Audiogram(numbers: [
            "leftFrequencies": [500, 1000], "leftSensitivities": [10, 15],
            "rightFrequencies": [1000, 4000, 8000], "rightSensitivities": [20, 25],
        ])
        #expect(audiogram.points.map(\.frequency.value) == [500, 1000, 4000])
        #expect(audiogram.points.map { $0.tests.map(\.side) } == [[0], [0, 1], [1]])
        #expect(audiogram.points[1].tests.map(\.sensitivity.value) == [15, 20])
        let detail = SampleDetail.numbers(["leftFrequencies": [1], "leftSensitivities": [2]])
        #expect(detail.audiogram(ofType: "audiogram")?.points.count == 1)
        #expect(detail.audiogram(ofType: "stateOfMind") == nil)
    }

    @Test("an export has room for the first test of each ear, the left one first")
    func exportable() {
        func test(_ side: Int, _ level: Double) -> Audiogram.Test {
            Audiogram.Test(sensitivity: RecordedQuantity(level, "dBHL"), side: side)
        }
        let point = Audiogram.Point(
            frequency: RecordedQuantity(1, "kHz"), tests: [test(1, 3), test(0, 1), test(0, 2)])
        let audiogram = Audiogram(points: [point])
        #expect(audiogram.exportable.points[0].tests == [test(0, 1), test(1, 3)])
        #expect(audiogram.exportable.exportable == audiogram.exportable)
    }

    @Test("a recorded quantity is converted, and not with another dimension or an unknown unit")
    func quantities() {
        #expect(RecordedQuantity(1.5, "kHz").value(in: "Hz") == 1500)
        #expect(RecordedQuantity(0.1, "Hz").value(in: "Hz") == 0.1)
        #expect(RecordedQuantity(1, "Hz").value(in: "dBHL") == nil)
        #expect(RecordedQuantity(1, "bananas").value(in: "Hz") == nil)
    }
}
