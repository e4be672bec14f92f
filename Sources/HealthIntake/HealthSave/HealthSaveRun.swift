import HealthEngine
import HealthStorage

/// The run that a batch belongs to, as its header fields `X-HealthSave-…` and its numbers state it.
///
/// `Full-Export` says that the run has all samples of the metric. Their values aren't specified, so
/// a run counts as complete only if every field that could limit it is understood.
struct HealthSaveRun {
    private let headers: IntakeHeaders
    private let batch: JSONValue
    private let metric: String

    /// - Parameters:
    ///   - headers: The header fields of the request.
    ///   - batch: The body's fields other than its records.
    ///   - metric: The name of the metric.
    init(_ headers: IntakeHeaders, _ batch: JSONValue, metric: String) {
        self.headers = headers
        self.batch = batch
        self.metric = metric
    }

    /// Returns the statement that a run has all samples of a type; nil if it doesn't say so, if it
    /// continues an earlier one, or without a type.
    func completion(of type: SampleType?) -> IntakeCompletion? {
        guard let type, field("Full-Export") == "true",
            field("Anchor-Present") ?? "false" == "false"
        else { return nil }
        var completion = IntakeCompletion(type: type.code)
        if let text = field("Query-Lower-Bound") {
            guard let bound = IntakeDate.reading(text), !bound.isDay, bound.offset != nil else {
                return nil
            }
            completion.from = bound.seconds
        }
        guard let index = number("batch_index", "Batch-Index"),
            let count = number("total_batches", "Total-Batches")
        else { return nil }
        guard let run = field("Sync-Run-ID") ?? (count == 1 ? "" : nil) else { return nil }
        completion.part = IntakeCompletion.Part(
            series: metric, run: String(run.prefix(100)), index: index, count: count)
        return completion
    }

    private func field(_ name: String) -> String? { headers["X-HealthSave-" + name] }

    /// Returns a number that the body or the header states; nil if they differ, or if one isn't
    /// understood.
    private func number(_ name: String, _ header: String) -> Int? {
        let stated = [batch[name].map(\.integer), field(header).map { Int($0) }].compactMap(\.self)
        return stated.allSatisfy { $0 == stated[0] } ? stated.first ?? nil : nil
    }
}
