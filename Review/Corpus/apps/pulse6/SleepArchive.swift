import Foundation
import HealthKit
import SwiftData

@Model
final class Night {
    @Attribute(.unique) var uuid: UUID
    var start: Date
    var end: Date
    var stage: Int

    init(_ sample: HKCategorySample) {
        uuid = sample.uuid
        start = sample.startDate
        end = sample.endDate
        stage = sample.value
    }
}

@ModelActor
actor SleepArchive {

    func refresh(from gateway: HealthGateway = .shared) async throws {
        try await gateway.sync(HKCategoryType(.sleepAnalysis)) { changes in
            try await self.apply(changes)
        }
    }

    private func apply(_ changes: HealthGateway.Changes) throws {
        for sample in changes.added.compactMap({ $0 as? HKCategorySample }) {
            modelContext.insert(Night(sample))
        }
        for uuid in changes.deleted {
            try modelContext.delete(model: Night.self, where: #Predicate { $0.uuid == uuid })
        }
        try modelContext.save()
    }

    /// Hours asleep in the night that ends on the day.
    func asleep(endingOn day: Date) throws -> TimeInterval {
        let calendar = Calendar.current
        let noon = calendar.date(bySettingHour: 12, minute: 0, second: 0, of: day) ?? day
        let evening = calendar.date(byAdding: .hour, value: -18, to: noon) ?? noon
        let asleep = HKCategoryValueSleepAnalysis.allAsleepValues.map(\.rawValue)
        let nights = try modelContext.fetch(
            FetchDescriptor<Night>(predicate: #Predicate { $0.start >= evening && $0.end <= noon }))
        return Self.union(nights.filter { asleep.contains($0.stage) }.map { $0.start...$0.end })
    }

    static func union(_ spans: [ClosedRange<Date>]) -> TimeInterval {
        var total: TimeInterval = 0
        var last = Date.distantPast
        for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let from = max(span.lowerBound, last)
            if span.upperBound > from {
                total += span.upperBound.timeIntervalSince(from)
                last = span.upperBound
            }
        }
        return total
    }
}
