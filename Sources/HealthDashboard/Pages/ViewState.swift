public import Foundation

/// What a view has to show.
public enum ViewState<Value: Sendable>: Sendable {
    /// Nothing yet: the first reading goes on.
    case nothingYet
    /// What was known before, while newer numbers are being read.
    case cached(Value, asOf: Date)
    /// What is true now.
    case fresh(Value, asOf: Date)
    /// Nothing was recorded, or reading wasn't allowed; the system doesn't say which.
    case empty(asOf: Date)
    /// It can't be read; with what was known before, if anything was.
    case unavailable(Unavailability, last: Value?, asOf: Date?)

    /// The value to show, however old.
    public var value: Value? {
        switch self {
        case .nothingYet, .empty: nil
        case .cached(let value, _), .fresh(let value, _): value
        case .unavailable(_, let last, _): last
        }
    }
}

extension ViewState: Equatable where Value: Equatable {}

/// Why nothing can be read, and what a person can do.
public enum Unavailability: Error, Hashable, Sendable, Codable {
    /// The device is locked: its data comes with the next unlock.
    case locked
    /// This device has no health data at all.
    case noHealthData
    /// The person was never asked for permission to read anything that the page shows. A type among
    /// others that wasn't asked for leaves out its part of the page alone.
    case notAsked
    /// Anything else; a sentence without a health value.
    case failed(String)
}
