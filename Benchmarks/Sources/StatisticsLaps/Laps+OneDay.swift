import Foundation
import HealthEngine
import HealthStorage

extension Laps {
    /// Times one day of each kind of type, in a newly opened store and in one that is in use.
    mutating func oneDay() throws {
        for type in ["heartRate", "stepCount", "bodyMass"] {
            let question = SampleQuery(try History.type(type))
            try oneDay(type) { store, days in
                try store.statistics(question.between(days), over: days).buckets
            }
        }
        let sleep = SampleQuery(try History.type("sleepAnalysis"))
        try oneDay("sleepAnalysis") { store, days in
            try store.categoryStatistics(sleep.between(days), over: days).buckets
        }
    }

    /// Times days spread over the history, and compares each with the same day in a query over all
    /// days.
    private mutating func oneDay<Bucket: Equatable>(
        _ type: String, _ query: (SampleStore, [Double]) throws -> [Bucket]
    ) throws {
        let whole = try SampleStore(at: path, access: .reading)
        let all = try query(whole, history.days)
        try whole.close()
        guard all.count >= history.days.count - 2 else { throw LapError("\(all.count) days") }
        let step = 97
        func day(_ round: Int) -> Int { 1 + round * step % (all.count - 2) }
        func check(_ result: [Bucket], _ day: Int) throws {
            guard result == [all[day]] else {
                throw LapError("one day of \(type) alone differs from that day among all")
            }
        }
        for round in 0...rounds {
            let store = try SampleStore(at: path, access: .reading)
            let (edges, chosen) = (Array(history.days[day(round)...day(round) + 1]), day(round))
            var result: [Bucket] = []
            let seconds = try seconds { result = try query(store, edges) }
            try check(result, chosen)
            if round > 0 { add("one day of \(type), first", seconds) }
            try store.close()
        }
        let store = try SampleStore(at: path, access: .reading)
        for round in 0...rounds * 20 {
            let (edges, chosen) = (Array(history.days[day(round)...day(round) + 1]), day(round))
            var result: [Bucket] = []
            let seconds = try seconds { result = try query(store, edges) }
            try check(result, chosen)
            if round > 0 { add("one day of \(type)", seconds) }
        }
        try store.close()
        report("one day of \(type), first")
        report("one day of \(type)")
    }
}

extension SampleQuery {
    fileprivate func between(_ days: [Double]) -> SampleQuery {
        var question = self
        (question.from, question.to) = (days[0], days[days.count - 1])
        return question
    }
}
