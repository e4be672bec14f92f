/// Assumptions about the tombstones that HealthKit keeps.
@usableFromInline
enum Tombstones {
    /// How long HealthKit is assumed to keep undelivered tombstones, in seconds: seven days. It is
    /// the default of ``Watcher/Configuration/tombstoneLifetime`` and of all parameters with that
    /// name.
    @usableFromInline static let lifetime = 7.0 * 86_400
}
