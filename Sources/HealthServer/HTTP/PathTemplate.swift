#if Server
    import Foundation
    import HealthDashboard

    /// Paths for the log of requests, with a name in place of each component that can be any text:
    /// a person, a token, a type or a workout.
    ///
    /// ```swift
    /// PathTemplate.text(RequestTarget("/v1/stats/stepCount?by=day"))  // "/v1/stats/{type}"
    /// ```
    enum PathTemplate {
        /// What is logged for an address that this server doesn't have, since it can be any text.
        static let other = "other"

        /// Returns the template of an address.
        ///
        /// - Parameter target: The address; nil for one that can't be parsed.
        /// - Returns: The path with names in braces, or ``other``.
        static func text(_ target: RequestTarget?) -> String {
            guard let target else { return other }
            let words = components(target.path)
            let found = all.first { template in
                template.components.count == words.count
                    && zip(template.components, words).allSatisfy { $0.first == "{" || $0 == $1 }
            }
            return found?.text ?? other
        }

        /// All templates, those with fewer names first.
        private static let all: [(components: [Substring], text: String)] = {
            let paths = Set(described + served + IntakeEndpoint.all.map { template($0.path) })
            return paths.map { path in
                // Addresses are compared without it.
                (components(path.hasSuffix(".json") ? String(path.dropLast(5)) : path), path)
            }.sorted { names($0.1) < names($1.1) }
        }()

        private static func components(_ path: String) -> [Substring] {
            path.split(separator: "/", omittingEmptySubsequences: false)
        }

        private static func names(_ path: String) -> Int { path.count { $0 == "{" } }

        /// Returns a route with names in braces: "/users/{user}" for "/users/:user".
        private static func template(_ route: String) -> String {
            components(route).map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0) }
                .joined(separator: "/")
        }

        /// The paths of the description.
        private static let described: [String] = {
            struct Description: Decodable {
                struct Operations: Decodable { init(from decoder: any Decoder) {} }
                var paths: [String: Operations]
            }
            let json = Data(OpenAPIDescription.json.utf8)
            let description = try? JSONDecoder().decode(Description.self, from: json)
            return description.map { Array($0.paths.keys) } ?? []
        }()

        /// The paths of pages, files and other addresses that aren't described.
        private static let served = [
            SummaryPage.path, ComparePage.path, TypePage.path, TypePage.path + "/{type}", "/trends",
            TypePage.yearPath, TypePage.yearPath + "/{type}", BrowsePage.path, ReportPage.path,
            NotesPage.path, ImportPage.path, PersonsPage.path, SettingsPage.path,
            ImportScript.path,
            CardsPage.path, SleepPage.path, WorkoutsPage.path,
            WorkoutsPage.path + "/{workout}", WeightPage.path, WhyPage.path, DataPage.path,
            DataQualityPage.path, PageFrame.accessesPath, "/login", "/health", Stylesheet.path,
            Script.path, EventStreams.path,
        ]
    }
#endif
