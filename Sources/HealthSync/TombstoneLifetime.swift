/// Assumptions about the tombstones that HealthKit keeps.
@usableFromInline
enum Tombstones {
    /// How long HealthKit is assumed to keep undelivered tombstones by default, in seconds.
    @usableFromInline static let lifetime = 7.0 * 86_400
}
