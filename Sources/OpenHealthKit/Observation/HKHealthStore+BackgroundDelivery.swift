import Foundation

extension HKHealthStore {
    /// - Throws: code 3 for a type that has no delivery, 4 without the entitlement (§7.4), 5 for a
    ///   type nobody was asked about.
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
        guard try permission(for: type).isAsked else {
            throw HKError(
                .errorAuthorizationNotDetermined,
                "Authorization for \(type.identifier) is not determined: ask with "
                    + "requestAuthorization first." + hint(for: [], [type]))
        }
        backgroundDelivery.enable(type.identifier, every: period(of: type, frequency))
    }

    /// The longer of what the app asked for and what the type is capped at.
    private func period(
        of type: HKObjectType, _ frequency: HKUpdateFrequency
    ) -> TimeInterval {
        max(frequency.period, DeliveryCaps.byType[type.identifier]?.period ?? 0)
    }
}

/// Types that are delivered no more often than so, whatever an app asks (Semantics §7.6:
/// the one that is known for iOS).
enum DeliveryCaps {
    static let byType: [String: HKUpdateFrequency] = [
        HKQuantityTypeIdentifier.stepCount.rawValue: .hourly
    ]
}

extension HKUpdateFrequency {
    /// Seconds between two wakes at least.
    var period: TimeInterval {
        switch self {
        case .immediate: 0
        case .hourly: 3600
        case .daily: 86_400
        case .weekly: 604_800
        }
    }
}
