import HealthCalendar
import HealthEngine
import HealthStorage

/// The output of `tokens`: the valid tokens, without their secrets.
struct TokenList {
    private let tokens: [ReadToken]
    private let store: SampleStore
    private let calendar: CalendarBuckets

    init(tokens: [ReadToken], store: SampleStore, calendar: CalendarBuckets) {
        self.tokens = tokens.filter { $0.revokedAt == nil }
        self.store = store
        self.calendar = calendar
    }

    var json: JSONText {
        .object([
            "tokens": .array(
                tokens.map { token in
                    .object([
                        "id": .string(token.identifier),
                        "name": .string(token.name),
                        "types": token.scope.types.map { .array($0.sorted().map(JSONText.string)) }
                            ?? .null,
                        "since": .text(token.scope.earliest.map(calendar.text)),
                        "aggregatedOnly": .bool(token.scope.isAggregatedOnly),
                        "created": .string(calendar.text(token.createdAt)),
                        "lastUsed": .text(token.usedAt.map(calendar.text)),
                    ])
                })
        ])
    }

    var text: String {
        guard !tokens.isEmpty else {
            return StoreOptions.completed(
                "No tokens yet. Add one with: openhealth tokens add NAME\n")
        }
        var table = Table([
            .text("id"), .text("name", maximumWidth: 16), .text("reads", maximumWidth: 30),
            .text("last used"),
        ])
        for token in tokens {
            table.rows.append([
                token.identifier, token.name, reads(token.scope),
                token.usedAt.map(calendar.day) ?? "never",
            ])
        }
        return table.text
    }

    /// Describes a scope, as in "statistics of stepCount, heartRate since 2024-03-10".
    private func reads(_ scope: ReadScope) -> String {
        let names = scope.types.map { types in
            types.map { (try? store.type(named: $0).name) ?? $0 }.sorted().joined(separator: ", ")
        }
        return (scope.isAggregatedOnly ? "statistics of " : "") + (names ?? "all types")
            + (scope.earliest.map { " since " + calendar.day($0) } ?? "")
    }
}
