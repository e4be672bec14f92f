import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct HealthSaveRunTests {
    private let sample = HealthSaveText.sample(1, #""qty":420,"unit":"count""#)

    private func completions(
        _ headers: [String: String], index: Int = 0, count: Int = 1, metric: String = "step_count"
    ) throws -> [IntakeCompletion] {
        let body =
            #"{"samples":[\#(sample)],"total_batches":\#(count),"batch_index":\#(index),"#
            + #""metric":"\#(metric)","schema_version":2}"#
        let fields = headers.map { (name: "x-healthsave-" + $0.key, value: $0.value) }
        return try CollectedIntake(.healthSave, body, headers: fields).completions
    }

    private func steps() throws -> Int32 {
        try #require(Catalogue.type(identifier: "HKQuantityTypeIdentifierStepCount")?.code)
    }

    @Test("a full export is complete, from its lower bound on, with its part of the run")
    func full() throws {
        let part = IntakeCompletion.Part(series: "step_count", run: "r1", index: 1, count: 3)
        let headers = [
            "Full-Export": "true", "Sync-Run-ID": "r1", "Anchor-Present": "false",
            "Query-Lower-Bound": "2026-03-01T00:00:00Z",
        ]
        #expect(
            try completions(headers, index: 1, count: 3) == [
                IntakeCompletion(type: steps(), from: HealthSaveText.day, part: part)
            ])
        let single = IntakeCompletion.Part(series: "step_count", run: "", index: 0, count: 1)
        #expect(
            try completions(["Full-Export": "true"]) == [
                IntakeCompletion(type: steps(), part: single)
            ])
    }

    @Test(
        "a run that is limited, or whose fields aren't understood, isn't complete",
        arguments: [
            [:], ["Full-Export": "false"], ["Full-Export": "maybe"],
            ["Full-Export": "1"], ["Full-Export": "true", "Total-Batches": "2"],
            ["Full-Export": "true", "Anchor-Present": "true"],
            ["Full-Export": "true", "Anchor-Present": "?"],
            ["Full-Export": "true", "Query-Lower-Bound": "long ago"],
            ["Full-Export": "true", "Query-Lower-Bound": "2026-03-01"],
            ["Full-Export": "true", "Query-Lower-Bound": "2026-03-01T00:00:00"],
        ] as [[String: String]])
    func limited(headers: [String: String]) throws {
        #expect(try completions(headers).isEmpty)
    }

    @Test("parts without a run, unknown metrics and version 1 aren't complete")
    func others() throws {
        #expect(try completions(["Full-Export": "true"], count: 2).isEmpty)
        #expect(try completions(["Full-Export": "true"], metric: "moonlight").isEmpty)
        let first = HealthSaveText.version1("step_count", [])
        let fields = [(name: "X-HealthSave-Full-Export", value: "true")]
        #expect(try CollectedIntake(.healthSave, first, headers: fields).completions.isEmpty)
    }
}
