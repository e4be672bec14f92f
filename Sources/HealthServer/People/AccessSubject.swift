#if People
    import HealthDashboard

    /// What a request for a person's data asks for, as a line of the access log has it: the
    /// resource with its categories of data, and the days. No other field of a query is logged,
    /// because it may be a health value.
    struct AccessSubject {
        private static let categories: Set = ["metric", "other", "activity"]
        private static let dayFields: Set = ["from", "to", "from2", "to2", "day", "period"]

        private let target: RequestTarget

        init(_ target: RequestTarget) { self.target = target }

        /// The path, with the fields of the query that name a type: "/why metric=stepCount". Cut to
        /// lengths that no valid request needs.
        var resource: String {
            ([String(target.path.prefix(100))] + fields(Self.categories)).joined(separator: " ")
        }

        /// The fields of the query that limit the days; nil if there are none.
        var days: String? {
            let days = fields(Self.dayFields)
            return days.isEmpty ? nil : days.joined(separator: " ")
        }

        private func fields(_ names: Set<String>) -> [String] {
            target.query.lazy.filter { names.contains($0.name) }.prefix(8).map {
                "\($0.name)=\(PrintableText.text(String($0.value.prefix(60))))"
            }
        }
    }
#endif
