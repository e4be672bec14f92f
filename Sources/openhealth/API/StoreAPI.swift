import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

/// The resources of the read API for one store. Each returns the JSON of the command of its name,
/// from the same functions.
struct StoreAPI: Sendable {
    let store: SampleStore
    /// The time zone of `--time-zone`; nil for the store's home zone, else the system's.
    let timeZone: TimeZone?
    /// The goal of steps a day; nil for none.
    let stepGoal: Double?
    /// The queue of blocking reads.
    let queue = BlockingWork("api", .serial)

    /// Opens a store for the API. The connection is its own, so that the API and the pages don't
    /// wait for each other.
    ///
    /// - Throws: `StoreError` if there is no readable store.
    init(storeAt path: String, timeZone: TimeZone?, stepGoal: Double?) throws {
        store = try SampleStore(at: path, access: .reading)
        self.timeZone = timeZone
        self.stepGoal = stepGoal
    }

    /// The API as a server needs it, with the tokens beside the store.
    var api: ReadAPI {
        let tokens = ReadTokens(besideStore: store.path)
        return api { try await tokens.token($0) }
    }

    /// The API with other tokens.
    ///
    /// - Parameter token: Returns the valid token with a text.
    func api(
        checking token: @escaping @Sendable (String) async throws -> ReadToken?
    ) -> ReadAPI {
        ReadAPI(resources: resources, token: token)
    }

    private var resources: [APIResource] {
        let range = Self.rangeParameters
        return [
            resource("/v1/types", parameters: [.once("time-zone")], blocking(types)),
            resource(
                "/v1/sources", parameters: [.once("type"), .once("time-zone")], blocking(sources)),
            resource(
                "/v1/stats", .named,
                parameters: range + [
                    .once("by"), .once("unit"), .repeated("source"), .once("by-source"),
                    .once("week-starts"),
                ]
            ) { try await stats($0) },
            resource(
                "/v1/explain", .named, parameters: [.once("day"), .once("time-zone")],
                blocking(explain)),
            resource(
                "/v1/summary", parameters: [.once("day"), .once("period"), .once("time-zone")]
            ) { try await summary($0) },
            resource("/v1/sleep", parameters: range + [.repeated("source")]) {
                try await sleep($0)
            },
            resource("/v1/workouts", .unnamed, .samples, parameters: range, blocking(workouts)),
            resource(
                "/v1/samples", .named, .samples,
                parameters: range + [.repeated("source"), .once("limit"), .once("cursor")]
            ) { request in try await queue.run { try samples(request) } },
            resource(
                "/v1/changes", .unnamed, .samples,
                parameters: [.once("after"), .once("limit"), .once("wait"), .once("time-zone")]
            ) { try await changes($0) },
        ]
    }

    private static let rangeParameters: [APIResource.Parameter] = [
        .once("from"), .once("to"), .once("time-zone"),
    ]

    /// Returns a function that calls a blocking one on the queue.
    private func blocking(
        _ body: @escaping @Sendable (APIRequest) throws -> JSONText
    ) -> @Sendable (APIRequest) async throws -> String {
        { request in try await queue.run { try body(request).text + "\n" } }
    }

    /// Creates a resource that answers errors in the arguments as problems.
    private func resource(
        _ path: String, _ naming: APIResource.Naming = .unnamed,
        _ contents: APIResource.Contents = .statistics, parameters: [APIResource.Parameter],
        _ body: @escaping @Sendable (APIRequest) async throws -> String
    ) -> APIResource {
        APIResource(at: path, naming, contents, parameters: parameters) { request in
            do {
                return try await body(request)
            } catch let error as UsageError {
                throw APIProblem.request(error.description.withoutOptionDashes)
            } catch let error as CommandError {
                throw APIProblem.unavailable(error.description.withoutOptionDashes)
            } catch let error as Unavailability {
                throw APIProblem.unavailable(error.description)
            }
        }
    }
}

extension String {
    /// The text with query items in place of options: "choose a longer --by" becomes "choose a
    /// longer by".
    fileprivate var withoutOptionDashes: String { replacing("--", with: "") }
}

extension ReadScope {
    /// What the bearer may read of each type that is permitted.
    var visibilityOfPermittedTypes: Visibility {
        Visibility(others: Visibility.Grant(earliest: earliest))
    }

    /// Returns what the bearer may read, for queries of all types.
    func visibility(in store: SampleStore) throws -> Visibility {
        let shown = Visibility.Grant(earliest: earliest)
        guard let types else { return Visibility(others: shown) }
        var visibility = Visibility(others: .none)
        for identifier in types {
            // A type that the store doesn't have yet has no code and no samples.
            guard let type = try? store.type(named: identifier) else { continue }
            visibility.grants[type.code] = shown
        }
        return visibility
    }

    /// Whether a type may be read.
    func allows(_ identifier: String) -> Bool { types?.contains(identifier) ?? true }
}
