import Foundation
import GRDB

/// The rows of a store's file, read without the store.
enum StoreRows {
    private static let derived: Set = ["segment", "edit", "grdb_migrations"]

    /// Returns all rows except those that a store derives, as sorted lines.
    static func lines(ofStoreAt path: String) throws -> [String] {
        var configuration = Configuration()
        configuration.readonly = true
        let file = try DatabaseQueue(path: path, configuration: configuration)
        return try file.read { db in
            let tables = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
            return try tables.filter { !derived.contains($0) && !$0.hasPrefix("sqlite_") }
                .flatMap { table in
                    try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map {
                        "\(table) \($0.databaseValues.map { "\($0)" })"
                    }.filter { !$0.contains("logPosition") }.sorted()
                }
        }
    }
}
