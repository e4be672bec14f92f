import Foundation

/// Apple's total that answers a bucket, because it is larger than the sum of the stored samples, which
/// aren't known to be complete (Semantics §15.7).
public struct AppleTotal: Hashable, Sendable, Codable {
    /// Apple's total; in a bucket of several days, the sum of those days for which it is used.
    public var value: Double
    /// The sum of the stored samples over the same time, without double counting; 0 for none.
    public var own: Double
    /// The name of the device that sent it; several are joined by ", ".
    public var device: String
    /// Whether it may still grow: it arrived less than 24 hours after its end.
    public var isProvisional: Bool

    public init(value: Double, own: Double, device: String, isProvisional: Bool) {
        self.value = value
        self.own = own
        self.device = device
        self.isProvisional = isProvisional
    }

    private enum CodingKeys: String, CodingKey {
        case value = "apple"
        case own, device
        case isProvisional = "provisional"
    }

    /// By how much Apple's total is larger.
    package var excess: Double { value - own }

    /// Adds the total of another day.
    package mutating func add(_ other: AppleTotal) {
        value += other.value
        own += other.own
        isProvisional = isProvisional || other.isProvisional
        if !device.components(separatedBy: ", ").contains(other.device) {
            device += ", " + other.device
        }
    }

    /// The label of a single number: "Apple's total" or "Apple's total, provisional".
    package var label: String { "Apple's total" + (isProvisional ? ", provisional" : "") }
}
