// A night made of stages, without HealthKit.
import Foundation
import HealthKit

enum Stage: String, CaseIterable, Identifiable {
    case awake, core, deep, rem, unspecified

    var id: String { rawValue }

    init?(_ value: Int) {
        switch HKCategoryValueSleepAnalysis(rawValue: value) {
        case .awake: self = .awake
        case .asleepCore: self = .core
        case .asleepDeep: self = .deep
        case .asleepREM: self = .rem
        case .asleepUnspecified: self = .unspecified
        default: return nil
        }
    }
}

struct Segment: Identifiable, Hashable {
    let id: UUID
    let stage: Stage
    let interval: DateInterval
}

struct Night: Identifiable {
    let day: Date
    let segments: [Segment]

    var id: Date { day }

    var asleep: TimeInterval {
        merged(segments.filter { $0.stage != .awake }.map(\.interval))
            .reduce(0) { $0 + $1.duration }
    }

    func duration(of stage: Stage) -> TimeInterval {
        merged(segments.filter { $0.stage == stage }.map(\.interval))
            .reduce(0) { $0 + $1.duration }
    }

    private func merged(_ intervals: [DateInterval]) -> [DateInterval] {
        var result: [DateInterval] = []
        for interval in intervals.sorted(by: { $0.start < $1.start }) {
            if let last = result.last, interval.start <= last.end {
                result[result.count - 1] = DateInterval(
                    start: last.start, end: max(last.end, interval.end))
            } else {
                result.append(interval)
            }
        }
        return result
    }
}

extension Night {
    init(day: Date, samples: [HKCategorySample]) {
        self.day = day
        segments = samples.compactMap { sample in
            Stage(sample.value).map {
                Segment(
                    id: sample.uuid, stage: $0,
                    interval: DateInterval(start: sample.startDate, end: sample.endDate))
            }
        }
    }

    /// From noon to noon around the night that ends on this day.
    static func interval(endingOn day: Date, calendar: Calendar = .current) -> DateInterval? {
        guard
            let noon = calendar.date(bySettingHour: 12, minute: 0, second: 0, of: day),
            let before = calendar.date(byAdding: .day, value: -1, to: noon)
        else { return nil }
        return DateInterval(start: before, end: noon)
    }
}
