public import Foundation

/// The state of a view that shows a page.
public enum ViewState<Value: Sendable>: Sendable {
    /// There is no value yet: the first read is in progress.
    case nothingYet
    /// A cached or earlier value, while it is checked for changes.
    case cached(Value, asOf: Date)
    /// A current value.
    case fresh(Value, asOf: Date)
    /// There is no data, or reading is not permitted; HealthKit doesn't report which.
    case empty(asOf: Date)
    /// Reading failed, with the last value if there is one.
    case unavailable(Unavailability, last: Value?, asOf: Date?)

    /// The value to show, whether current or not; nil if there is none.
    public var value: Value? {
        switch self {
        case .nothingYet, .empty: nil
        case .cached(let value, _), .fresh(let value, _): value
        case .unavailable(_, let last, _): last
        }
    }
}

extension ViewState: Equatable where Value: Equatable {}

/// Why data cannot be read.
public enum Unavailability: Error, Hashable, Sendable, Codable {
    /// The device is locked; data is available after it was unlocked.
    case locked
    /// Health data is not available on the device, or not permitted.
    case noHealthData
    /// Authorization was not requested for any data of the page, or for the data of a request. A
    /// page for which it was requested in part omits the other data.
    case notAsked
    /// Another error, with a message that contains no health value.
    case failed(String)
}
