/// A sequence of events in an app and its health store. It can be generated, stored and replayed.
///
/// ```swift
/// let schedule = SyncSchedule(seed: 4711)      // the same on every machine
/// let text = try JSONEncoder().encode(schedule)
/// ```
/// Samples are identified by number, so that removing an event affects only the events on its own
/// samples. ``ScheduledWorld`` applies events to the health store, ``TortureRun`` to the app.
struct SyncSchedule: Hashable, Sendable, Codable {
    /// The seed that generated the schedule; 0 for a schedule made by hand.
    var seed: UInt64
    /// The conditions that don't change during the schedule.
    var settings: Settings
    /// The events in order.
    var events: [SyncEvent]

    /// Creates a schedule by hand.
    init(seed: UInt64 = 0, settings: Settings = Settings(), events: [SyncEvent]) {
        self.seed = seed
        self.settings = settings
        self.events = events
    }

    /// Conditions that don't change during a schedule.
    struct Settings: Hashable, Sendable, Codable {
        /// The types that the app tracks initially.
        var types: [ScheduledType]
        /// The maximum size of a page of changes; ``limit`` says what is counted.
        var pageSize: Int
        /// Whether a page's limit counts deletions (Semantics §6.4).
        var limit: Limit
        /// Whether the app also observes changes, or reads only when an event says so.
        var attention: Attention

        /// Creates settings. By default, the app tracks weights, reads small pages and doesn't
        /// observe.
        init(
            types: [ScheduledType] = [.bodyMass], pageSize: Int = 3, limit: Limit = .samples,
            attention: Attention = .onDemand
        ) {
            self.types = types
            self.pageSize = pageSize
            self.limit = limit
            self.attention = attention
        }

        /// What the limit of a page counts.
        enum Limit: String, Hashable, Sendable, Codable {
            case samples, samplesAndDeletions
        }

        /// When the app reads changes.
        enum Attention: String, Hashable, Sendable, Codable {
            /// Only when an event of the schedule says so.
            case onDemand
            /// Also when its observer is notified.
            case observing
        }
    }
}

/// One event of a ``SyncSchedule``.
enum SyncEvent: Hashable, Sendable, Codable {
    /// The fault occurs now.
    case happens(SyncFault)
    /// The fault is armed. It occurs during the app's work, when the step has been reached
    /// ``SyncMoment/occurrence`` times after this event.
    case injected(SyncFault, at: SyncMoment)
    /// The app performs an action, which is complete before the next event.
    case app(AppAction)

    private enum CodingKeys: String, CodingKey {
        case happens
        case injected = "strikes"
        case app
    }
}

/// A point between two steps of the app's work.
struct SyncMoment: Hashable, Sendable, Codable {
    /// The step that was reached just before.
    var step: Step
    /// Which occurrence of the step is meant, counted from 1.
    var occurrence: Int

    /// Creates the point after a step.
    init(_ step: Step, occurrence: Int = 1) {
        self.step = step
        self.occurrence = occurrence
    }

    /// The steps of an app's work after which a fault may occur, with the names of HealthSync's
    /// `SyncStep`.
    enum Step: String, Hashable, Sendable, Codable, CaseIterable {
        case woken, anchorTaken, pageRead, handlersDone, positionStored, completionCalled
        case transactionBegun, rowsWritten, positionWritten, transactionCommitted
        case writeJournalled = "intentJournalled"
        case sampleSaved, sampleReadBack, sampleDeleted, entryAcknowledged
        case windowRead, windowCompared
        case windowCommitted = "windowSettled"
    }
}

/// An action of the app, on its own or by the person's request.
struct AppAction: Hashable, Sendable, Codable {
    var kind: Kind
    /// The number of the sample that is saved, edited, removed or gets a note; 0 for other actions.
    var number: Int
    /// The type that the app stops or resumes tracking. Other actions ignore it.
    var type: ScheduledType

    init(_ kind: Kind, number: Int = 0, of type: ScheduledType = .bodyMass) {
        self.kind = kind
        self.number = number
        self.type = type
    }

    enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// Reads changes.
        case sync
        /// Saves a weight.
        case log
        /// Replaces the value of a weight that the app saved.
        case edit
        /// Removes a weight that the app saved.
        case remove
        /// Attaches a note to a sample, if the app shows that sample.
        case attach
        /// Completes writes that a crash interrupted.
        case recover
        /// Compares all entries with the health store and corrects differences.
        case reconcile
        /// Exits and is launched again.
        case relaunch
        /// Stops tracking a type, unless it is the only one.
        case untrack
        /// Tracks a type again.
        case track
    }
}

extension SyncSchedule {
    /// Shorter schedules, shortest first, then simpler ones of the same length, for shrinking.
    ///
    /// Try them in order and start again with the first one that still fails. This ends with a
    /// schedule that passes if any one of its events is removed.
    var simplifications: [SyncSchedule] {
        var simpler: [SyncSchedule] = []
        var width = max(1, events.count / 2)
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
    /// Simpler variants of the event, for shrinking; at most one. A fault that occurs now gets one
    /// sample fewer. A fault that waits for a later occurrence of a step waits for the first one.
    fileprivate var simplifications: [SyncEvent] {
        switch self {
        case .happens(var fault):
            guard fault.count > 1 else { return [] }
            fault.count -= 1
            return [.happens(fault)]
        case .injected(let fault, let moment):
            guard moment.occurrence > 1 else { return [] }
            return [.injected(fault, at: SyncMoment(moment.step, occurrence: 1))]
        case .app: return []
        }
    }
}
