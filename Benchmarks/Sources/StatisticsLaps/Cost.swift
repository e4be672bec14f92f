import Foundation

/// The time that an operation took, in seconds.
struct Cost {
    /// Wall time.
    var wall: Double
    /// Processor time over all threads. It depends less on other load on the machine.
    var processor: Double

    /// Measures one execution of an operation.
    init(of body: () throws -> Void) rethrows {
        let (start, used) = (ContinuousClock.now, Cost.processorSeconds)
        try body()
        wall = (ContinuousClock.now - start) / .seconds(1)
        processor = Cost.processorSeconds - used
    }

    /// Parses "0.0507 0.0498".
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
