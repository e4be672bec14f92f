import HealthKit
func shorthand(_ store: HKHealthStore, _ show: @escaping ([HKSample]) -> Void) {
    let query = HKAnchoredObjectQuery(
        type: HKCategoryType(.mindfulSession), predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit,
        resultsHandler: {
            if $4 == nil { show($1 ?? []) }
        })
    store.execute(query)
}
