import Foundation

/// What something took, in seconds.
struct Cost {
    /// On the clock.
    var wall: Double
    /// Of processor, over all threads; other work on the machine disturbs it less.
    var processor: Double

    /// Does something once and takes its time.
    init(of body: () throws -> Void) rethrows {
        let (start, used) = (ContinuousClock.now, Cost.processorSeconds)
        try body()
        wall = (ContinuousClock.now - start) / .seconds(1)
        processor = Cost.processorSeconds - used
    }

    /// Reads "0.0507 0.0498".
    init?(_ text: String) {
        let numbers = text.split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 2 else { return nil }
        (wall, processor) = (numbers[0], numbers[1])
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

func seconds(_ body: () throws -> Void) rethrows -> Double { try Cost(of: body).wall }
