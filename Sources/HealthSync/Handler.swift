/// A closure as a destination.
struct Handler: ChangeDestination {
    let body: @Sendable (ChangeBatch) async throws -> Void

    func take(_ batch: ChangeBatch) async throws { try await body(batch) }
}
