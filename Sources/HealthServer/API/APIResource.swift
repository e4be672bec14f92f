package import HealthStorage

/// A resource of the read API: a path and the function that returns its JSON.
package struct APIResource: Sendable {
    /// What follows the path.
    package enum Naming: Sendable {
        /// Nothing, as in "/v1/types".
        case unnamed
        /// A name, as in "/v1/stats/stepCount".
        case named
    }

    /// What a resource returns, which decides whether a token for statistics may read it.
    package enum Contents: Sendable {
        /// Sums, averages and lists.
        case statistics
        /// Single samples or workouts.
        case samples
    }

    /// A query item that a resource accepts.
    package struct Parameter: Hashable, Sendable {
        /// The name in the address.
        package var name: String
        /// Whether it can be repeated.
        package var isRepeatable: Bool

        /// Creates a parameter that can be given once.
        package static func once(_ name: String) -> Parameter {
            Parameter(name: name, isRepeatable: false)
        }

        /// Creates a parameter that can be repeated.
        package static func repeated(_ name: String) -> Parameter {
            Parameter(name: name, isRepeatable: true)
        }
    }

    /// The path without the name, such as "/v1/stats".
    package var path: String
    /// What follows the path.
    package var naming: Naming
    /// What it returns.
    package var contents: Contents
    /// The accepted query items. Others are answered with status 400.
    package var parameters: [Parameter]
    /// Returns the JSON of a request. Errors of the types ``APIProblem``, `StoreError` and
    /// `CalendarError` give a matching status, others status 500.
    package var respond: @Sendable (APIRequest) async throws -> String

    package init(
        at path: String, _ naming: Naming = .unnamed, _ contents: Contents = .statistics,
        parameters: [Parameter] = [],
        respond: @escaping @Sendable (APIRequest) async throws -> String
    ) {
        self.path = path
        self.naming = naming
        self.contents = contents
        self.parameters = parameters
        self.respond = respond
    }
}

/// A request to a resource, after its token and its query items were checked.
package struct APIRequest: Sendable {
    /// The component after the resource's path; empty if it has none.
    package var name: String
    /// The query items without those that are empty, in order.
    package var query: [PageQuery.Field]
    /// What the bearer of the token may read.
    package var scope: ReadScope
    /// Returns wake-ups after changes of the store, from the call on. They end with the server, and
    /// if the bearer opens too many of them.
    package var changes: @Sendable () -> AsyncStream<Void>

    package init(
        name: String = "", query: [PageQuery.Field] = [], scope: ReadScope = ReadScope(),
        changes: @escaping @Sendable () -> AsyncStream<Void> = { AsyncStream { $0.finish() } }
    ) {
        self.name = name
        self.query = query
        self.scope = scope
        self.changes = changes
    }

    /// Returns the value of a query item; nil if it is missing or empty.
    package subscript(name: String) -> String? { query.first { $0.name == name }?.value }

    /// Returns all values of a query item, in order.
    package func all(_ name: String) -> [String] {
        query.filter { $0.name == name }.map(\.value)
    }
}

/// The read API: what a server serves under "/v1" to the bearers of read tokens.
package struct ReadAPI: Sendable {
    /// The beginning of all paths.
    static let prefix = "/v1/"

    /// The resources.
    package var resources: [APIResource]
    /// Returns the valid read token with a text; nil for any other text. It is called on each
    /// request, so that a token can be added and removed while the server runs.
    package var token: @Sendable (String) async throws -> ReadToken?

    package init(
        resources: [APIResource], token: @escaping @Sendable (String) async throws -> ReadToken?
    ) {
        self.resources = resources
        self.token = token
    }

    /// Returns the resource at a path, and the name after it; nil if there is none.
    func resource(at path: String) -> (resource: APIResource, name: String)? {
        for resource in resources {
            switch resource.naming {
            case .unnamed where resource.path == path: return (resource, "")
            case .named where path.hasPrefix(resource.path + "/"):
                let name = path.dropFirst(resource.path.count + 1)
                if !name.isEmpty, !name.contains("/") { return (resource, String(name)) }
            default: continue
            }
        }
        return nil
    }
}
