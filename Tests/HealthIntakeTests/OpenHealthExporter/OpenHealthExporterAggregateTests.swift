import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct OpenHealthExporterAggregateTests {
    private let day = ExporterText.day

    /// An aggregate of the hour from 8:00.
    private func aggregate(
        _ metric: String, _ statistic: String, _ unit: String, _ value: String, _ more: String = ""
    ) -> String {
        #"{"bucketEnd":"2026-03-01T09:00:00Z","bucketStart":"2026-03-01T08:00:00Z","#
            + #""computation":"hkStatisticsCollectionQuery","emitSeq":4,"granularity":"PT1H","#
            + #""kind":"aggregate","localStart":"2026-03-01T09:00:00","metricId":"\#(metric)","#
            + #""sampleCount":7,"sourceScope":"all","state":"open","statistic":"\#(statistic)","#
            + #""tzId":"Europe/Berlin","unit":"\#(unit)","v":1,"value":\#(value)\#(more)}"#
    }

    @Test("an aggregate is a total, and no sample")
    func sum() throws {
        let steps = try #require(Catalogue.type(named: "stepCount"))
        let intake = try CollectedIntake(exporter: [
            aggregate("step_count", "sum", "count", "1234.5")
        ])
        #expect(intake.samples.isEmpty)
        #expect(
            intake.totals == [
                ExternalTotal(
                    type: steps.code, statistic: .sum,
                    start: day + 28_800, end: day + 32_400, value: 1234.5, unit: "count",
                    series: "phone-1|sum|PT1H|Europe/Berlin|all", revision: 4, index: 0)
            ])
        #expect(intake.recordCount == 1)
    }

    @Test(
        "each statistic has its meaning and unit",
        arguments: [
            ("heart_rate", "mean", "bpm", "average", "count/min"),
            ("heart_rate", "weightedMean", "bpm", "average", "count/min"),
            ("heart_rate", "min", "bpm", "minimum", "count/min"),
            ("heart_rate", "max", "bpm", "maximum", "count/min"),
            ("heart_rate", "count", "count", "count", "count"),
            ("heart_rate", "duration", "s", "duration", "s"),
            ("body_mass", "mostRecent", "kg", "latest", "kg"),
            ("walking_running_distance", "sum", "km", "sum", "km"),
        ])
    func statistics(
        metric: String, word: String, unit: String, statistic: String, symbol: String
    ) throws {
        let intake = try CollectedIntake(exporter: [aggregate(metric, word, unit, "61.25")])
        let total = try #require(intake.totals.first)
        #expect(total.statistic.rawValue == statistic)
        #expect(total.value == 61.25)
        #expect(total.unit == symbol)
        #expect(total.series == "phone-1|\(word)|PT1H|Europe/Berlin|all")
    }

    @Test("the duration of a category is a total")
    func category() throws {
        let record = aggregate("", "duration", "min", "412")
            .replacing(
                #""metricId":"""#,
                with: #""hkIdentifier":"HKCategoryTypeIdentifierSleepAnalysis""#)
        let intake = try CollectedIntake(exporter: [record])
        #expect(
            intake.totals.map { Catalogue.type(code: $0.type)?.name } == ["sleepAnalysis"])
        #expect(intake.totals.map(\.value) == [412])
        #expect(intake.totals.map(\.unit) == ["min"])
    }

    @Test("a percentage becomes a fraction, and an impossible one is kept as unknown")
    func percentages() throws {
        let intake = try CollectedIntake(exporter: [
            aggregate("oxygen_saturation", "mean", "%", "96.5"),
            aggregate("oxygen_saturation", "max", "%", "105"),
            aggregate("oxygen_saturation", "count", "count", "31"),
        ])
        #expect(intake.totals.map(\.value) == [0.965, 31])
        #expect(intake.totals.map(\.unit) == ["%", "count"])
        #expect(intake.unknown.map(\.name) == ["quality"])
    }

    @Test("totals of one source name it, and other scopes, exporters and zones are other series")
    func series() throws {
        let single = aggregate("step_count", "sum", "count", "5")
            .replacing(
                #""sourceScope":"all""#, with: #""sourceName":"Pho|ne","sourceScope":"single""#)
        let folded = aggregate("step_count", "sum", "count", "6")
            .replacing("hkStatisticsCollectionQuery", with: "localSampleFold")
        let bare =
            #"{"bucketDurationSeconds":60,"bucketStart":"2026-03-01T08:00:00Z","kind":"aggregate","#
            + #""metricId":"step_count","sourceName":"Phone","statistic":"sum","tzId":"a|b","#
            + #""unit":"count","value":"7"}"#
        let intake = try CollectedIntake(exporter: [single, folded, bare])
        #expect(intake.totals.map(\.value) == [5, 6, 7])
        #expect(intake.totals.map(\.source) == ["Pho|ne", "", ""])
        #expect(
            intake.totals.map(\.series) == [
                "phone-1|sum|PT1H|Europe/Berlin|single",
                "phone-1|sum|PT1H|Europe/Berlin|all|localSampleFold", #"phone-1|sum||a\|b|"#,
            ])
        #expect(intake.totals.map(\.end) == [day + 32_400, day + 32_400, day + 28_860])
        #expect(intake.totals.map(\.revision) == [4, 4, 0])
        #expect(intake.totals.map(\.index) == [0, 1, 2])
    }

    @Test("an aggregate that isn't understood is kept, and an invalid one is rejected")
    func others() throws {
        let valid = aggregate("step_count", "sum", "count", "5")
        let intake = try CollectedIntake(exporter: [
            valid.replacing("\"value\":5", with: "\"value\":null"),
            valid.replacing("\"sum\"", with: "\"median\""),
            valid.replacing("step_count", with: "moonlight"),
            valid.replacing("\"value\":5", with: "\"value\":\"few\""),
            valid.replacing("\"value\":5", with: "\"value\":1e400"),
            valid.replacing("\"unit\":\"count\"", with: "\"unit\":\"kg\""),
            valid.replacing("\"bucketEnd\":\"2026-03-01T09", with: "\"bucketEnd\":\"2026-03-01T08"),
            valid.replacing("\"bucketStart\":\"2026", with: "\"bucketStart\":\"soon"),
            valid.replacing("\"bucketEnd\"", with: "\"bucketStop\""),
        ])
        #expect(intake.totals.isEmpty)
        #expect(
            intake.unknown.map(\.name) == [
                "aggregate without value", "aggregate median", "moonlight",
            ])
        #expect(
            intake.rejections.map(\.reason) == [
                .value, .value, .unit, .endBeforeStart, .date, .date,
            ])
        #expect(
            intake.rejections.map(\.field) == [
                "value", "value", "unit", "bucketEnd", "bucketStart", "bucketEnd",
            ])
    }
}
