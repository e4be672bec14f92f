extension SyncSchedule {
    /// Schedules that are a little shorter or simpler than this one, the shortest first.
    ///
    /// Trying them in order, and beginning again with the first one that still fails, ends with a
    /// schedule of which nothing can be left out.
    public var simplifications: [SyncSchedule] {
        var simpler: [SyncSchedule] = []
        var width = events.count / 2
        while width >= 1 {
            for first in stride(from: 0, to: events.count, by: width) {
                var schedule = self
                schedule.events.removeSubrange(first..<min(first + width, events.count))
                simpler.append(schedule)
            }
            width /= 2
        }
        for index in events.indices {
            simpler += events[index].simplifications.map { event in
                var schedule = self
                schedule.events[index] = event
                return schedule
            }
        }
        return simpler + simplerSettings
    }

    private var simplerSettings: [SyncSchedule] {
        var simpler: [SyncSchedule] = []
        func add(_ change: (inout Settings) -> Void) {
            var schedule = self
            change(&schedule.settings)
            if schedule.settings != settings { simpler.append(schedule) }
        }
        for type in settings.types where settings.types.count > 1 {
            add { $0.types.removeAll { $0 == type } }
        }
        add { $0.attention = .onDemand }
        add { $0.limit = .samples }
        add { $0.pageSize = 50 }
        return simpler
    }
}

extension SyncEvent {
    /// The same with fewer samples, or earlier in the work.
    fileprivate var simplifications: [SyncEvent] {
        switch self {
        case .happens(var fault):
            guard fault.count > 1 else { return [] }
            fault.count -= 1
            return [.happens(fault)]
        case .strikes(let fault, let moment):
            guard moment.occurrence > 1 else { return [] }
            return [.strikes(fault, at: SyncMoment(moment.step, occurrence: 1))]
        case .app: return []
        }
    }
}
