/// Every rule there is, in the order of their names.
enum AllRules {
    static let all: [any Rule] = [
        AvailabilityNeverAsked(),
        DeliveryBeforeObserver(),
        DeliveryWithoutObserver(),
        MainActorState(),
        NeverStopped(),
        ReadStatus(),
        SourceByName(),
        StatisticsOptions(),
        StrongSelf(),
        SuccessAsPermission(),
        UsageStrings(),
    ]
}
