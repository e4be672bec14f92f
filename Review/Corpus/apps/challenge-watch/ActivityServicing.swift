//  Step challenge with friends: services behind protocols, mocks for previews.

import Foundation
import HealthKit

struct StepDay: Codable, Hashable, Sendable {
    let day: Date
    let steps: Int
}

protocol ActivityServicing {
    func requestAccess() async throws
    func steps(on day: Date) async throws -> Int
    func steps(from start: Date, to end: Date) async throws -> [StepDay]
    func changes() -> AsyncStream<Void>
}

struct MockActivityService: ActivityServicing {
    var days: [StepDay] = []

    func requestAccess() async throws {}

    func steps(on day: Date) async throws -> Int {
        days.first { Calendar.current.isDate($0.day, inSameDayAs: day) }?.steps ?? 0
    }

    func steps(from start: Date, to end: Date) async throws -> [StepDay] {
        days.filter { $0.day >= start && $0.day < end }
    }

    func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }

    static var week: MockActivityService {
        let today = Calendar.current.startOfDay(for: .now)
        return MockActivityService(
            days: (0..<7).compactMap { back in
                Calendar.current.date(byAdding: .day, value: -back, to: today).map {
                    StepDay(day: $0, steps: 6_000 + 700 * back)
                }
            })
    }

    var total: Int { days.reduce(0) { $0 + $1.steps } }
}
