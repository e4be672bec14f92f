/// Every rule there is, in the order of their names.
enum AllRules {
    static let all: [any Rule] = [
        AnchorBeforeData(),
        IgnoredDeletions(),
        MirrorDeletes(),
        ObserverCompletion(),
        ResumedTwice(),
        SharedAnchor(),
        StatisticsOptions(),
        TimestampAnchor(),
    ]
}
