import Foundation
import HealthDashboard
import HealthEngine
import HealthKit

/// An app's overview of a day, which requests only four types: steps, heart rate, active energy and
/// sleep.
@MainActor
final class FourTypeDashboard {
    static let types: Set<HKObjectType> = [
        HKQuantityType(.stepCount), HKQuantityType(.heartRate),
        HKQuantityType(.activeEnergyBurned), HKCategoryType(.sleepAnalysis),
    ]

    let service: HealthKitService
    let model: DashboardModel<SummaryPage>

    init(healthStore: HKHealthStore, cache: URL?, context: PageContext) {
        let now = context.now
        let service = HealthKitService(
            store: healthStore, calendar: context.calendar, now: { now })
        self.service = service
        model = DashboardModel(
            service: service, cache: DashboardCache(at: cache), metrics: SummaryPage.watched,
            cacheKey: context.cacheKey("day")
        ) { service async throws(Unavailability) in
            try await SummaryPage(of: service, on: context.today, context: context)
        }
    }
}
