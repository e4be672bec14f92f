/// A closure as a destination.
struct LaneDestination: ChangeDestination {
    let body: @Sendable (ChangeBatch) async throws -> Void

    func take(_ batch: ChangeBatch) async throws { try await body(batch) }
}
