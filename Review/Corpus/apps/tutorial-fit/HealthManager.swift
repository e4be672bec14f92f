//
//  HealthManager.swift
//  TutorialFit: the SwiftUI tutorial app, 2023
//

import Foundation
import HealthKit

extension Date {
    static var startOfDay: Date { Calendar.current.startOfDay(for: Date()) }

    static var startOfWeek: Date {
        let calendar = Calendar.current
        var components = calendar.dateComponents([.yearForWeekOfYear, .weekOfYear], from: Date())
        components.weekday = 2
        return calendar.date(from: components) ?? .startOfDay
    }

    static var oneMonthAgo: Date {
        let oneMonth = Calendar.current.date(byAdding: .month, value: -1, to: Date())
        return Calendar.current.startOfDay(for: oneMonth ?? Date())
    }
}

class HealthManager: ObservableObject {

    let healthStore = HKHealthStore() // finds availability-never-asked

    @Published var activities: [String: Activity] = [:]
    @Published var oneMonthChartData = [DailyStep]()
    @Published var isLoading = true

    init() {
        let steps = HKQuantityType(.stepCount)
        let calories = HKQuantityType(.activeEnergyBurned)
        let workout = HKObjectType.workoutType()
        let healthTypes: Set = [steps, calories, workout]

        Task {
            do {
                try await healthStore.requestAuthorization(toShare: [], read: healthTypes)
                fetchTodaySteps()
                fetchTodayCalories()
                fetchWeekRunningStats()
                fetchPastMonthStepData()
            } catch {
                print("error fetching health data")
            }
        }
    }

    func fetchDailySteps(startDate: Date, completion: @escaping ([DailyStep]) -> Void) {
        let steps = HKQuantityType(.stepCount)
        let interval = DateComponents(day: 1)
        let query = HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: nil, anchorDate: startDate, intervalComponents: interval)

        query.initialResultsHandler = { query, result, error in
            guard let result = result else {
                completion([])  // finds error-as-zero
                return
            }
            var dailySteps = [DailyStep]()
            result.enumerateStatistics(from: startDate, to: Date()) { statistics, stop in
                dailySteps.append(
                    DailyStep(date: statistics.startDate, stepCount: statistics.sumQuantity()?.doubleValue(for: .count()) ?? 0.00))
            }
            completion(dailySteps)
        }
        healthStore.execute(query)
    }

    func fetchTodaySteps() {
        let steps = HKQuantityType(.stepCount)
        let predicate = HKQuery.predicateForSamples(withStart: .startOfDay, end: Date())
        let query = HKStatisticsQuery(quantityType: steps, quantitySamplePredicate: predicate) { _, result, error in
            guard let quantity = result?.sumQuantity(), error == nil else {
                print("error fetching todays step data")
                return
            }
            let stepCount = quantity.doubleValue(for: .count())
            let activity = Activity(title: "Today steps", amount: stepCount.formatted())
            DispatchQueue.main.async {
                self.activities["todaySteps"] = activity
            }
        }
        healthStore.execute(query)
    }

    func fetchTodayCalories() {
        let calories = HKQuantityType(.activeEnergyBurned)
        let predicate = HKQuery.predicateForSamples(withStart: .startOfDay, end: Date())
        let query = HKStatisticsQuery(quantityType: calories, quantitySamplePredicate: predicate) { _, result, error in
            guard let quantity = result?.sumQuantity(), error == nil else {
                self.isLoading = false // finds main-actor-state
                return
            }
            let caloriesBurned = quantity.doubleValue(for: .kilocalorie())
            self.activities["todayCalories"] = Activity(title: "Today calories", amount: caloriesBurned.formatted())
        }
        healthStore.execute(query)
    }

    func fetchWeekRunningStats() {
        let workout = HKSampleType.workoutType()
        let timePredicate = HKQuery.predicateForSamples(withStart: .startOfWeek, end: Date())
        let workoutPredicate = HKQuery.predicateForWorkouts(with: .running)
        let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [timePredicate, workoutPredicate])
        let query = HKSampleQuery(sampleType: workout, predicate: predicate, limit: 25, sortDescriptors: nil) { _, sample, error in
            guard let workouts = sample as? [HKWorkout], error == nil else { return }
            var count: Int = 0
            for workout in workouts {
                let duration = Int(workout.duration) / 60
                count += duration
            }
            let activity = Activity(title: "Running", amount: "\(count) minutes")
            DispatchQueue.main.async {
                self.activities["weekRunning"] = activity
            }
        }
        healthStore.execute(query)
    }

    func fetchPastMonthStepData() {
        fetchDailySteps(startDate: .oneMonthAgo) { dailySteps in
            DispatchQueue.main.async {
                self.oneMonthChartData = dailySteps
                self.isLoading = false
            }
        }
    }
}

struct Activity {
    let title: String
    let amount: String
}

struct DailyStep: Identifiable {
    let id = UUID()
    let date: Date
    let stepCount: Double
}
