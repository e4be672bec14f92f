// Loads nights and listens for new ones.
import Foundation
import HealthKit
import Observation

@MainActor
@Observable
final class NightModel {
    private(set) var nights: [Night] = []
    private(set) var averageHeartRate: Double?
    private(set) var isLoading = false
    var failure: String?
    private let repository: SleepRepository

    init(repository: SleepRepository) {
        self.repository = repository
    }

    func run() async {
        do {
            try await repository.requestAccess()
            try await load(days: 30)
            for try await _ in repository.changes() {
                try await load(days: 30)
            }
        } catch {
            failure = error.localizedDescription
        }
    }

    private func load(days: Int) async throws {
        isLoading = true
        defer { isLoading = false }
        let calendar = Calendar.current
        var loaded: [Night] = []
        for back in 0..<days {
            guard let day = calendar.date(byAdding: .day, value: -back, to: .now),
                let interval = Night.interval(endingOn: day)
            else { continue }
            let samples = repository.preferred(try await repository.samples(for: interval))
            loaded.append(Night(day: calendar.startOfDay(for: day), samples: samples))
        }
        nights = loaded.filter { !$0.segments.isEmpty }
        if let last = Night.interval(endingOn: .now) {
            averageHeartRate = try await repository.averageHeartRate(during: last)
        }
    }

    var averageSleep: TimeInterval {
        guard !nights.isEmpty else { return 0 }
        return nights.map(\.asleep).reduce(0, +) / Double(nights.count)
    }
}
