import Foundation
import HealthCalendar
import HealthEngine
import HealthServer
import HealthStorage

extension StoreAPI {
    /// Returns the store's state for notices: its last sequence number, and the cursor after it for
    /// a token that may read everything. Blocks.
    func head() throws -> HookSending.Head {
        let sequence = try store.lastSequence
        return HookSending.Head(
            sequence: sequence,
            cursor: try CursorBinding(store, ReadScope(), "changes").cursor([sequence]))
    }

    /// The maximum of `wait` in seconds.
    private static let maximumWait = 60

    /// Returns the samples saved and deleted after a cursor. With `wait`, an answer without changes
    /// is held back until there are some, or until the time is over.
    func changes(_ request: APIRequest) async throws -> String {
        let limit = try request.number(
            "limit", in: 1...StoreAPI.maximumSamples, default: StoreAPI.defaultSamples)
        let wait = try request.number("wait", in: 0...StoreAPI.maximumWait, default: 0)
        // Subscribed before reading, so that no change between the two is missed.
        let wakeUps = wait > 0 ? request.changes() : nil
        let first = try await page(request, after: nil, limit)
        guard let wakeUps, first.isEmpty else { return try await text(first, request) }
        return try await withThrowingTaskGroup { group in
            group.addTask {
                try await Task.sleep(for: .seconds(wait))
                return nil as ChangesPage?
            }
            group.addTask {
                var last = first
                for await _ in wakeUps {
                    last = try await page(request, after: last.changes.sequence, limit)
                    if !last.isEmpty { break }
                }
                return last
            }
            defer { group.cancelAll() }
            let found = try await group.next() ?? nil
            return try await text(found ?? first, request)
        }
    }

    /// Reads the changes after a sequence number, or after the request's cursor.
    private func page(
        _ request: APIRequest, after sequence: Int64?, _ limit: Int
    ) async throws -> ChangesPage {
        try await queue.run {
            let binding = try CursorBinding(store, request.scope, "changes")
            let after =
                try sequence ?? request["after"].map { try binding.numbers($0, count: 1)[0] }
            let visibility = try request.scope.visibility(in: store)
            let present = try store.presentTypes().filter {
                Catalogue.type(identifier: $0.identifier) == nil
            }
            let types = (Catalogue.types + present).filter {
                request.scope.allows($0.identifier)
            }
            // The store counts on from its last number, unless an older copy of it was restored.
            guard (0...(try store.lastSequence)).contains(after ?? 0) else {
                throw APIProblem.foreignCursor
            }
            let changes = try store.changes(
                types.map { SampleRequest($0) }, after: after ?? 0, changeLimit: limit,
                visibility: visibility)
            return ChangesPage(
                changes: changes,
                types: Dictionary(types.map { ($0.code, $0) }, uniquingKeysWith: { a, _ in a }),
                binding: binding, hasMore: try changes.sequence < store.lastSequence)
        }
    }

    private func text(_ page: ChangesPage, _ request: APIRequest) async throws -> String {
        try await queue.run { page.json(try request.calendar(of: store, timeZone)) }
    }
}
