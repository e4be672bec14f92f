import Foundation

extension Array where Element == UUID {
    /// In an order of their own, to compare what has none.
    func sorted() -> [UUID] { sorted { $0.uuidString < $1.uuidString } }
}
