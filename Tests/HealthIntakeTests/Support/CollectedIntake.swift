import HealthEngine
import HealthStorage

@testable import HealthIntake

/// All pages of one body, joined.
struct CollectedIntake {
    /// A sample with the values that its indices refer to.
    struct Received {
        var type: String
        var start: Double
        var end: Double
        var value: Double
        var unit: String?
        var source: Source
        var origin: Origin
        var metadata: Metadata
        var detail: SampleDetail?
        var identity: IntakeIdentity
        var index: Int
        /// The index of the containing correlation or workout in ``samples``.
        var parent: Int?
    }

    private(set) var samples: [Received] = []
    private(set) var deletions: [IntakeDeletion] = []
    private(set) var totals: [ExternalTotal] = []
    private(set) var unknown: [UnknownRecord] = []
    private(set) var routes: [LateRoute] = []
    private(set) var medications: [Medication] = []
    private(set) var rejections: [IntakeRejection] = []
    private(set) var completions: [IntakeCompletion] = []
    private(set) var pageSizes: [Int] = []
    private(set) var recordCount = 0

    /// 2026-03-02 00:00:00 UTC, in reference seconds, as the time of arrival.
    static let arrival = 794_102_400.0

    init(
        _ dialect: IntakeDialect, _ body: String, headers: [(name: String, value: String)] = [],
        after firstRecord: Int = 0, limit: Int = 10_000
    ) throws {
        let request = IntakeRequest(
            dialect, IntakeBody(body), headers: IntakeHeaders(headers), receivedAt: Self.arrival)
        var pages: [IntakeBatch] = []
        recordCount = try request.readPages(after: firstRecord, limit: limit) { pages.append($0) }
        for page in pages { add(page) }
    }

    private mutating func add(_ page: IntakeBatch) {
        let first = samples.count
        pageSizes.append(page.recordCount)
        completions += page.completions
        for (place, sample) in page.samples.samples.enumerated() {
            let origin = page.samples.origins[Int(sample.origin)]
            samples.append(
                Received(
                    type: Catalogue.type(code: sample.type)?.name ?? "",
                    start: sample.start, end: sample.end, value: sample.value, unit: origin.unit,
                    source: page.samples.sources[Int(origin.source)], origin: origin,
                    metadata: page.samples.metadata(of: sample) ?? [:],
                    detail: page.samples.details[place], identity: page.identities[place],
                    index: page.indices[place],
                    parent: page.samples.parents[place].map { $0 + first }))
        }
        deletions += page.deletions
        totals += page.totals
        unknown += page.unknown
        routes += page.routes
        medications += page.medications
        rejections += page.rejections
    }
}
