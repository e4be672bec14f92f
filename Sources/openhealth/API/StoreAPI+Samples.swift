import Foundation
import HealthCalendar
import HealthEngine
import HealthServer
import HealthStorage

extension StoreAPI {
    /// The maximum number of samples of an answer.
    static let maximumSamples = 10_000
    /// The number of samples of an answer without `limit`.
    static let defaultSamples = 1_000

    @Sendable func workouts(_ request: APIRequest) throws -> JSONText {
        _ = try request.type("workout", in: store)
        let calendar = try request.calendar(of: store, timeZone)
        let times = try request.times(calendar)
        return try store.withReadSnapshot { snapshot in
            let rows = try WorkoutList.rows(
                snapshot, from: times.from, to: times.to,
                earliest: request.scope.earliest ?? -.infinity)
            return WorkoutList.json(rows, calendar)
        }
    }

    /// Returns a page of samples as recorded: the JSON of `samples`, and in `next` the cursor of
    /// the next page, or null.
    @Sendable func samples(_ request: APIRequest) throws -> String {
        let type = try request.type(request.name, in: store)
        let calendar = try request.calendar(of: store, timeZone)
        let query = try request.query(type, calendar)
        let limit = try request.number(
            "limit", in: 1...StoreAPI.maximumSamples, default: StoreAPI.defaultSamples)
        let binding = try CursorBinding(store, request.scope, type.identifier)
        let position = try request["cursor"].map { try binding.samplePosition($0) }
        let page = try store.page(of: query, after: position, limit: limit)
        let listing = SampleListing(
            type: type, contents: .samples, calendar: calendar, format: .json, limit: nil)
        let columns = SampleColumns()
        var text = listing.head(columns)
        for index in page.batch.samples.indices {
            if index > 0 { text += "," }
            text += listing.text(index, page.uuids[index], in: page.batch, columns)
        }
        let next = page.next.map(binding.cursor(after:))
        return text + "],\"next\":" + JSONText.text(next).text + "}\n"
    }
}

/// The cursors of one store and one scope. A cursor is opaque to clients: a position and the digest
/// of what it belongs to.
struct CursorBinding {
    private let digest: String

    /// - Parameters:
    ///   - store: The store.
    ///   - scope: What the token permits.
    ///   - list: What the cursor is a position in, such as the identifier of a type.
    init(_ store: SampleStore, _ scope: ReadScope, _ list: String) throws {
        let parts: [String] = [
            try store.identifier, scope.types.map { $0.sorted().joined(separator: " ") } ?? "all",
            scope.earliest.map { String($0.bitPattern) } ?? "", list,
        ]
        digest = String(SHA256.hexadecimal(parts.joined(separator: "\n").utf8).prefix(16))
    }

    func cursor(_ numbers: [Int64]) -> String {
        (numbers.map { String($0, radix: 36) } + [digest]).joined(separator: ".")
    }

    /// Returns the numbers of a cursor.
    ///
    /// - Throws: ``APIProblem`` for a text that isn't a cursor, or for one of another store, scope
    ///   or list.
    func numbers(_ cursor: String, count: Int) throws(APIProblem) -> [Int64] {
        let parts = cursor.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = parts.last, last.utf8.count == digest.utf8.count,
            last.allSatisfy(\.isHexDigit)
        else { throw .malformedCursor }
        let numbers = parts.dropLast().compactMap { Int64($0, radix: 36) }
        guard parts.count == count + 1, numbers.count == count else { throw .malformedCursor }
        guard last == digest else { throw .foreignCursor }
        return numbers
    }

    func cursor(after position: SamplePosition) -> String {
        cursor([Int64(bitPattern: position.start.bitPattern), position.key])
    }

    func samplePosition(_ cursor: String) throws(APIProblem) -> SamplePosition {
        let numbers = try numbers(cursor, count: 2)
        let start = Double(bitPattern: UInt64(bitPattern: numbers[0]))
        guard start.isFinite else { throw .malformedCursor }
        return SamplePosition(start: start, key: numbers[1])
    }
}
