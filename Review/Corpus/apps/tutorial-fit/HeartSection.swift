import HealthKit
import SwiftUI

struct HeartSection: View {

    @EnvironmentObject var manager: HealthManager
    @State private var latest: Double?
    @State private var history: [HKQuantitySample] = []
    @State private var sourceName = ""

    var body: some View {
        Section("Heart") {
            if let latest { Text("\(Int(latest)) bpm").bold() }
            Text(sourceName).font(.caption)
            ForEach(history, id: \.uuid) { sample in
                Text("\(sample.quantity.doubleValue(for: HKUnit(from: "BPM")))") // finds unit-string
            }
        }
        .onAppear(perform: load)
    }

    func load() {
        let type = HKQuantityType(.heartRate)
        let sort = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
        let query = HKSampleQuery( // finds unbounded-query
            sampleType: type, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: [sort]
        ) { _, samples, _ in
            guard let samples = samples as? [HKQuantitySample], let first = samples.first else { return }
            DispatchQueue.main.async {
                history = samples
                latest = first.quantity.doubleValue(for: HKUnit.count().unitDivided(by: .minute()))
                sourceName = first.sourceRevision.source.name
            }
        }
        manager.healthStore.execute(query)
    }
}
