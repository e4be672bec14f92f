/// A part of health, by which types are grouped and coloured. The grouping is ours; Apple's is not part
/// of HealthKit.
public enum HealthDomain: String, Hashable, Sendable, Codable, CaseIterable {
    case activity, heart, sleep, body, vitals, nutrition, mindAndCycle
}
