extension Watcher {
    /// How a watcher reads.
    public struct Configuration: Sendable {
        /// How many samples are read at a time.
        public var pageSize = 2000
        /// How long HealthKit's wake waits for the work before it is answered; the work goes on. iOS
        /// gives a background wake about thirty seconds.
        public var budget: Duration = .seconds(25)
        /// The waits between attempts. A handler that fails once more after the last is stuck until the
        /// next ``Watcher/start()`` or ``Watcher/sync()``; what only time can mend (a locked device, a
        /// full disk, permission not asked for) is tried again after the last one for ever.
        public var pauses: [Duration] = [
            .seconds(1), .seconds(5), .seconds(30), .seconds(120), .seconds(600),
        ]
        /// How long HealthKit is trusted to keep the deletions that a reader hasn't seen, in seconds;
        /// after more, deletions are found by comparing.
        public var tombstoneLifetime = 7.0 * 86_400
        /// How many days are compared at each start; 0 for none.
        public var reconciledDays = 90
        /// Whether HealthKit may wake the app.
        public var backgroundDelivery: BackgroundDelivery = .enabled(.immediate)

        /// Whether HealthKit wakes the app, and how often at most.
        public enum BackgroundDelivery: Hashable, Sendable {
            case off
            case enabled(HKUpdateFrequency)
        }

        /// What suits most apps.
        public init() {}
    }
}
