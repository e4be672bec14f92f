public import Foundation

/// The state of a view that shows a page. `asOf` is when the value was read.
public enum ViewState<Value: Sendable>: Sendable {
    /// There is no value yet: the first read is in progress.
    case loading
    /// A cached or earlier value, while it is checked for changes.
    case cached(Value, asOf: Date)
    /// A current value.
    case fresh(Value, asOf: Date)
    /// There is no data, or reading is not permitted; HealthKit doesn't report which.
    case empty(asOf: Date)
    /// Reading failed. `last` is the value that was shown before, and `asOf` is when it was read.
    /// Both are nil if there was none.
    case unavailable(Unavailability, last: Value?, asOf: Date?)

    /// The value to show, whether current or not; nil if there is none.
    public var value: Value? {
        switch self {
        case .loading, .empty: nil
        case .cached(let value, _), .fresh(let value, _): value
        case .unavailable(_, let last, _): last
        }
    }
}

extension ViewState: Equatable where Value: Equatable {}

/// Why data cannot be read.
public enum Unavailability: Error, Hashable, Sendable, Codable {
    /// The device is locked; data can be read after it is unlocked.
    case locked
    /// Health data is not available on the device, or its use is restricted for all apps.
    case noHealthData
    /// Authorization was not requested for the data of a request, or for any data of a page. If it
    /// was requested for a part of the page's data, the page omits the rest.
    case notDetermined
    /// Another error, with a message that contains no health value.
    case failed(String)

    private enum CodingKeys: String, CodingKey {
        case locked, noHealthData
        case notDetermined = "notAsked"
        case failed
    }
}
