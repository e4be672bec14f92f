import Foundation

extension HKHealthStore {
    /// Enables background delivery of a type.
    ///
    /// - Throws: `errorInvalidArgument` for a type without background delivery,
    ///   `errorAuthorizationDenied` without the entitlement (Semantics §7.4),
    ///   `errorAuthorizationNotDetermined` for a type that was never requested; another `HKError`
    ///   if the store cannot be opened.
    func enableDelivery(of type: HKObjectType, _ frequency: HKUpdateFrequency) throws(HKError) {
        _ = try connection.store
        guard configuration.backgroundDeliveryEntitlement == .present else {
            throw HKError(
                .errorAuthorizationDenied,
                "Missing com.apple.developer.healthkit.background-delivery entitlement.")
        }
        let isDelivered =
            type is HKCharacteristicType || type is HKSampleType && !(type is HKCorrelationType)
        guard isDelivered else {
            throw HKError(
                .errorInvalidArgument,
                "Background delivery of \(type.identifier) is disallowed: ask for its members.")
        }
        guard try permission(for: type).wasRequested else {
            throw notDetermined(type, missing(read: [type]))
        }
        backgroundDelivery.enable(type.identifier, every: period(of: type, frequency))
    }

    /// Returns the period of the frequency or the minimum period of the type, whichever is longer,
    /// in seconds.
    private func period(
        of type: HKObjectType, _ frequency: HKUpdateFrequency
    ) -> TimeInterval {
        max(frequency.period, DeliveryCaps.byType[type.identifier]?.period ?? 0)
    }
}
