package import HealthStorage

/// An answer with a list that is cut to the answer budget. It says how much of the list it has and
/// how to get the rest.
package struct PagedAnswer {
    /// The maximum size of an answer in UTF-8. A longer one would fill the model's context, and
    /// some clients would cut it without a word.
    package static let budget = 8_000

    /// The members before the list.
    package var head: [(key: String, value: JSONText)]
    /// The name of the list.
    package var list: String
    /// The list from the position of the request's cursor on.
    package var rows: [JSONText]
    /// The number of rows before the position.
    package var skipped: Int
    /// The words for one row and for several, such as "day" and "days".
    package var noun: (one: String, many: String)

    package init(
        head: [(key: String, value: JSONText)], list: String, rows: [JSONText], skipped: Int = 0,
        noun: (one: String, many: String)
    ) {
        self.head = head
        self.list = list
        self.rows = rows
        self.skipped = skipped
        self.noun = noun
    }

    /// The properties of the list and of what is said about its length, for the output schema.
    package static func properties(_ list: String, of row: Schema) -> [Schema.Property] {
        [
            .required(list, .array(of: row)),
            .required("rowCount", .integer(nil, "The number of rows on all pages.")),
            .required("truncated", .boolean("Whether more rows follow on the next page.")),
            .optional("nextCursor", .text("Pass it as cursor to get the next page.")),
            .optional("more", .text("How much is left out, and how to get it.")),
        ]
    }

    /// Returns the answer within the budget.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of rows.
    ///   - cursor: Returns the cursor that continues after a number of rows of ``rows``.
    /// - Throws: ``ToolFailure`` if not even one row fits.
    package func json(
        limit: Int = .max, cursor: (Int) -> String
    ) throws(ToolFailure) -> JSONText {
        // The part besides the rows grows with the digits of the numbers and with the cursor.
        var size = answer(0, cursor: cursor(rows.count)).text.utf8.count + 40
        var count = 0
        for row in rows.prefix(limit) {
            size += row.text.utf8.count + 1
            if size > PagedAnswer.budget { break }
            count += 1
        }
        // An answer without a cursor is shorter, so a few more rows may fit.
        if limit >= rows.count, rows.count - count <= 16 {
            let whole = answer(rows.count, cursor: nil)
            if whole.text.utf8.count <= PagedAnswer.budget { return whole }
        }
        while count > 0 {
            let page = answer(count, cursor: cursor(count))
            if page.text.utf8.count <= PagedAnswer.budget { return page }
            count -= 1
        }
        if rows.isEmpty || limit == 0 { return answer(0, cursor: nil) }
        throw ToolFailure("The answer is too long. Ask for a shorter period or a longer by.")
    }

    private func answer(_ count: Int, cursor: String?) -> JSONText {
        let total = skipped + rows.count
        let left = total - skipped - count
        var members = head
        members.append((list, .array(Array(rows.prefix(count)))))
        members.append(("rowCount", .integer(total)))
        members.append(("truncated", .bool(cursor != nil)))
        if let cursor {
            members.append(("nextCursor", .string(cursor)))
            let words = skipped > 0 ? "this page has" : "this answer has the first"
            members.append(
                (
                    "more",
                    .string(
                        "Truncated: \(words) \(count) of \(total) "
                            + "\(total == 1 ? noun.one : noun.many); \(left) more follow. Repeat "
                            + "the call with the same arguments and cursor = nextCursor.")
                ))
        }
        return .object(members)
    }
}
