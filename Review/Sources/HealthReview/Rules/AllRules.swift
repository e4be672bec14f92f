/// Every rule there is, in the order of their names.
enum AllRules {
    static let all: [any Rule] = [
        AnchorBeforeData(),
        ForcedType(),
        IgnoredDeletions(),
        MirrorDeletes(),
        ObserverCompletion(),
        ResumedTwice(),
        SharedAnchor(),
        SourceByName(),
        StatisticsOptions(),
        SummedSamples(),
        TimestampAnchor(),
        TypesInOneQuery(),
        UnboundedQuery(),
        UnitMismatch(),
        UnitString(),
        UTCAnchorDate(),
    ]
}
