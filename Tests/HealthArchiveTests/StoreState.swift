import Foundation
import GRDB
import HealthStorage

/// Enough of a store to tell one state from another; absent where there is no file.
enum StoreState: Equatable {
    case absent
    case present(String)

    static func of(_ path: String) throws -> StoreState {
        guard FileManager.default.fileExists(atPath: path) else { return .absent }
        let store = try SampleStore(at: path, access: .reading)
        let breaches = try store.check()
        try store.close()
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        let row = try queue.read { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT count(*), total(value), total(start_time), max(sequence),
                           (SELECT count(*) FROM removed), (SELECT count(*) FROM tombstone),
                           (SELECT count(*) FROM import), (SELECT count(*) FROM raw_element),
                           (SELECT count(*) FROM source), (SELECT count(*) FROM metadata),
                           (SELECT total(value) FROM store WHERE key = 'lastSequence')
                    FROM sample
                    """)
        }
        return .present("\(row.map { "\($0)" } ?? "") \(breaches)")
    }

    var isSound: Bool {
        if case .present(let text) = self { return text.hasSuffix("[]") }
        return true
    }
}
