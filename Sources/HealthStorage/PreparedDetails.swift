public import HealthEngine

/// Structured parts of a batch's samples as the file holds them, for a reader that runs beside the
/// thread that writes.
///
/// ```swift
/// try writer.write(batch, PreparedDetails(of: batch))   // the same as writer.write(batch)
/// ```
/// Workouts with routes are left to the writer, since their points have rows of their own.
public struct PreparedDetails: Sendable {
    private var texts: [Int: String] = [:]

    /// Nothing is prepared.
    public init() {}

    /// - Throws: What encoding a structured part throws.
    /// - Complexity: O(details).
    public init(of batch: SampleBatch) throws {
        for (index, detail) in batch.details {
            if case .workout(let workout) = detail, !workout.routes.isEmpty { continue }
            texts[index] = try StoredText.detail(detail)
        }
    }

    /// The text of the sample at an index; nil where none is prepared.
    subscript(index: Int) -> String? { texts.isEmpty ? nil : texts[index] }
}
