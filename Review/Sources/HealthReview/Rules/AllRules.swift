/// Every rule there is, in the order of their names.
enum AllRules {
    static let all: [any Rule] = [
        DeliveryBeforeObserver(),
        DeliveryWithoutObserver(),
        MainActorState(),
        NeverStopped(),
        StatisticsOptions(),
        StrongSelf(),
    ]
}
