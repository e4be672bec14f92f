import HealthKit
extension HKSample {
    var rank: Int {
        let source = sourceRevision.source.name.lowercased()
        if source.contains("watch") { return 0 } // finds source-by-name
        return source.contains("phone") ? 1 : 2 // finds source-by-name
    }
}
func winners(_ samples: [HKSample]) -> [HKSample] { samples.sorted { $0.rank < $1.rank } }
