import HealthTesting

@testable import OpenHealthKit
@testable import PortableConformance

/// A run of the portable suite as a process of its own, on a file, which writes its report.
///
/// This repeats what a person with a phone does: the second source saves its samples, then the
/// tests run.
struct ReportedRun {
    enum SecondSourceSamples { case saved, missing }

    let report: ConformanceReport
    /// The bytes of the report's file.
    let file: Data
    /// The output of the tests.
    let output: String
    /// The number of the second source's samples after the run.
    let remaining: Int
    /// The number of the suite's own samples after the run.
    let own: Int

    init(_ second: SecondSourceSamples) async throws {
        let folder = try TemporaryFolder()
        let (path, url) = (
            folder.path + "/health.sqlite", URL(fileURLWithPath: folder.path + "/report.json")
        )
        // The child process has the name of this one, so that it has these permissions.
        let app = try HKHealthStore(path: path, identity: .current)
        // Prescriptions are read by single objects, so their type is only shared.
        try await app.requestAuthorization(
            toShare: TestDays.writtenTypes.union([HKObjectType.visionPrescriptionType()]),
            read: Set<HKObjectType>(TestDays.writtenTypes))
        let other = app.withIdentity(
            AppIdentity(
                "org.example.openhealthkit" + SecondSource.identifierSuffix, name: "SecondSource"))
        if second == .saved {
            try await AppIdentity.withCurrent(other.identity) {
                try await SecondSource.save(to: other)
            }
        }
        let program = try ProgramRun.ofTests(only: "PortableConformance")
        var environment = ProcessInfo.processInfo.environment
        environment["OPENHEALTH_STORE"] = path
        environment["OPENHEALTH_CONFORMANCE_REPORT"] = url.path
        let run = try ProgramRun(program.program, program.arguments, environment: environment)
        output = run.output + run.errors
        file = try Data(contentsOf: url)
        report = try JSONDecoder().decode(ConformanceReport.self, from: file)
        var counts = (remaining: 0, own: 0)
        for type in TestDays.writtenTypes {
            for sample in try await app.samples(type) {
                let isOther = sample.sourceRevision.source == other.identity.source
                counts =
                    isOther
                    ? (counts.remaining + 1, counts.own) : (counts.remaining, counts.own + 1)
            }
        }
        (remaining, own) = counts
    }

    /// A run with the second source's samples, for tests that only read it.
    static let complete = Task { try await ReportedRun(.saved) }

    func result(_ rule: String) -> ConformanceReport.Result? {
        report.results.first { $0.rule == rule }
    }
}
