// What the views show, and how it is kept fresh.
import Foundation
import HealthKit

struct DailySteps: Identifiable {
    let id = UUID()
    let date: Date
    let count: Int
}

struct HourlySteps: Identifiable {
    let id = UUID()
    let hour: Date
    let count: Int
}

final class StepsViewModel: ObservableObject {
    @Published var week: [DailySteps] = []
    @Published var hours: [HourlySteps] = []
    @Published var distance: Double = 0
    @Published var isLoading = false
    @Published var errorMessage: String?

    private let service: StepService
    private let goal: Int

    init(service: StepService, goal: Int = UserDefaults.standard.integer(forKey: "dailyGoal")) {
        self.service = service
        self.goal = goal == 0 ? 10_000 : goal
    }

    var today: DailySteps? {
        week.last { Calendar.current.isDateInToday($0.date) }
    }

    var progress: Double {
        min(Double(today?.count ?? 0) / Double(goal), 1)
    }

    var weekTotal: Int {
        week.reduce(0) { $0 + $1.count }
    }

    var weekAverage: Int {
        week.isEmpty ? 0 : weekTotal / week.count
    }

    func requestAccess() {
        service.requestAuthorization { [weak self] _ in
            self?.refresh()
            self?.service.startObserving {
                self?.refresh()
            }
        }
    }

    func refresh() {
        DispatchQueue.main.async {
            self.isLoading = true
        }
        service.weeklySteps { [weak self] collection in
            guard let self, let collection else { return }
            let end = Date()
            guard let start = Calendar.current.date(byAdding: .day, value: -6, to: end) else {
                return
            }
            var days: [DailySteps] = []
            collection.enumerateStatistics(from: start, to: end) { statistics, _ in
                let count = statistics.sumQuantity()?.doubleValue(for: .count()) ?? 0
                days.append(DailySteps(date: statistics.startDate, count: Int(count)))
            }
            DispatchQueue.main.async {
                self.week = days
                self.isLoading = false
            }
        }
        service.todaysDistance { kilometres in
            DispatchQueue.main.async { self.distance = kilometres }
        }
        service.hourlySteps(on: Date()) { hours in
            Task { @MainActor in self.hours = hours }
        }
    }

    deinit {
        service.stopObserving()
    }
}
