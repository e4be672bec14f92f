/// What a request asks of a page: the address without its host, taken apart.
public struct PageQuestion: Hashable, Sendable {
    /// The page's own path: "/workouts".
    public var path: String
    /// What follows the path, where a page has such: the workout of "/workouts/0C9A…".
    public var name: String?
    /// The names and values behind the question mark, in order, decoded.
    public var query: [Field]
    /// The fields of a form that was sent, likewise; empty unless it is one.
    public var form: [Field]
    /// What a form on the page sends back in its field `csrf`.
    public var formKey: String

    /// A name and its value.
    public struct Field: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public init(
        path: String, name: String? = nil, query: [Field] = [], form: [Field] = [],
        formKey: String = ""
    ) {
        self.path = path
        self.name = name
        self.query = query
        self.form = form
        self.formKey = formKey
    }

    /// The first value of a name, of the form before the query; nil if there is none or it is empty.
    public subscript(name: String) -> String? {
        let value = form.first { $0.name == name } ?? query.first { $0.name == name }
        return value.flatMap { $0.value.isEmpty ? nil : $0.value }
    }
}

/// Why a page can't answer a question: a sentence for the person, without a health value.
public enum PageError: Error, Hashable, Sendable {
    /// The address asks for what can't be: a day that no calendar has.
    case badQuestion(String)
    /// There is nothing of that name.
    case notFound(String)
    /// It can't be read now.
    case unavailable(String)
}
