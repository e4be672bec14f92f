/// Every rule there is, in the order of their names.
enum AllRules {
    static let all: [any Rule] = [
        ForcedType(), SourceByName(), StatisticsOptions(), SummedSamples(), TypesInOneQuery(),
        UTCAnchorDate(), UnboundedQuery(), UnitMismatch(), UnitString(),
    ]
}
