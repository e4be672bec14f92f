// Dates that go through a store and mean the start of something that a person began.
import HealthKit
import SwiftUI

final class ChallengeSettings {
    private let defaults = UserDefaults.standard

    func begin() { defaults.set(Date(), forKey: "challengeBegan") }
    func began() -> Date? { defaults.object(forKey: "challengeBegan") as? Date }
}

struct ChallengeProgress {
    let settings: ChallengeSettings

    func range() -> NSPredicate {
        HKQuery.predicateForSamples(withStart: settings.began() ?? .now, end: .now)
    }
}

struct DiaryEntry {
    let date: Date
    let steps: Double

    init(_ sample: HKQuantitySample) {
        date = sample.startDate
        steps = sample.quantity.doubleValue(for: .count())
    }

    var around: NSPredicate {
        HKQuery.predicateForSamples(withStart: date, end: date.addingTimeInterval(3_600))
    }
}

struct FastingView: View {
    @AppStorage("fastBegan") private var began = 0.0

    var body: some View {
        Button("Start") { began = Date.now.timeIntervalSince1970 }
    }

    var range: NSPredicate {
        HKQuery.predicateForSamples(
            withStart: Date(timeIntervalSince1970: began), end: .now)
    }
}

struct WorkoutWindow {
    let workout: HKWorkout

    var range: NSPredicate {
        HKQuery.predicateForSamples(withStart: workout.startDate, end: workout.endDate)
    }
}
