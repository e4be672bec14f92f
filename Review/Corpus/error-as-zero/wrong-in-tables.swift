// A failed read that is put into a table or list, which is stored or sent.
import HealthKit

struct Day: Codable {
    var key: String
    var steps: Int
    var hours: [Int] = []
}

final class StepSource {
    private let store: HKHealthStore
    private let steps = HKQuantityType(.stepCount)

    init(store: HKHealthStore) { self.store = store }

    func today(_ range: NSPredicate, completion: @escaping (Double) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: steps, quantitySamplePredicate: range, options: .cumulativeSum
        ) { _, result, _ in
            guard let sum = result?.sumQuantity() else {
                completion(0.0)  // finds error-as-zero
                return
            }
            completion(sum.doubleValue(for: .count()))
        }
        store.execute(query)
    }

    func total(_ range: NSPredicate, completion: @escaping (Double) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: steps, quantitySamplePredicate: range, options: .cumulativeSum
        ) { _, result, error in
            if let error { NSLog("no sum: %@", error.localizedDescription) }
            completion(result?.sumQuantity()?.doubleValue(for: .count()) ?? 0)  // finds error-as-zero
        }
        store.execute(query)
    }

    func hours(_ start: Date, _ range: NSPredicate) async -> Day {
        var hours = Array(repeating: 0, count: 24)
        let descriptor = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: steps, predicate: range), options: .cumulativeSum,
            anchorDate: start, intervalComponents: DateComponents(hour: 1))
        if let collection = try? await descriptor.result(for: store) {  // finds error-as-zero
            collection.enumerateStatistics(from: start, to: Date()) { statistics, _ in
                let hour = Calendar.current.component(.hour, from: statistics.startDate)
                hours[hour] += Int(statistics.sumQuantity()?.doubleValue(for: .count()) ?? 0)
            }
        }
        return Day(key: "today", steps: hours.reduce(0, +), hours: hours)
    }
}

final class Streaks {
    private let defaults: UserDefaults

    init(defaults: UserDefaults) { self.defaults = defaults }

    private func load() -> [String: Day] {
        guard let data = defaults.data(forKey: "days") else { return [:] }
        return (try? JSONDecoder().decode([String: Day].self, from: data)) ?? [:]
    }

    private func save(_ days: [String: Day]) {
        guard let data = try? JSONEncoder().encode(days) else { return }
        defaults.set(data, forKey: "days")
    }

    func update(_ key: String, steps: Int) {
        var days = load()
        days[key] = Day(key: key, steps: steps)
        save(days)
    }
}

final class Refresh {
    private let source: StepSource
    private let streaks: Streaks
    private var token: String? { UserDefaults.standard.string(forKey: "token") }
    private var lastError: (any Error)?

    init(source: StepSource, streaks: Streaks) { (self.source, self.streaks) = (source, streaks) }

    func run(_ range: NSPredicate) {
        source.today(range) { steps in
            self.streaks.update("today", steps: Int(steps))
        }
    }

    func push(_ ranges: [String: NSPredicate]) {
        var days: [Day] = []
        let group = DispatchGroup()
        for (key, range) in ranges {
            group.enter()
            source.total(range) { steps in
                DispatchQueue.main.async {
                    days.append(Day(key: key, steps: Int(steps)))
                    group.leave()
                }
            }
        }
        group.notify(queue: .main) {
            self.put(days.sorted { $0.key < $1.key }) { error in
                if let error { self.lastError = error }
            }
        }
    }

    private func put(_ days: [Day], completion: @escaping ((any Error)?) -> Void) {
        guard let token else {
            completion(URLError(.userAuthenticationRequired))
            return
        }
        var request = URLRequest(url: URL(fileURLWithPath: token))
        request.httpBody = try? JSONEncoder().encode(days)
        URLSession.shared.dataTask(with: request) { _, response, error in
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            completion((200..<300).contains(status) ? nil : error ?? URLError(.badServerResponse))
        }.resume()
    }

    func keepHours(_ start: Date, _ range: NSPredicate) async throws {
        let day = await source.hours(start, range)
        UserDefaults.standard.set(try JSONEncoder().encode(day), forKey: "hours")
    }
}
