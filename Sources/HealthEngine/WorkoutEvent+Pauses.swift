extension [WorkoutEvent] {
    /// When the workout was paused, in order of time: from each pause to the next resumption, or to
    /// `end` where none came. Other events pause nothing (Semantics §10.8).
    public func pauses(until end: Double) -> [Range<Double>] {
        // `HKWorkoutEventType`'s raw values.
        let (pause, resume) = (1, 2)
        var pauses: [Range<Double>] = []
        var began: Double?
        // A pause and a resumption of one instant stand in the order they were added in.
        for event in enumerated().sorted(by: {
            ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
        }).map(\.element) {
            if event.type == pause, began == nil {
                began = event.start
            } else if event.type == resume, let start = began {
                if start < event.start { pauses.append(start..<event.start) }
                began = nil
            }
        }
        if let start = began, start < end { pauses.append(start..<end) }
        return pauses
    }

    /// Seconds from `start` to `end` that weren't paused; 0 if `end` comes first.
    public func activeTime(from start: Double, to end: Double) -> Double {
        guard start < end else { return 0 }
        let paused = pauses(until: end).map { pause in
            Swift.max(0, Swift.min(pause.upperBound, end) - Swift.max(pause.lowerBound, start))
        }
        return end - start - paused.reduce(0, +)
    }
}
